import type { Endpoint } from '../catalogue/records.ts'

/** What the matcher needs of a catalogued endpoint; the catalogue's `MatchTarget` is one. */
export interface MatchableEndpoint
  extends Pick<Endpoint, 'id' | 'shortId' | 'apiId' | 'method' | 'path' | 'servers'> {
  readonly apiName: string
  readonly vendorName: string
}

/**
 * What was seen: a URL as it stands in code (placeholders such as `${id}`, `{id}`, `:id`, `<id>` and
 * `%s` allowed) or the parts that traffic shows.
 */
export type MatchQuery = UrlQuery | PartsQuery

export interface UrlQuery {
  /** Any case; undefined or empty when unknown. */
  readonly method?: string | undefined
  /** Absolute, or without its scheme: `api.example.com/v1`. Query and fragment may follow. */
  readonly url: string
}

export interface PartsQuery {
  /** Any case; undefined or empty when unknown. */
  readonly method?: string | undefined
  /** Name or address, with or without a port: the `Host` header, the TLS server name. */
  readonly host: string
  /** Wins over a port in `host`. Without a scheme 80 and 443 are default ports. */
  readonly port?: number | undefined
  /** Path with or without query; undefined when only the host was seen. */
  readonly path?: string | undefined
  /** `http`, `https`, `ws` or `wss`. */
  readonly scheme?: string | undefined
}

/** How much is known: which endpoint, only which API, or only whose API. */
export type MatchLevel = 'endpoint' | 'api' | 'vendor'

/** One catalogued thing that the query may mean. */
export interface MatchCandidate {
  readonly level: MatchLevel
  /** Undefined unless the level is `endpoint`. */
  readonly endpointId: number | undefined
  /** Undefined unless the level is `endpoint`. */
  readonly shortId: string | undefined
  /** The endpoint's method in lower case; undefined unless the level is `endpoint`. */
  readonly method: string | undefined
  /** Undefined when the level is `vendor`. */
  readonly apiId: number | undefined
  /** Undefined when the level is `vendor`. */
  readonly apiName: string | undefined
  readonly vendorName: string
  /**
   * 0 to 1, two decimals: 1 for host, path and method as catalogued; less for each thing that was
   * open (host pattern, path of parameters only, unknown method) and for rivals; below 0.75 for APIs.
   */
  readonly confidence: number
}

/** The best candidate, why it is one, and what else it could be. */
export interface Match extends MatchCandidate {
  /**
   * Path and asked-for query of the endpoint as catalogued, the server's part included, `{}` for
   * parameters: `/v1/users/{}`. Undefined unless the level is `endpoint`.
   */
  readonly path?: string | undefined
  /** One sentence for people. */
  readonly reason: string
  /** At most 5, best first. */
  readonly alternatives: readonly MatchCandidate[]
}
