/** An element as its start tag has it. */
export interface ReadElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Names of the elements around it, from the outside. */
  readonly within: readonly string[]
}

/** What a page consists of. */
export interface ReadPage {
  readonly elements: readonly ReadElement[]
  /** Runs of text between tags, entities undone. */
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
/** The one attribute that templates write in single quotes: it holds JSON of theirs. */
const CONFIG = /(<meta name="htmx-config" content=)'[\w{}":,]*'>/

/**
 * Reads a document of the console by a grammar that every browser reads in the same way, and
 * throws for whatever else stands in it: attributes in double quotes alone, no `<` or `>` outside
 * of tags, no comments, no entities but the five that templates write, and each element closed
 * where it was opened. Text of others that became markup would have to be of that form, too, and
 * then stands among `elements`.
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
    // Browsers take the first of two.
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
