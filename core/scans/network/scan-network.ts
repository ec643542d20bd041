import { toCandidateNames } from '../../matching/candidates.ts'
import type { Match, MatchQuery } from '../../matching/match.ts'
import { createHostVendors } from '../../vendors/vendor-of-host.ts'
import { withoutSecrets } from '../url-secrets.ts'
import type { Flow } from './flow.ts'

/** A flow, and what it is in the catalogue; its URL without what is secret in its path. */
export interface MatchedFlow extends Flow {
  /** Undefined where the catalogue knows no such host, or only whose it is. */
  readonly apiId: number | undefined
  readonly apiName: string | undefined
  /** Short id; undefined where method and path are not visible, or not catalogued. */
  readonly endpointId: string | undefined
  readonly vendorName: string | undefined
  /** APIs of the vendor, one of which it is; absent where the API is known, or the catalogue has none. */
  readonly candidates?: readonly string[] | undefined
}

/** What is asked of the catalogue for each flow. */
export interface NetworkCatalogue {
  /** `Matcher.match`. */
  match(query: MatchQuery): Match | undefined
  /** The vendor that a host belongs to, before the built-in knowledge; see `createHostVendors`. */
  findVendor?(host: string): string | undefined
}

/** Matches flows to the catalogue, one by one as they come. */
export async function* scanNetwork(given: {
  readonly flows: AsyncIterable<Flow> | Iterable<Flow>
  readonly catalogue: NetworkCatalogue
}): AsyncIterable<MatchedFlow> {
  for await (const flow of given.flows) yield matchFlow(flow, given.catalogue)
}

/** What the flow is in the catalogue, by as much as is visible of it. */
function matchFlow(flow: Flow, catalogue: NetworkCatalogue): MatchedFlow {
  const found = catalogue.match(toQuery(flow))
  const candidates = toCandidateNames(found)
  return {
    ...flow,
    url: flow.url === undefined ? undefined : withoutSecrets(flow.url),
    apiId: found?.apiId,
    apiName: found?.apiName,
    endpointId: found?.shortId,
    vendorName: found?.vendorName ?? findVendor(flow, catalogue),
    ...(candidates && { candidates }),
  }
}

const KNOWN_HOSTS = createHostVendors()

/** The vendor of the host that is called. The host of an incoming request is the client's or one's own. */
function findVendor({ direction, host }: Flow, catalogue: NetworkCatalogue): string | undefined {
  if (direction === 'Incoming' || host === undefined) return undefined
  return catalogue.findVendor?.(host) ?? KNOWN_HOSTS.findVendor(host)
}

function toQuery({ method, url, host, ip, port, protocol, direction }: Flow): MatchQuery {
  if (url !== undefined) return { method, url }
  // The name is that of the client, or one's own.
  if (direction === 'Incoming') return { method, host: '' }
  // The port of a look-up is the resolver's.
  return { method, host: host ?? ip, port: protocol === 'dns' ? undefined : port }
}
