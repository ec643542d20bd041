import { getDomain } from 'tldts'

/** Returns the registrable domain of a host; the host itself if it has none. */
export function findRegistrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}
