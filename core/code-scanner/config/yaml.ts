import { type ConfigEntry, inlineEntries, linesOf, unquote } from './entries.ts'

/**
 * Values of a YAML text, line by line. Of `name: X` beside `value: Y` the name is the key, as in
 * containers' environments; `KEY=value` in lists and blocks is an entry too.
 */
export function readYaml(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  /** The keys that are open, with their columns. */
  const open: { readonly column: number; readonly key: string }[] = []
  const names = new Map<number, string>()
  let block: { readonly column: number; readonly keys: readonly string[] } | undefined
  const keep = (given: Parameters<typeof valuesOf>[0]): void => {
    for (const entry of valuesOf(given)) entries.push(entry)
  }
  for (const { line, start } of linesOf(text)) {
    const trimmed = line.trimStart()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    let column = line.length - trimmed.length
    if (block && column > block.column) {
      const pair = ASSIGNMENT.exec(line)
      if (pair) entries.push(toEntry({ keys: block.keys, pair, start }))
      continue
    }
    block = undefined
    let rest = trimmed
    while (/^-(?:\s|$)/.test(rest)) {
      const item = rest.slice(1).trimStart()
      column += rest.length - item.length
      names.delete(column)
      rest = item
    }
    while ((open.at(-1)?.column ?? -1) >= column) open.pop()
    const above = open.map(({ key }) => key)
    const pair =
      /^(?:"([^"]*)"|'([^']*)'|([^\s:#"'](?:[^:#"']*[^\s:#"'])?))\s*:(?:\s+|$)(.*)$/s.exec(rest)
    if (!pair) {
      const set = ASSIGNMENT.exec(rest.replace(/^["']/, ' '))
      const at = start + line.length - rest.length
      if (set) entries.push(toEntry({ keys: above, pair: set, start: at }))
      else keep({ keys: above, text: rest, index: at })
      continue
    }
    const key = pair[1] ?? pair[2] ?? pair[3] ?? ''
    const value = pair[4] ?? ''
    const at = start + line.length - value.length
    if (key === 'name') names.set(column, unquote({ text: value, index: 0 }).value)
    const name = names.get(column)
    const keys = [...above, key === 'value' && name !== undefined ? name : key]
    if (value === '' || value.startsWith('#') || /^[&!]\S*$/.test(value)) open.push({ column, key })
    else if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(value)) block = { column, keys }
    else keep({ keys, text: value, index: at })
  }
  return entries
}

const ASSIGNMENT = /^(\s*(?:export\s+)?)([A-Za-z_][\w.-]*)(\s*=\s*|:\s+)(\S.*)$/s

function toEntry(given: {
  readonly keys: readonly string[]
  readonly pair: RegExpExecArray
  readonly start: number
}): ConfigEntry {
  const [, lead = '', key = '', sign = '', rest = ''] = given.pair
  const index = given.start + lead.length + key.length + sign.length
  const { value, index: at } = unquote({ text: rest.replace(/["']$/, ''), index })
  return { keys: [...given.keys, key], value, index: at }
}

function valuesOf(given: {
  readonly keys: readonly string[]
  readonly text: string
  readonly index: number
}): readonly ConfigEntry[] {
  if (/^[[{](?!\{)/.test(given.text)) return inlineEntries(given)
  return [{ keys: given.keys, ...unquote(given) }]
}
