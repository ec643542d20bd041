import { getDomain } from 'tldts'

/** Host of a URL, with or without a scheme: lower case, without port; empty for a path. */
export function parseUrlHost(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/?#]*@/, '')
  const authority = /^(\[[^\]/]*\]|[^/?#:]*)/.exec(rest)?.[1] ?? ''
  return authority.toLowerCase().replace(/\.$/, '')
}

/** Registrable domain of a host; the host itself if it has none. */
export function findRegistrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
