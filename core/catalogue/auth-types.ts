/**
 * The values of `auth_types` (Specification 2.2). `none`: the description declares that no
 * authentication is required. `undeclared`: it declares nothing about authentication.
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

/** True for types of authentication: all but `none` and `undeclared`. */
export function isAuthentication(type: AuthType): boolean {
  return type !== 'none' && type !== 'undeclared'
}
