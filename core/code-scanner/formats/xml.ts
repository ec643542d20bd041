import type { Entry } from './entries.ts'

/**
 * Reads elements and attributes of an XML text. The key of a value beside a `key` or `name` is that
 * name, as is `<key>` before `<string>` in property lists.
 */
export function readXml(text: string): readonly Entry[] {
  const entries: Entry[] = []
  let key = ''
  for (const { 0: whole, 1: tag, 2: attributes = '', 3: content = '', index } of text.matchAll(
    TAG,
  )) {
    if (tag === undefined) continue
    const start = index + 1 + tag.length
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map((pair) => {
      const [written, attribute = '', value = ''] = pair
      return { attribute, value, index: start + pair.index + written.length - value.length - 1 }
    })
    const name = pairs.find(({ attribute }) => /^(?:key|name|Key)$/.test(attribute))?.value ?? ''
    for (const { attribute, ...entry } of pairs) {
      if (attribute.startsWith('xmlns') || attribute.includes(':')) continue
      const isValue = /^value$/i.test(attribute) && name !== ''
      entries.push({ keys: [tag, isValue ? name : attribute], ...entry })
    }
    const value = content.trim()
    if (value === '') continue
    if (tag === 'key') key = value
    else {
      const own = tag === 'string' && name === '' && key !== '' ? key : name || tag
      const at = index + whole.length - content.trimStart().length
      entries.push({ keys: [own], value, index: at })
    }
  }
  return entries
}

const TAG =
  /<!--[\s\S]*?(?:-->|$)|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>([^<]*)/g

const ATTRIBUTE = /([\w:.-]+)\s*=\s*["']((?<=")[^"]*|(?<=')[^']*)["']/g
