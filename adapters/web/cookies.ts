/** Cookies of the console. `__Host-`: of this host alone, over https or to this machine. */
export const SESSION_COOKIE = '__Host-api-discovery-session'
/** Ties forms to the browser before anybody is logged in. */
export const FORM_COOKIE = '__Host-api-discovery-form'

/** A cookie to set. */
export interface Cookie {
  readonly name: typeof SESSION_COOKIE | typeof FORM_COOKIE
  readonly value: string
  /** Seconds; as long as the browser runs when absent, 0 removes it. */
  readonly maxAge?: number
}

/**
 * Whether browsers keep cookies of a page from there, `https://apis.example`: over HTTPS, or from
 * their own machine. True where it is not known.
 */
export function areCookiesKept(origin: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return true
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The value of a cookie of the console at a public path; undefined when there is none. */
export function findCookie(
  header: string | undefined,
  { name, path }: { readonly name: Cookie['name']; readonly path: string },
): string | undefined {
  const wanted = toName(name, path)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === wanted)
      return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** A `Set-Cookie` line that no script reads and no other site sends along. */
export function writeCookie({ name, value, maxAge }: Cookie, path: string): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`
  return `${toName(name, path)}=${value}; Path=${path || '/'}; Secure; HttpOnly; SameSite=Strict${age}`
}

/**
 * `__Host-` requires the path `/`, which would send sessions to every application of a shared host
 * and let two services there overwrite each other's. Below a path the cookie is limited to it.
 */
function toName(name: Cookie['name'], path: string): string {
  return path === '' ? name : name.replace('__Host-', '__Secure-')
}
