import { isPublicAddress, parseAddress } from './addresses.ts'
import { createAllowList, type Place } from './allow-list.ts'
import { EgressError } from './egress.ts'

/** Decides where this service may connect to. */
export interface EgressPolicy {
  /**
   * Judges a URL by all that it says itself. Throws an `EgressError`: `refused_url` for a scheme
   * other than http and https, a user or password, a port or a name that is not allowed,
   * `refused_address` for a literal address.
   */
  vetUrl(url: URL): Place
  /**
   * Judges every address that a place stands for, and gives them in plain notation, in their order.
   * Throws an `EgressError`: `refused_address` when one of them is not allowed, `unresolved` when
   * there is none.
   */
  vetAddresses(addresses: readonly string[], place: Place): readonly string[]
}

export interface EgressPolicyOptions {
  /** See `createAllowList`. */
  readonly allow?: readonly string[] | undefined
  /** Whether this service listens there itself: never connected to, allowed or not. */
  readonly isOwn?: ((address: string, port: number) => boolean) | undefined
}

/**
 * Creates the policy: public addresses only, http and https on ports that web services use, names
 * with a dot that are of no private network. What `allow` adds is exempt from all of it but the
 * scheme, and from never being this service.
 */
export function createEgressPolicy(options: EgressPolicyOptions = {}): EgressPolicy {
  const { isOwn = () => false } = options
  const allowed = createAllowList(options.allow)

  function vetAddress(text: string, place: Place): string {
    const address = parseAddress(text)
    if (!address || (!isPublicAddress(address) && !allowed.hasAddress(address, place))) {
      throw refuseAddress(place)
    }
    const plain = address.toString()
    if (isOwn(plain, place.port)) throw refuseAddress(place)
    return plain
  }

  return {
    vetUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw refuse('this URL', 'it must be http or https')
      if (url.username !== '' || url.password !== '')
        throw refuse('this URL', 'it must hold no password')
      const host = url.hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
      const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
      const place: Place = { host, port }
      const address = parseAddress(host)
      if (address) {
        if (!isPublicAddress(address)) vetAddress(host, place)
        else if (!isWebPort(port) && !allowed.hasAddress(address, place)) throw refusePort(place)
        return place
      }
      if (allowed.hasName(place)) return place
      if (!isPublicName(host))
        throw refuse(toText(place), 'its name must be one of the public internet')
      // An allowed range may hold what this name stands for; `vetAddresses` decides.
      if (!isWebPort(port)) throw refusePort(place)
      return place
    },
    vetAddresses(addresses, place) {
      if (addresses.length === 0) throw unresolved(place)
      return addresses.map((address) => vetAddress(address, place))
    },
  }
}

/** Throws an `EgressError`, `refused_url`, for what is no absolute URL. */
export function parseTargetUrl(text: string): URL {
  const url = URL.parse(text)
  if (url) return url
  throw refuse('this URL', 'it must be absolute, http or https')
}

/** Why a policy refuses a URL; undefined when all that it says itself is allowed. */
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

/** The error for a name that nothing is known of, or that cannot be looked up (`cause`). */
export function unresolved({ host }: Place, cause?: unknown): EgressError {
  // EAI_AGAIN, EAI_FAIL and the like: nobody could say.
  const isUnknown = cause instanceof Error && 'code' in cause && cause.code !== 'ENOTFOUND'
  const reason = isUnknown ? 'its name cannot be looked up now' : 'there is no host of this name'
  return new EgressError('unresolved', `Cannot call ${host}: ${reason}`, { isUnsent: true, cause })
}

function refuse(what: string, reason: string): EgressError {
  return new EgressError('refused_url', `Cannot call ${what}: ${reason}`, { isUnsent: true })
}

function refusePort(place: Place): EgressError {
  return refuse(toText(place), `port ${place.port} is not one of web services`)
}

function refuseAddress(place: Place): EgressError {
  const detail = `Cannot call ${toText(place)}: it is no address that this service connects to`
  return new EgressError('refused_address', detail, { isUnsent: true })
}

/** As a URL has it; the caller gave the URL, and finds in it what is refused. */
function toText({ host, port }: Place): string {
  const shown = host.length > 253 ? `${host.slice(0, 253)}…` : host
  return shown.includes(':') ? `[${shown}]:${port}` : `${shown}:${port}`
}

/** RFC 6761, 6762, 7686 and 8375, and what private networks use. */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|onion|alt|home\.arpa)$/
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/

function isPublicName(host: string): boolean {
  return host.length <= 253 && NAME.test(host) && !PRIVATE_NAME.test(host)
}

/** Below 1024 the two of HTTP; above, all that no other common service listens on. */
function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && !OTHER_SERVICES.has(port))
}

const OTHER_SERVICES: ReadonlySet<number> = new Set([
  // The blocked ports of the Fetch standard.
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
  // Databases, caches, queues, and the controls of clusters.
  1433, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5671, 5672, 5900, 5984, 6379, 7000,
  7001, 8086, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 11211, 27017, 27018, 27019,
])
