/** Cookies of the console. `__Host-`: of this host alone, over https or to this machine. */
export const SESSION_COOKIE = '__Host-api-discovery-session'
/** Ties forms to the browser before anybody is logged in. */
export const FORM_COOKIE = '__Host-api-discovery-form'

/**
 * Whether browsers keep cookies of a page from there, `https://apis.example`: over HTTPS, or from
 * their own machine. True where it is not known.
 */
export function areCookiesKept(origin: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(origin)) return true
  const { protocol, hostname } = new URL(origin)
  return protocol === 'https:' || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The value of a cookie; undefined when there is none. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals !== -1 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * A `Set-Cookie` line that no script reads and no other site sends along. Without `maxAgeSeconds`
 * it lasts as long as the browser; with 0 it is removed.
 */
export function writeCookie(name: string, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict${age}`
}
