import { SECRET_PATTERN_SOURCE } from './secret-patterns.ts'

/**
 * Redacts a URL from code or traffic for output: removes user and password, and replaces secrets in
 * path, query or fragment by `{}`. Secrets are recognised by name or shape. Preserves the number of
 * path segments.
 */
export function redactUrlSecrets(url: string): string {
  let redacted = url.replace(USER, '$1').replace(PARAMETERS, '$1{}')
  for (const pattern of PATHS) redacted = redacted.replace(pattern, redactSegments)
  return redacted
}

const USER = /^(\s*(?:[a-z+]{1,20}:)?\/\/)[^/?#\\]*@/i

/** Keeps the prefix of the secret, and the slashes within the secret. */
function redactSegments(found: string, before: string): string {
  return before + found.slice(before.length).replace(/[^/]+/g, '{}')
}

/** Secret parameters, by name. */
const PARAMETERS =
  /([?&;#](?:[\w.-]{0,40}[_.-])?(?:(?:api|app|access|auth|client|private|secret|subscription|consumer|shared)?key|access_?key_?id|[a-z]{0,20}token|[a-z]{0,20}secret|password|passwd|passphrase|pass|pwd|app_?id|auth|authorization|credentials?|session_?id|sid|jwt|sig|signature)=)(?!\{\}(?:[&;#]|$))[^&;#]+/gi

const PATHS: readonly RegExp[] = [
  // Webhooks and bots whose URL path contains the key.
  /(\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)[^?#]+/i,
  /(\/api\/(?:v\d+\/)?webhooks\/\d{10,}\/)[\w-]{40,}/i,
  /(\/(?:file\/)?bot)\d{5,}:[\w-]{30,}/,
  /(\/\/(?:outlook\.office\.com|[\w-]+\.webhook\.office\.com)\/webhook(?:b2)?\/)[^?#]+/i,
  /(\/\/hooks\.zapier\.com\/hooks\/(?:catch|standard)\/)[^?#]+/i,
  /(\/with\/key\/)[^/?#]+/i,
  // Mattermost.
  /(\/hooks\/)[a-z\d]{26}(?=[/?#;]|$)/,
  // Long hexadecimal numbers, some with a prefix; IDs of this shape are values too.
  /(\/(?:[a-z]{1,20}-)?)(?=[\da-f]*?[a-f])(?=[a-f]*\d)[\da-f]{32,}(?![\w-])/gi,
  // The same in parameters, unless their names are those of public identifiers, such as `client_id`.
  /([?&;#](?!(?:(?![\w.-]*(?:sess|token|auth))[\w.-]{0,40}[_.-])?(?:client|user|account|project)?id=)[\w.-]{1,40}=)(?=[\da-f]*?[a-f])(?=[a-f]*\d)[\da-f]{32,}(?![\w-])/gi,
  // Random letters and digits: both cases, digits in at least three places, and no word.
  /(\/)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=(?:[A-Za-z_-]*\d+(?=[A-Za-z_-])){3})(?![\w-]*[a-z]{5})[\w-]{24,}(?=[/?#;]|$)/g,
  // Keys with a known vendor prefix, and signed tokens.
  new RegExp(`([/=?&#;])(?:${SECRET_PATTERN_SOURCE})(?![\\w-])`, 'g'),
]
