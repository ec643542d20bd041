import type { CallValues, OutgoingCall } from '../calls/call.ts'
import { containsSecret } from '../shared/secret-patterns.ts'
import { isSecretName } from './secret-names.ts'

/**
 * Finds a secret among the values and returns its path, for example `login.password`; undefined if
 * there is none. Detects secrets by the parameter's role in the call, by name and by shape. Strings
 * are also parsed as JSON, as a form and as a URL with a query.
 */
export function findSecret(values: CallValues, { secrets }: OutgoingCall): string | undefined {
  const given = new Set(Object.keys(values).map((name) => name.toLowerCase()))
  const found = secrets.find(({ placement, name }) => {
    const folded = name.toLowerCase()
    return given.has(folded) || given.has(`${placement.toLowerCase()}.${folded}`)
  })
  if (found) return found.name
  for (const [name, value] of Object.entries(values)) {
    if (isNamedSecret(name.replace(PLACEMENT_PREFIX, ''), value)) return name
    const secret = findNestedSecret(value, name)
    if (secret !== undefined) return secret
  }
  return undefined
}

/** Prefix of parameter names that occur in several locations. */
const PLACEMENT_PREFIX = /^(?:path|query|querystring|header|cookie|formData|body|server)\./i

/** Iterates instead of recursing: nesting may be arbitrarily deep. */
function findNestedSecret(whole: unknown, name: string): string | undefined {
  const left: ValuePart[] = [{ value: whole, path: name, depth: 0, isFromForm: false }]
  for (let part = left.pop(); part; part = left.pop()) {
    const { path, depth } = part
    if (typeof part.value === 'string' && hasSecretShape(part.value)) return path
    const { value, isFromForm } = parsePart(part)
    if (typeof value !== 'object' || value === null) continue
    const pair = readNameValuePair(value)
    if (pair && isNamedSecret(pair.name, pair.value)) return path
    const isList = Array.isArray(value)
    for (const [key, member] of Object.entries(value)) {
      if (containsSecret(key)) return path
      const inner = depth < MAX_PATH_DEPTH && !isList ? `${path}.${key}` : path
      if (!isList && isNamedSecret(key, member)) return inner
      left.push({ value: member, path: inner, depth: depth + 1, isFromForm })
    }
  }
  return undefined
}

interface ValuePart {
  readonly value: unknown
  readonly path: string
  readonly depth: number
  /**
   * Whether the value comes from a form or query, which is not parsed as another one. This bounds
   * the work for strings with many "=".
   */
  readonly isFromForm: boolean
}

/** Deeper members are reported under the path of their ancestor at this depth. */
const MAX_PATH_DEPTH = 9

/** Flags and empty values are no secrets, whatever their name. */
function isNamedSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') {
    return false
  }
  return isSecretName(name)
}

/**
 * Reads an object of the form `{ "name": "authorization", "value": "…" }`, in the usual spellings.
 */
function readNameValuePair(value: object): { name: string; value: unknown } | undefined {
  const members = new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]))
  const name = NAMES.map((each) => members.get(each)).find((each) => typeof each === 'string')
  const held = VALUES.map((each) => members.get(each)).find((each) => each !== undefined)
  return typeof name === 'string' ? { name, value: held } : undefined
}

const NAMES = ['name', 'key', 'header', 'field', 'parameter'] as const
const VALUES = ['value', 'values', 'val', 'content', 'data'] as const

/** Excludes JSON, whose members are checked one by one. */
function hasSecretShape(text: string): boolean {
  return containsSecret(text) && parseJsonContainer(text) === undefined
}

/** Parses a string that is JSON, a form or a URL with a query; returns other values unchanged. */
function parsePart({ value, isFromForm }: ValuePart): Pick<ValuePart, 'value' | 'isFromForm'> {
  if (typeof value !== 'string') return { value, isFromForm: isFromForm && Array.isArray(value) }
  const json = parseJsonContainer(value)
  if (json !== undefined || isFromForm) return { value: json, isFromForm: false }
  return { value: parseFormPairs(value), isFromForm: true }
}

/** Returns undefined unless the text is a JSON object or array. */
function parseJsonContainer(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Groups form values by name. Returns undefined unless the text is like `a=b&c=d` or a URL with
 * such a part.
 */
function parseFormPairs(text: string): unknown {
  const forms = text.split(/[?#]/).filter((part) => /^[^\s=&]{0,200}[=&]/.test(part))
  if (forms.length === 0) return undefined
  const lists = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(forms.join('&'))) {
    const list = lists.get(name)
    if (list) list.push(value)
    else if (value !== '') lists.set(name, [value])
  }
  return Object.fromEntries(lists)
}
