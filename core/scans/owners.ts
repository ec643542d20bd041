import { parse } from 'tldts'
import { parseUrlHost } from '../shared/urls.ts'
import {
  APIS_OWNER_PREFIX,
  findRowVendor,
  type NewEndpoint,
  type NewFlow,
  type UnmatchedRow,
} from './stored-rows.ts'

/** Owner of the host or library of a usage that no single catalogued API matches. */
export type UsageOwner =
  /** Vendor with several catalogued APIs that the usage may belong to. */
  | { readonly kind: 'apis'; readonly name: string }
  | { readonly kind: 'vendor'; readonly name: string }
  /** Registrable domain, or a host without one. */
  | { readonly kind: 'domain'; readonly name: string }
  /** An IP address without a name. */
  | { readonly kind: 'address' }
  /** The host is a placeholder, or the scan was stored without owners. */
  | { readonly kind: 'unknown' }

/** Finds the known vendor of a host. */
export type FindVendor = (host: string) => string | undefined

/** Converts to the stored form: a digit that orders groups, then the name. */
export function toOwnerKey(owner: UsageOwner): string {
  if (owner.kind === 'apis') return `${APIS_OWNER_PREFIX}${owner.name.slice(0, MAX_OWNER_NAME)}`
  if (owner.kind === 'vendor') return `1${owner.name}`
  if (owner.kind === 'domain') return `2${owner.name}`
  return owner.kind === 'address' ? '3' : '4'
}

/**
 * Reverses `toOwnerKey`. Empty or unknown keys yield `unknown`.
 *
 * @example
 * ```ts
 * import { fromOwnerKey } from 'api-discovery/scans'
 *
 * fromOwnerKey('2skycast.example') // { kind: 'domain', name: 'skycast.example' }
 * fromOwnerKey('') // { kind: 'unknown' }
 * ```
 */
export function fromOwnerKey(key: string): UsageOwner {
  if (key.startsWith(APIS_OWNER_PREFIX))
    return { kind: 'apis', name: key.slice(APIS_OWNER_PREFIX.length) }
  const name = key.slice(1)
  if (key.startsWith('1') && name !== '') return { kind: 'vendor', name }
  if (key.startsWith('2') && name !== '') return { kind: 'domain', name }
  return { kind: key === '3' ? 'address' : 'unknown' }
}

/** Finds the owner of a row: the vendor of its host, else the scanner's vendor, else its domain. */
export function findOwner(
  row: Pick<UnmatchedRow, 'subject' | 'detail'>,
  findVendor: FindVendor,
): UsageOwner {
  // The cast is safe: `toEndpointRow` or `toFlowRow` wrote it.
  const detail = JSON.parse(row.detail) as Partial<NewEndpoint> & Partial<NewFlow>
  const host = detail.host || parseSubjectHost(row.subject)
  const known = { ...detail, url: row.subject, isMatched: false }
  const name = findRowVendor(known, { findVendor: findVendor })?.trim()
  if (name) return { kind: 'vendor', name: name.slice(0, MAX_OWNER_NAME) }
  return toDomainOwner(host)
}

const MAX_OWNER_NAME = 300

/** Returns the host of a subject: an IPv6 address without brackets, else see `parseUrlHost`. */
export function parseSubjectHost(subject: string): string {
  return /^[\da-f]*:[\da-f:.]*$/i.test(subject) ? subject : parseUrlHost(subject)
}

/** `{}` is an unresolved part: the domain of `{}.example.com` is `example.com`. */
function toDomainOwner(host: string): UsageOwner {
  if (host === '' || /\{\}$/.test(host)) return { kind: 'unknown' }
  const { domain, isIp } = parse(host.replaceAll('{}', 'x'), { allowPrivateDomains: true })
  if (isIp) return { kind: 'address' }
  if (domain === null) return { kind: 'domain', name: host.slice(0, MAX_OWNER_NAME) }
  const labels = host.split('.').slice(-domain.split('.').length)
  return { kind: 'domain', name: labels.join('.').slice(0, MAX_OWNER_NAME) }
}
