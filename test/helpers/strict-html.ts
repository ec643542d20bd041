/** An element with its start tag. */
export interface ReadElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Names of its ancestors, outermost first. */
  readonly within: readonly string[]
}

/** Elements and texts of a page. */
export interface ReadPage {
  readonly elements: readonly ReadElement[]
  /** Text between tags, with decoded entities. */
  readonly texts: readonly string[]
}

const DOCTYPE = '<!doctype html>\n'
const START = /<([a-z][a-zA-Z0-9]*)((?: +[a-zA-Z][\w:-]*(?:="[^"<>]*")?)*) *(\/?)>/y
const ATTRIBUTE = /([a-zA-Z][\w:-]*)(?:="([^"]*)")?/g
const END = /<\/([a-z][a-zA-Z0-9]*)>/y
const TEXT = /[^<>]+/y
const ENTITY = /&([^;&\s]*;?)/g
const ENTITIES: Readonly<Record<string, string>> = {
  'amp;': '&',
  'lt;': '<',
  'gt;': '>',
  'quot;': '"',
  '#39;': "'",
}
const VOID = new Set(['br', 'hr', 'img', 'input', 'link', 'meta'])
/** The only attribute in single quotes: it contains JSON of the templates. */
const CONFIG = /(<meta name="htmx-config" content=)'[\w{}":,]*'>/

/**
 * Parses a console document with a strict grammar that all browsers read alike, and throws
 * otherwise. Attributes are in double quotes; `<` and `>` occur only in tags. There are no
 * comments, only the five entities of the templates, and elements are properly nested. Injected
 * markup of that form appears in `elements`.
 */
export function readPage(html: string): ReadPage {
  if (!html.startsWith(DOCTYPE)) throw new Error('The document does not begin with its type')
  const source = html.slice(DOCTYPE.length).replace(CONFIG, '$1"">')
  const elements: ReadElement[] = []
  const texts: string[] = []
  const open: string[] = []
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match) at = pattern.lastIndex
    return match
  }
  while (at < source.length) {
    const text = take(TEXT)
    const start = text ? null : take(START)
    const end = text || start ? null : take(END)
    if (text) texts.push(undoEntities(text[0]))
    else if (start) {
      const [, name = '', attributes = '', slash = ''] = start
      elements.push({ name, attributes: readAttributes(attributes), within: [...open] })
      if (slash === '' && !VOID.has(name)) open.push(name)
    } else if (!end || open.pop() !== end[1]) {
      throw new Error(`Not of the grammar, at: ${source.slice(Math.max(0, at - 60), at + 60)}`)
    }
  }
  if (open.length > 0) throw new Error(`Left open: ${open.join(' ')}`)
  return { elements, texts }
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    // Browsers use the first of two.
    if (attributes.has(name)) throw new Error(`Twice the attribute ${name}: ${text}`)
    attributes.set(name, undoEntities(value))
  }
  return attributes
}

function undoEntities(text: string): string {
  return text.replaceAll(ENTITY, (entity, name: string) => {
    const character = ENTITIES[name]
    if (character === undefined) throw new Error(`An entity that no template writes: ${entity}`)
    return character
  })
}
