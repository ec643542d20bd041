import type { CallValues, OutgoingCall } from '../calls/call.ts'
import { holdsSecret } from '../shared/secret-shapes.ts'
import { isSecretName } from './secret-names.ts'

/**
 * The value that is a secret, by its name as `login.password`: by where it stands in the call, by what
 * it or a part of it is called, or by its shape. Texts are read as JSON, as a form and as the query of
 * a URL too. Undefined where there is none.
 */
export function findSecret(values: CallValues, { secrets }: OutgoingCall): string | undefined {
  const given = new Set(Object.keys(values).map((name) => name.toLowerCase()))
  const found = secrets.find(({ placement, name }) => {
    const folded = name.toLowerCase()
    return given.has(folded) || given.has(`${placement.toLowerCase()}.${folded}`)
  })
  if (found) return found.name
  for (const [name, value] of Object.entries(values)) {
    if (isNamedSecret(name.replace(PLACEMENT, ''), value)) return name
    const secret = findInside(value, name)
    if (secret !== undefined) return secret
  }
  return undefined
}

/** Before names that occur in several places. */
const PLACEMENT = /^(?:path|query|querystring|header|cookie|formData|body|server)\./i

/** Without recursion: a value may be as deep as it is long. */
function findInside(whole: unknown, name: string): string | undefined {
  const left: Part[] = [{ value: whole, path: name, depth: 0, isOfForm: false }]
  for (let part = left.pop(); part; part = left.pop()) {
    const { path, depth } = part
    if (typeof part.value === 'string' && isSecretText(part.value)) return path
    const { value, isOfForm } = readPart(part)
    if (typeof value !== 'object' || value === null) continue
    const pair = readNamedValue(value)
    if (pair && isNamedSecret(pair.name, pair.value)) return path
    const isList = Array.isArray(value)
    for (const [key, member] of Object.entries(value)) {
      if (holdsSecret(key)) return path
      const inner = depth < MAX_NAMED && !isList ? `${path}.${key}` : path
      if (!isList && isNamedSecret(key, member)) return inner
      left.push({ value: member, path: inner, depth: depth + 1, isOfForm })
    }
  }
  return undefined
}

interface Part {
  readonly value: unknown
  readonly path: string
  readonly depth: number
  /** It stands in a form or a query, and is none itself: a text of many "=" ends somewhere. */
  readonly isOfForm: boolean
}

/** Deeper parts go by the name of what they are in. */
const MAX_NAMED = 9

/** A flag or nothing is no secret, whatever it is called. */
function isNamedSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') {
    return false
  }
  return isSecretName(name)
}

/** What `{ "name": "authorization", "value": "…" }` says, in the usual spellings. */
function readNamedValue(value: object): { name: string; value: unknown } | undefined {
  const members = new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]))
  const name = NAMES.map((each) => members.get(each)).find((each) => typeof each === 'string')
  const held = VALUES.map((each) => members.get(each)).find((each) => each !== undefined)
  return typeof name === 'string' ? { name, value: held } : undefined
}

const NAMES = ['name', 'key', 'header', 'field', 'parameter'] as const
const VALUES = ['value', 'values', 'val', 'content', 'data'] as const

/** JSON goes by its parts. */
function isSecretText(text: string): boolean {
  return holdsSecret(text) && readJson(text) === undefined
}

/** What a text says that is JSON, a form or a URL with a query; anything else as it is. */
function readPart({ value, isOfForm }: Part): Pick<Part, 'value' | 'isOfForm'> {
  if (typeof value !== 'string') return { value, isOfForm: isOfForm && Array.isArray(value) }
  const json = readJson(value)
  if (json !== undefined || isOfForm) return { value: json, isOfForm: false }
  return { value: readPairs(value), isOfForm: true }
}

/** Undefined for what is no JSON of an object or a list. */
function readJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** By their names, in lists. Undefined for what is neither `a=b&c=d` nor a URL with such a part. */
function readPairs(text: string): unknown {
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
