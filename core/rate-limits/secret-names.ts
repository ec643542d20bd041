/**
 * Whether what goes by this name is plainly a secret: some of its words are, as in `user_password`,
 * `refreshToken` or `X-Secret-Key`, and the next one does not turn it into something else, as in
 * `token_type` or `access_key_id`. Wider than what tells credentials of descriptions: what is kept
 * with a test can be left out, or stored as a credential.
 */
export function isSecretName(name: string): boolean {
  const words = toWords(name)
  return words.some((word, index) => {
    const [before = '', after = ''] = [words[index - 1], words[index + 1]]
    if (HARMLESS_NEXT.has(after)) return false
    if (word === 'pass') return after === ''
    if (word === 'key') return KEYS.has(before) && after !== 'id'
    if (word === 'token' || word.endsWith('token')) {
      return !PAGES.has(before || word.slice(0, -'token'.length)) && after !== 'id'
    }
    return SECRETS.has(word) || SECRET_ENDS.some((end) => word.endsWith(end))
  })
}

const SECRETS: ReadonlySet<string> = new Set([
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

/** Also where nothing divides the words. */
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

/** What a key is called that is a secret: others are names of things. */
const KEYS: ReadonlySet<string> = new Set([
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

/** What a token is called that is a place in a list. */
const PAGES: ReadonlySet<string> = new Set([
  'continuation',
  'cursor',
  'next',
  'page',
  'pagination',
  'prev',
  'previous',
  'sync',
])

/** What comes behind a secret's name when something else is meant. */
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

/** In lower case, without the digits at their ends: `newPassword2` is `new` and `password`. */
function toWords(name: string): readonly string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
}

/** What is longer is looked at by its shape alone. */
const MAX_NAME = 200
