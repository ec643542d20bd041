import { EgressError } from '../ports/egress.ts'
import { isPublicAddress, parseAddress } from './addresses.ts'
import { createAllowList, type Destination } from './allow-list.ts'

/** Decides which destinations this service may connect to. */
export interface EgressPolicy {
  /**
   * Checks a URL without resolving its name. Throws an `EgressError`: `refused_url` for a scheme
   * other than http and https, a user name or password, or a port or name that is not allowed;
   * `refused_address` for a literal address.
   */
  vetUrl(url: URL): Destination
  /**
   * Checks all addresses that a name resolves to. Returns them in plain notation, in the same
   * order. Throws an `EgressError`: `refused_address` if one of them is not allowed, `unresolved`
   * if there are none.
   */
  vetAddresses(addresses: readonly string[], place: Destination): readonly string[]
}

export interface EgressPolicyOptions {
  /** See `createAllowList`. */
  readonly allow?: readonly string[] | undefined
  /** True for addresses that this service itself listens on: they are refused even if allowed. */
  readonly isOwn?: ((address: string, port: number) => boolean) | undefined
}

/**
 * Creates the policy. Allowed are public addresses, http and https, ports common for web services,
 * and names with a dot outside private networks. Entries of `allow` are exempt, except from the
 * schemes and the ban on calling this service itself.
 */
export function createEgressPolicy(options: EgressPolicyOptions = {}): EgressPolicy {
  const { isOwn = () => false } = options
  const allowed = createAllowList(options.allow)

  function vetAddress(text: string, place: Destination): string {
    const address = parseAddress(text)
    if (!address || (!isPublicAddress(address) && !allowed.hasAddress(address, place))) {
      throw createRefusedAddressError(place)
    }
    const plain = address.toString()
    if (isOwn(plain, place.port)) throw createRefusedAddressError(place, { isOwn: true })
    return plain
  }

  return {
    vetUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw createRefusedUrlError('this URL', 'it must be http or https')
      if (url.username !== '' || url.password !== '')
        throw createRefusedUrlError('this URL', 'it must not contain a user name or password')
      const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
      const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
      const place: Destination = { host, port }
      const address = parseAddress(host)
      if (address) {
        if (!isPublicAddress(address)) vetAddress(host, place)
        else if (!isWebPort(port) && !allowed.hasAddress(address, place))
          throw createRefusedPortError(place)
        return place
      }
      if (allowed.hasName(place)) return place
      if (!isPublicName(host))
        throw createRefusedUrlError(
          formatDestination(place),
          `it must be a public host name${adviseAllowing(place)}`,
        )
      // The name may resolve to an allowed range: `vetAddresses` decides.
      if (!isWebPort(port)) throw createRefusedPortError(place)
      return place
    },
    vetAddresses(addresses, place) {
      if (addresses.length === 0) throw createUnresolvedError(place)
      return addresses.map((address) => vetAddress(address, place))
    },
  }
}

/** Throws an `EgressError` with `refused_url` unless the text is an absolute URL. */
export function parseTargetUrl(text: string): URL {
  const url = URL.parse(text)
  if (url) return url
  throw createRefusedUrlError('this URL', 'it must be an absolute http or https URL')
}

/** Returns why a policy refuses a URL; undefined if the URL itself is allowed. */
export function findRefusal(
  policy: Pick<EgressPolicy, 'vetUrl'>,
  text: string,
): EgressError | undefined {
  try {
    policy.vetUrl(parseTargetUrl(text))
    return undefined
  } catch (error) {
    if (error instanceof EgressError) return error
    throw error
  }
}

/** Creates the error for a name without addresses, or a failed lookup (`cause`). */
export function createUnresolvedError({ host }: Destination, cause?: unknown): EgressError {
  // EAI_AGAIN, EAI_FAIL and the like: it is unknown whether the name exists.
  const isUnknown = cause instanceof Error && 'code' in cause && cause.code !== 'ENOTFOUND'
  const reason = isUnknown ? 'its host name cannot be resolved at the moment' : 'host not found'
  return new EgressError('unresolved', `Cannot call ${host}: ${reason}`, { isUnsent: true, cause })
}

function createRefusedUrlError(subject: string, reason: string): EgressError {
  return new EgressError('refused_url', `Cannot call ${subject}: ${reason}`, { isUnsent: true })
}

function createRefusedPortError(place: Destination): EgressError {
  const reason = `port ${place.port} is not allowed${adviseAllowing(place)}`
  return createRefusedUrlError(formatDestination(place), reason)
}

/** The service's own address cannot be allowed. */
function createRefusedAddressError(
  place: Destination,
  { isOwn = false }: { readonly isOwn?: boolean } = {},
): EgressError {
  const advice = isOwn ? '' : adviseAllowing(place)
  const detail = `Cannot call ${formatDestination(place)}: its address is not allowed${advice}`
  return new EgressError('refused_address', detail, { isUnsent: true })
}

/** Names the operator's option. It repeats the caller's URL, never a resolved address. */
function adviseAllowing(place: Destination): string {
  return `; an operator can allow it with --egress-allow ${formatDestination(place)}`
}

/** Formats a location as in a URL. The caller sent the URL, so this discloses nothing. */
function formatDestination({ host, port }: Destination): string {
  const shown = host.length > 253 ? `${host.slice(0, 253)}…` : host
  return shown.includes(':') ? `[${shown}]:${port}` : `${shown}:${port}`
}

/** RFC 6761, 6762, 7686 and 8375, and names common in private networks. */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|onion|alt|home\.arpa)$/
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/

function isPublicName(host: string): boolean {
  return host.length <= 253 && NAME.test(host) && !PRIVATE_NAME.test(host)
}

/**
 * Checks for a port of web servers: 80 and 443, or any port from 1024 without a well-known other
 * service.
 */
function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !OTHER_SERVICES.has(port))
}

const OTHER_SERVICES: ReadonlySet<number> = new Set([
  // Blocked ports of the Fetch standard.
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
  // Databases, caches, queues, and cluster management.
  1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5671, 5672, 5900, 5984, 6379, 7000,
  7001, 8086, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 11211, 27017, 27018, 27019,
])
