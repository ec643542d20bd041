/**
 * The words of `auth_types` (Specification 2.2). `none` means that the description declares that no
 * authentication is needed, `undeclared` that it declares nothing.
 */
export const AUTH_TYPES = [
  'BasicAuth',
  'body',
  'header',
  'none',
  'OAuth1',
  'OAuth2',
  'path',
  'query',
  'undeclared',
] as const

export type AuthType = (typeof AUTH_TYPES)[number]

/** True for the words that name a way to authenticate: all but `none` and `undeclared`. */
export function isAuthentication(type: AuthType): boolean {
  return type !== 'none' && type !== 'undeclared'
}
