import { toCandidateNames } from '../matching/candidates.ts'
import type { Match, MatchQuery } from '../matching/match.ts'
import { redactUrlSecrets } from '../shared/url-secrets.ts'
import { createHostVendors } from '../vendors/host-vendors.ts'
import type { Flow } from './flow.ts'

/** A flow with its catalogue match. Secrets in its URL are redacted. */
export interface MatchedFlow extends Flow {
  /** Undefined if the host is not catalogued, or only its vendor is known. */
  readonly apiId: number | undefined
  readonly apiName: string | undefined
  /** Short ID; undefined if method and path are not visible or not catalogued. */
  readonly endpointId: string | undefined
  readonly vendorName: string | undefined
  /**
   * Names of the vendor's APIs that the flow may belong to; omitted if the API is known or there
   * are none.
   */
  readonly candidates?: readonly string[] | undefined
}

/** Catalogue functions for matching flows. */
export interface NetworkCatalogue {
  /** See `Matcher.match`. */
  match(query: MatchQuery): Match | undefined
  /** Vendor of a host; takes precedence over the built-in vendors, see `createHostVendors`. */
  findVendor?(host: string): string | undefined
}

/**
 * Matches flows to the catalogue, one at a time.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import { readCapture, scanNetwork } from 'api-discovery/scans'
 *
 * const flows = readCapture(createReadStream('office.pcap'))
 * for await (const { host, apiName } of scanNetwork({ flows, catalogue })) {
 *   console.log(host, apiName)
 * }
 * ```
 */
export async function* scanNetwork(options: {
  readonly flows: AsyncIterable<Flow> | Iterable<Flow>
  readonly catalogue: NetworkCatalogue
}): AsyncIterable<MatchedFlow> {
  for await (const flow of options.flows) yield matchFlow(flow, options.catalogue)
}

/** Matches a flow by its visible properties. */
function matchFlow(flow: Flow, catalogue: NetworkCatalogue): MatchedFlow {
  const found = catalogue.match(toMatchQuery(flow))
  const candidates = toCandidateNames(found)
  return {
    ...flow,
    url: flow.url === undefined ? undefined : redactUrlSecrets(flow.url),
    apiId: found?.apiId,
    apiName: found?.apiName,
    endpointId: found?.shortId,
    vendorName: found?.vendorName ?? findVendor(flow, catalogue),
    ...(candidates && { candidates }),
  }
}

const KNOWN_HOSTS = createHostVendors()

/**
 * Returns the vendor of the called host. Undefined for incoming flows, whose host is the client or
 * an own host.
 */
function findVendor({ direction, host }: Flow, catalogue: NetworkCatalogue): string | undefined {
  if (direction === 'Incoming' || host === undefined) return undefined
  return catalogue.findVendor?.(host) ?? KNOWN_HOSTS.findVendor(host)
}

function toMatchQuery({ method, url, host, ip, port, protocol, direction }: Flow): MatchQuery {
  if (url !== undefined) return { method, url }
  // Incoming flows name the client or an own host.
  if (direction === 'Incoming') return { method, host: '' }
  // The port of a DNS lookup is the port of the resolver.
  return { method, host: host ?? ip, port: protocol === 'dns' ? undefined : port }
}
