import type { SecretPosition } from './call.ts'
import { type CompiledField, compileFields } from './compiled.ts'
import type { AppliedCredentials } from './credentials.ts'
import { encodeLoosely } from './encode.ts'
import type { Field } from './fields.ts'
import { type Issues, tryWrite } from './issues.ts'
import type { ServerTarget } from './servers.ts'
import {
  createPairWriter,
  createPathWriter,
  plainShape,
  type Shape,
  type Writer,
} from './styles.ts'
import { findPathRefusal, hasDotSegment, parseTemplate } from './template.ts'
import { isJsonObject, toPlainText } from './values.ts'

/** Writes the URL of a call and adds the secrets in its path to `secrets`. */
export type UrlWriter = (input: {
  readonly target: ServerTarget
  readonly slots: readonly unknown[]
  readonly credentials: Pick<AppliedCredentials, 'pairs' | 'pathNames'>
  readonly secrets: SecretPosition[]
  readonly issues: Issues
}) => string

/** Compiles the URL writer: path template, query parameters and whole query strings. */
export function createUrlWriter(path: string, list: readonly Field[]): UrlWriter {
  const template = compileTemplate(path, list)
  const queries = [
    ...compileFields(list, 'query', createPairWriter),
    ...compileFields(list, 'querystring', createQuerystringWriter),
  ]

  return (input) => {
    const { target, slots, issues } = input
    const url = writePath(input)
    let query = target.query.slice(1)
    for (const { field, write } of queries) {
      const value = slots[field.index]
      if (value === undefined) continue
      const text = tryWrite(field.key, issues, () => write(value))
      if (text) query += query === '' ? text : `&${text}`
    }
    for (const pair of input.credentials.pairs) query += query === '' ? pair : `&${pair}`
    if (query === '') return url
    return url + (template.hasQuery ? (/[?&]$/.test(url) ? '' : '&') : '?') + query
  }

  function writePath(input: Parameters<UrlWriter>[0]): string {
    const { slots, secrets, issues } = input
    const { prefix } = input.target
    let url = prefix
    let hasDots = false
    for (const part of template.parts) {
      if (typeof part === 'string') {
        url += part
        continue
      }
      const { field, write } = part
      const value = slots[field.index]
      if (value === undefined) continue
      const refused = part.isInQuery ? undefined : findPathValueRefusal(value)
      if (refused !== undefined) {
        issues.add(field.key, refused)
        continue
      }
      const text = tryWrite(field.key, issues, () => write(value)) ?? ''
      if (text === '' && !part.isInQuery) issues.add(field.key, EMPTY_SEGMENT)
      hasDots ||= text.includes('.')
      if (field.isSecret || input.credentials.pathNames.includes(field.name)) {
        const range = [url.length, url.length + text.length] as const
        secrets.push({ placement: 'path', name: field.name, range })
      }
      url += text
    }
    if (hasDots && issues.isEmpty && hasDotSegment(url.slice(prefix.length))) {
      issues.add(template.names, 'must not form . or .. as a path segment')
    }
    return url
  }
}

interface CompiledTemplate {
  readonly parts: readonly (string | (CompiledField & { readonly isInQuery: boolean }))[]
  readonly hasQuery: boolean
  /** Names of the placeholders, for issues that concern them together. */
  readonly names: string
}

function compileTemplate(path: string, list: readonly Field[]): CompiledTemplate {
  const template = parseTemplate(path)
  let isInQuery = false
  const names: string[] = []
  const parts = template.parts.map((part) => {
    if ('text' in part) {
      isInQuery ||= part.text.includes('?')
      return part.text
    }
    const field = list.find(({ placement, name }) => placement === 'path' && name === part.name)
    if (!field) return encodeURIComponent(`{${part.name}}`)
    names.push(field.key)
    return { field, write: createPathWriter(field.parameter ?? plainShape(field.name)), isInQuery }
  })
  return { parts, hasQuery: template.hasQuery, names: names.join(', ') }
}

/**
 * Creates a writer for OpenAPI 3.2 `in: querystring`. An object is serialised as pairs; a string is
 * the query itself.
 */
function createQuerystringWriter(shape: Shape): Writer {
  const isJson = /json/i.test(shape.contentType ?? '')
  return (value) => {
    if (isJson) return encodeURIComponent(toPlainText(value))
    if (!isJsonObject(value)) return toPlainText(value).split('&').map(encodePair).join('&')
    return Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => createPairWriter(plainShape(name))(member))
      .join('&')
  }
}

function encodePair(pair: string): string {
  return encodeLoosely(pair.replaceAll('+', '%20'))
}

function findPathValueRefusal(value: unknown): string | undefined {
  if (typeof value !== 'string') return findItemRefusal(value)
  return PLAIN_SEGMENT.test(value) ? undefined : findPathRefusal(value)
}

const EMPTY_SEGMENT = 'must not be empty: it is part of the path'

/** Characters that cannot change the path, however often they are decoded. */
const PLAIN_SEGMENT = /^[\w~-]+$/

function findItemRefusal(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of Object.entries(value).flat()) {
    // Nested values are written as JSON.
    const text = toPlainText(item)
    const refused = text === '' ? undefined : findPathRefusal(text)
    if (refused !== undefined) return refused
  }
  return undefined
}
