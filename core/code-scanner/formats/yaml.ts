import { type Entry, inlineEntries, linesOf, unquote } from './entries.ts'

/**
 * Reads the values of a YAML text. In `name: X` beside `value: Y`, the name is the key of the value,
 * as in environments of containers.
 */
export function readYaml(text: string): readonly Entry[] {
  const entries: Entry[] = []
  const open: { readonly column: number; readonly key: string }[] = []
  const names = new Map<number, string>()
  const items: { readonly column: number }[] = []
  let block: Block | undefined
  for (const { line, start } of linesOf(text)) {
    let rest = line.trimStart()
    let column = line.length - rest.length
    const inside = block && column > block.column ? block : undefined
    if (inside) inside.isScript ??= rest.startsWith('#!')
    if (rest === '' || rest.startsWith('#')) continue
    if (inside) {
      addLine(inside, { value: rest.trimEnd(), index: start + column, entries })
      continue
    }
    block = undefined
    const indent = column
    removeFrom(column + 1, items)
    for (const item of readDashes(rest)) {
      column += rest.length - item.length
      names.delete(column)
      items.push({ column })
      rest = item
    }
    removeFrom(column, open)
    const above = open.map(({ key }) => key)
    const [, double, single, plain, after] = PAIR.exec(rest) ?? []
    const key = double ?? single ?? plain
    const value = (after ?? rest).replace(/^[&!][^\s#]+(?:\s+|$)/, '')
    const index = start + line.length - value.length
    if (key === 'name') names.set(column, unquote({ text: value, index }).value)
    const name = key === 'value' ? names.get(column) : key
    const keys = key === undefined ? above : [...above, name ?? key]
    if (BLOCK.test(value)) {
      block = { column: key === undefined ? indent : column, keys, isFolded: value.startsWith('>') }
    } else if (key !== undefined && /^(?:#|$)/.test(value)) open.push({ column, key })
    else {
      const isItem = key === undefined
      const isStep = items.length > Number(isItem)
      for (const entry of readValue({ keys, text: value, index, isItem, isStep }))
        entries.push(entry)
    }
  }
  return entries
}

/** Removes the last elements of a list, those from a column on. */
function removeFrom(column: number, list: { readonly column: number }[]): void {
  while ((list.at(-1)?.column ?? -1) >= column) list.pop()
}

/** Reads the dashes of list items: the text after each of them. */
function readDashes(text: string): readonly string[] {
  const items: string[] = []
  let rest = text
  while (/^-(?:\s|$)/.test(rest)) {
    rest = rest.slice(1).trimStart()
    items.push(rest)
  }
  return items
}

/** A block of text below a key. */
interface Block {
  readonly column: number
  readonly keys: readonly string[]
  readonly isFolded: boolean
  last?: Entry
  /** Whether the first line begins with `#!`. */
  isScript?: boolean
}

function addLine(
  block: Block,
  line: { readonly value: string; readonly index: number; readonly entries: Entry[] },
): void {
  const { keys, isFolded, last, isScript } = block
  const { value, index, entries } = line
  if (isFolded && last) entries[entries.length - 1] = { ...last, isContinued: true }
  block.last = { keys, value, index, isLine: true, ...(isScript && { isScript }) }
  entries.push(block.last)
}

function readValue(
  written: Parameters<typeof inlineEntries>[0] & {
    readonly isItem: boolean
    readonly isStep: boolean
  },
): readonly Entry[] {
  const { keys, text, isItem, isStep } = written
  const entries = /^[[{](?!\{)/.test(text)
    ? inlineEntries(written)
    : [{ keys, ...unquote(written), ...(isItem && { isLine: true as const }) }]
  return isStep ? entries.map((entry) => ({ ...entry, isStep })) : entries
}

/** A key in either kind of quotes or none, and its value. */
const PAIR =
  /^(?:"([^"]*)"|'([^']*)'|([^\s:#"'](?:(?:[^:#"']|:(?![\s/]|$))*[^\s:#"'])?))\s*:(?:\s+|$)(.*)$/s

/** The start of a block: `|`, `>-`. */
const BLOCK = /^[|>][-+\d]*\s*(?:#.*)?$/
