import type { RawFinding } from '../model/finding.ts'
import { findFileRole } from '../noise/path-roles.ts'
import { hostOf } from '../noise/url-hosts.ts'

/**
 * Returns a function that puts the host of a region into a vendor's default base, if production code
 * names no other host of that service: `eu.i.acme.io` instead of `us.i.acme.io`.
 */
export function createHostChooser(named: readonly RawFinding[]): (url: string) => string {
  const services = new Map<string, Set<string>>()
  for (const { url, file } of named) {
    const host = findFileRole(file) === 'production' ? (hostOf(url) ?? '') : ''
    if (host === '' || host.includes('{')) continue
    const service = toService(host)
    services.set(service, (services.get(service) ?? new Set()).add(host))
  }
  return (url) => {
    const host = hostOf(url) ?? ''
    const [only = host, ...others] = services.get(toService(host)) ?? []
    return others.length > 0 || toService(only) === only ? url : url.replace(host, only)
  }
}

/** The host without regions, which a registrable domain has none of. */
function toService(host: string): string {
  return host
    .split('.')
    .filter((label, at, all) => at >= all.length - 2 || !REGION.test(label))
    .join('.')
}

const REGION =
  /^(?:\{\}|(?:us|eu|ap|au|uk|ca|in|jp|sg|de|fr|emea|apac)\d?|[a-z]{2}-(?:[a-z]+-){1,2}\d)$/
