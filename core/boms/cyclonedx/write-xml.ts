import { createYieldIfDue } from '../../shared/time-slices.ts'
import type { Element, Root, TopElement } from './xml.ts'

const CHUNK_CHARACTERS = 32 * 1024

/**
 * Writes a document in UTF-8, indented, in chunks of about 32 KiB; yields to the event loop between
 * them.
 */
export async function* writeXml(root: Root): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const pause = createYieldIfDue()
  let pending = `<?xml version="1.0" encoding="UTF-8"?>\n<${root.name}${formatAttributes(root)}>\n`
  for (const child of root.children) {
    for await (const part of writeTopElement(child)) {
      for (const piece of part) {
        pending += piece
        if (pending.length < CHUNK_CHARACTERS) continue
        yield encoder.encode(pending)
        pending = ''
        await pause()
      }
    }
  }
  yield encoder.encode(`${pending}</${root.name}>\n`)
}

/** Yields iterables of strings: an async step for each string would cost more than writing it. */
async function* writeTopElement(element: TopElement): AsyncIterable<Iterable<string>> {
  if (element.type === 'element') {
    yield writeElement(element, '  ')
    return
  }
  yield [`  <${element.name}>\n`]
  for await (const child of element.children) yield writeElement(child, '    ')
  yield [`  </${element.name}>\n`]
}

function* writeElement(element: Element, indent: string): Iterable<string> {
  const { name, children } = element
  const start = `${indent}<${name}${formatAttributes(element)}`
  if (children === undefined || children === '') {
    yield `${start}/>\n`
  } else if (typeof children !== 'object') {
    yield `${start}>${escapeText(String(children))}</${name}>\n`
  } else {
    let isEmpty = true
    for (const child of children) {
      if (child.type !== 'element') continue
      if (isEmpty) yield `${start}>\n`
      isEmpty = false
      yield* writeElement(child, `${indent}  `)
    }
    yield isEmpty ? `${start}/>\n` : `${indent}</${name}>\n`
  }
}

function formatAttributes({
  namespace,
  attributes,
}: Pick<Element, 'namespace' | 'attributes'>): string {
  let text = namespace === undefined ? '' : ` xmlns="${escapeAttribute(String(namespace))}"`
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`
  }
  return text
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

function escapeText(text: string): string {
  return /[&<>\r]/.test(text)
    ? text.replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found] ?? '')
    : text
}

function escapeAttribute(text: string): string {
  return /[&<>"\t\n\r]/.test(text)
    ? text.replace(/[&<>"\t\n\r]/g, (found) => TEXT_ESCAPES[found] ?? '')
    : text
}
