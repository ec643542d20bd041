/**
 * Whether a name denotes a secret. True if one of its words does, as in `user_password`,
 * `refreshToken` or `X-Secret-Key`, unless the next word changes the meaning, as in `token_type` or
 * `access_key_id`. Broader than the detection of credentials in descriptions: a false positive can
 * be left out of the test or stored as a credential.
 */
export function isSecretName(name: string): boolean {
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
