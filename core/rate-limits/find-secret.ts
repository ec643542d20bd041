import type { CallValues, OutgoingCall } from '../calls/call.ts'
import { containsSecret } from '../shared/secret-patterns.ts'

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

/**
 * Whether a name denotes a secret. True if one of its words does, as in `user_password`,
 * `refreshToken` or `X-Secret-Key`, unless the next word changes the meaning, as in `token_type` or
 * `access_key_id`. Broader than the detection of credentials in descriptions: a false positive can
 * be left out of the test or stored as a credential.
 */
function isSecretName(name: string): boolean {
  const words = splitNameWords(name)
  return words.some((word, index) => {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    if (HARMLESS_NEXT.has(after)) return false
    if (word === 'pass') return after === ''
    if (word === 'key') return SECRET_KEY_PREFIXES.has(before) && after !== 'id'
    if (word === 'token' || word.endsWith('token')) {
      return !CURSOR_PREFIXES.has(before || word.slice(0, -'token'.length)) && after !== 'id'
    }
    return SECRET_WORDS.has(word) || SECRET_ENDS.some((end) => word.endsWith(end))
  })
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  'authorization',
  'bearer',
  'cookie',
  'cookies',
  'credential',
  'credentials',
  'jwt',
  'jsessionid',
  'phpsessid',
  'pwd',
  'sessionid',
])

/** Word endings, for names without separators. */
const SECRET_ENDS = [
  'apikey',
  'accesskey',
  'appkey',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'secret',
  'secretkey',
] as const

/** Words before `key` that make it a secret. Other keys are identifiers. */
const SECRET_KEY_PREFIXES: ReadonlySet<string> = new Set([
  'access',
  'api',
  'app',
  'application',
  'auth',
  'client',
  'consumer',
  'encryption',
  'functions',
  'license',
  'master',
  'private',
  'secret',
  'session',
  'shared',
  'signing',
  'ssh',
  'subscription',
])

/** Words before `token` that make it a cursor in a list. */
const CURSOR_PREFIXES: ReadonlySet<string> = new Set([
  'continuation',
  'cursor',
  'next',
  'page',
  'pagination',
  'prev',
  'previous',
  'sync',
])

/** Words after a secret's name that change its meaning. */
const HARMLESS_NEXT: ReadonlySet<string> = new Set([
  'address',
  'age',
  'consent',
  'count',
  'date',
  'endpoint',
  'expires',
  'expiration',
  'expiry',
  'format',
  'hint',
  'kind',
  'length',
  'limit',
  'name',
  'policy',
  'strength',
  'symbol',
  'ttl',
  'type',
  'uri',
  'url',
])

/**
 * Splits a name into lower-case words without trailing digits: `newPassword2` becomes `new` and
 * `password`.
 */
function splitNameWords(name: string): readonly string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
}

/** Only this many characters are examined. Longer names are checked by shape alone. */
const MAX_NAME = 200
