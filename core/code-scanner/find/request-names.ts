/** What the name of a function says of the request that it sends. */
export interface NamedRequest {
  /** Lower case; undefined where the name says none. */
  readonly method: string | undefined
  /** Whether it is a method's name alone, which other things than clients have too: `get`. */
  readonly isBare: boolean
  /** Whether it says HTTP. */
  readonly isHttp: boolean
}

/**
 * Reads the name of a function that nothing else is known of: `http_post`, `getJson`,
 * `this.sendRequest`, `deliver`. Undefined where it does not say that a request is sent.
 */
export function requestOfName(callee: string): NamedRequest | undefined {
  const name = callee.slice(callee.lastIndexOf('.') + 1)
  if (!TELLING.test(name) || /^(?:new |@)/.test(callee)) return undefined
  const words = wordsOf(name)
  if (words.length === 0 || words.length > MAX_WORDS || words[0] === 'with') return undefined
  if (words.some((one) => OTHERS.has(one))) return undefined
  const method = words.find((one) => METHODS.has(one))
  if (words.length === 1 && method !== undefined) return { method, isBare: true, isHttp: false }
  const isRequest =
    words.some((one) => REQUESTS.has(one)) ||
    (method !== undefined && words.some((one) => CONTENTS.has(one)))
  const isHttp = words.some((one) => /^(?:https?|curl)$/.test(one))
  return isRequest ? { method, isBare: false, isHttp } : undefined
}

/** `sendHTTPRequest`, `send_http_request` to `send`, `http`, `request`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Most words of a name that is read. */
const MAX_WORDS = 5

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Words of functions that send something. */
const REQUESTS = new Set([
  'request',
  'requests',
  'fetch',
  'fetcher',
  'http',
  'https',
  'curl',
  'deliver',
  'urlopen',
  'xhr',
  'ajax',
  'graphql',
])

/** What a name has that says a request: others need not be taken apart. */
const TELLING = new RegExp([...METHODS, ...REQUESTS].join('|'), 'i')

/** What a method's name is followed by where it is of HTTP. */
const CONTENTS = new Set([
  'json',
  'api',
  'rest',
  'ssl',
  'url',
  'html',
  'xml',
  'soup',
  'page',
  'form',
  'remote',
  'async',
  'webhook',
  'body',
  'parsed',
  'raw',
  'signed',
])

/** Words of functions that only make, compare, show or keep a URL. */
const OTHERS = new Set([
  'add',
  'allow',
  'assert',
  'build',
  'by',
  'cache',
  'can',
  'check',
  'create',
  'encode',
  'error',
  'expect',
  'format',
  'handle',
  'handler',
  'has',
  'header',
  'headers',
  'is',
  'link',
  'log',
  'mock',
  'new',
  'normalize',
  'on',
  'open',
  'parse',
  'redirect',
  'register',
  'render',
  'response',
  'set',
  'stub',
  'test',
  'to',
  'valid',
  'validate',
])
