/**
 * Cookies of the console. `__Host-` restricts them to this host, over HTTPS or on the local
 * machine.
 */
export const SESSION_COOKIE = '__Host-api-discovery-session'
/** Ties forms to the browser before login. */
export const FORM_COOKIE = '__Host-api-discovery-form'

/** A cookie to set. */
export interface Cookie {
  readonly name: typeof SESSION_COOKIE | typeof FORM_COOKIE
  readonly value: string
  /** In seconds; 0 removes the cookie. Default: until the browser closes. */
  readonly maxAge?: number
}

/**
 * Returns whether browsers store secure cookies of an origin such as `https://apis.example`: over
 * HTTPS, or from the local machine. True if the origin is unknown.
 */
export function areCookiesStored(origin: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return true
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/**
 * Returns the value of one of the console's cookies at a public path; undefined if it is not set.
 */
export function findCookie(
  header: string | undefined,
  { name, path }: { readonly name: Cookie['name']; readonly path: string },
): string | undefined {
  const wanted = toCookieName(name, path)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === wanted)
      return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** Builds a `Set-Cookie` header whose cookie is hidden from scripts and not sent by other sites. */
export function writeCookie({ name, value, maxAge }: Cookie, path: string): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return `${toCookieName(name, path)}=${value}; Path=${path || '/'}; Secure; HttpOnly; SameSite=Strict${age}`
}

/**
 * `__Host-` requires the path `/`. That would send sessions to every application on a shared host,
 * and let two services on it overwrite each other's cookies. Below a path, the cookie is restricted
 * to that path.
 */
function toCookieName(name: Cookie['name'], path: string): string {
  return path === '' ? name : name.replace('__Host-', '__Secure-')
}
