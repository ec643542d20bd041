import { MARKED_SECRETS } from '../shared/secret-shapes.ts'

/**
 * A URL of code or traffic as it may be told further: no user and password, and `{}` for what is
 * secret in its path, query or fragment by its name or shape. As many segments of the path as before.
 */
export function withoutSecrets(url: string): string {
  let told = url.replace(USER, '$1').replace(PARAMETERS, '$1{}')
  for (const pattern of PATHS) told = told.replace(pattern, hide)
  return told
}

const USER = /^(\s*(?:[a-z+]{1,20}:)?\/\/)[^/?#\\]*@/i

/** What stands before the secret stays, and the slashes of the secret. */
function hide(found: string, before: string): string {
  return before + found.slice(before.length).replace(/[^/]+/g, '{}')
}

/** Parameters by their names. */
const PARAMETERS =
  /([?&;#](?:[\w.-]{0,40}[_.-])?(?:(?:api|app|access|auth|client|private|secret|subscription|consumer|shared)?key|[a-z]{0,20}token|[a-z]{0,20}secret|password|passwd|passphrase|pwd|app_?id|auth|authorization|credentials?|session_?id|sid|jwt|sig|signature)=)(?!\{\}(?:[&;#]|$))[^&;#]+/gi

const PATHS: readonly RegExp[] = [
  // Webhooks and bots, whose paths are their keys.
  /(\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)[^?#]+/i,
  /(\/api\/(?:v\d+\/)?webhooks\/\d{10,}\/)[\w-]{40,}/i,
  /(\/(?:file\/)?bot)\d{5,}:[\w-]{30,}/,
  // Keys by their vendors' marks, and signed tokens.
  new RegExp(`(/)(?:${MARKED_SECRETS})(?=[/?#;]|$)`, 'g'),
]
