/**
 * A URL of code as it may be told further: no user and password, and `{}` for what is secret in its
 * path or query by its name or shape.
 */
export function withoutSecrets(url: string): string {
  let told = url.replace(USER, '$1')
  for (const pattern of SECRETS) told = told.replace(pattern, '$1{}')
  return told
}

const USER = /^(\s*(?:[a-z+]{1,20}:)?\/\/)[^/?#\\]*@/i

const SECRETS: readonly RegExp[] = [
  // Parameters by their names.
  /([?&;](?:[\w.-]{0,40}[_.-])?(?:(?:api|app|access|auth|client|private|secret|subscription|consumer|shared)?key|[a-z]{0,20}token|[a-z]{0,20}secret|password|passwd|passphrase|pwd|app_?id|auth|authorization|credentials?|session_?id|sid|jwt|sig|signature)=)(?!\{\}(?:[&;#]|$))[^&;#]+/gi,
  // Webhooks and bots, whose paths are their keys.
  /(\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)(?!\{\}$)[^?#]+/i,
  /(\/api\/(?:v\d+\/)?webhooks\/\d{10,}\/)[\w-]{40,}/i,
  /(\/(?:file\/)?bot)\d{5,}:[\w-]{30,}/,
]
