import { ServiceError } from '../../errors.ts'

/** An element of an XML document. */
export interface XmlElement {
  /** Local name, without prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** All text directly in the element. */
  readonly text: string
}

const MAX_DEPTH = 100
const NAME = /[^\s/>=<"'&]+/y
const ATTRIBUTE = /\s+([^\s/>=<"'&]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

interface OpenElement {
  readonly name: string
  /** Name as written, with prefix. */
  readonly qualified: string
  readonly attributes: Record<string, string>
  readonly children: XmlElement[]
  text: string
}

/**
 * Parses a well-formed XML document without a document type, with at most 100 levels. Throws a
 * `ServiceError` with code `invalid_description` that contains the line number.
 */
export function parseXml(source: string): XmlElement {
  const text = source.replace(/^\uFEFF/, '')
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    addText(text.slice(at, next < 0 ? text.length : next))
    if (next < 0) break
    at = next
    if (text.startsWith('<!--', at)) at = findEnd('-->', 4)
    else if (text.startsWith('<?', at)) at = findEnd('?>', 2)
    else if (text.startsWith('<![CDATA[', at)) {
      const end = findEnd(']]>', 9)
      const current = open.at(-1) ?? throwAtLine('text outside the root element')
      current.text += text.slice(at + 9, end - 3)
      at = end
    } else if (text.startsWith('<!', at)) throwAtLine('document types are not supported')
    else if (text.startsWith('</', at)) closeElement()
    else openElement()
  }
  if (open.length > 0) throwAtLine(`<${open.at(-1)?.qualified}> is not closed`)
  return root ?? throwAtLine('no root element')

  function openElement(): void {
    NAME.lastIndex = at + 1
    const qualified = NAME.exec(text)?.[0] ?? throwAtLine('missing name after "<"')
    if (open.length === 0 && root) throwAtLine('second root element')
    if (open.length >= MAX_DEPTH) throwAtLine(`more than ${MAX_DEPTH} levels`)
    const attributes: Record<string, string> = Object.create(null)
    at += 1 + qualified.length
    for (;;) {
      ATTRIBUTE.lastIndex = at
      const match = ATTRIBUTE.exec(text)
      if (!match) break
      const [whole, name = '', double, single] = match
      if (name in attributes) throwAtLine(`duplicate attribute ${name}`)
      attributes[name] = decodeEntities(double ?? single ?? '')
      at += whole.length
    }
    const end = /\s*(\/?)>/y
    end.lastIndex = at
    const match = end.exec(text) ?? throwAtLine(`malformed tag <${qualified}>`)
    at += match[0].length
    open.push({ name: removePrefix(qualified), qualified, attributes, children: [], text: '' })
    if (match[1] === '/') finishElement()
  }

  function closeElement(): void {
    const end = text.indexOf('>', at)
    const name = text.slice(at + 2, end < 0 ? undefined : end).trimEnd()
    const current = open.at(-1)
    if (end < 0 || current?.qualified !== name) {
      throwAtLine(
        `</${name.slice(0, 40)}> closes ${current ? `<${current.qualified}>` : 'nothing'}`,
      )
    }
    at = end + 1
    finishElement()
  }

  function finishElement(): void {
    const element = open.pop()
    if (!element) return
    const { qualified: _, ...made } = element
    const parent = open.at(-1)
    if (parent) parent.children.push(made)
    else root = made
  }

  function addText(piece: string): void {
    if (piece === '') return
    const current = open.at(-1)
    if (current) current.text += decodeEntities(piece)
    else if (piece.trim() !== '') throwAtLine('text outside the root element')
  }

  function decodeEntities(piece: string): string {
    if (!piece.includes('&')) return piece
    return piece.replace(/&([^;&\s]{0,12};)?/g, (whole, name: string = '') => {
      const known = ENTITIES[name.slice(0, -1)]
      const code = /^#(?:x([0-9a-f]+)|(\d+));$/i.exec(name)
      if (known !== undefined) return known
      const point = code ? Number.parseInt(code[1] ?? code[2] ?? '', code[1] ? 16 : 10) : -1
      if (point < 1 || point > 0x10ffff) throwAtLine(`${whole} is not defined`)
      return String.fromCodePoint(point)
    })
  }

  function findEnd(end: string, skip: number): number {
    const found = text.indexOf(end, at + skip)
    return found < 0 ? throwAtLine(`missing "${end}"`) : found + end.length
  }

  function throwAtLine(reason: string): never {
    const line = text.slice(0, at).split('\n').length
    throw new ServiceError('invalid_description', `Invalid XML: line ${line}: ${reason}`)
  }
}

function removePrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
