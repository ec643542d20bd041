import type { Endpoint } from '../catalogue/records.ts'

/** A catalogued endpoint for the matcher; compatible with the catalogue's `MatchTarget`. */
export interface MatchableEndpoint
  extends Pick<Endpoint, 'id' | 'shortId' | 'apiId' | 'method' | 'path' | 'servers'> {
  readonly apiName: string
  readonly vendorName: string
}

/**
 * A URL from code, with optional placeholders such as `${id}`, `{id}`, `:id`, `<id>` and `%s`, or
 * URL parts from traffic.
 */
export type MatchQuery = UrlQuery | PartsQuery

export interface UrlQuery {
  /** Any case; undefined or empty if unknown. */
  readonly method?: string | undefined
  /** Absolute or without a scheme: `api.example.com/v1`. May include query and fragment. */
  readonly url: string
}

export interface PartsQuery {
  /** Any case; undefined or empty if unknown. */
  readonly method?: string | undefined
  /** Name or address, optionally with a port: the `Host` header or TLS server name. */
  readonly host: string
  /** Overrides a port in `host`. Without a scheme, 80 and 443 are default ports. */
  readonly port?: number | undefined
  /** Path with optional query; undefined if only the host is known. */
  readonly path?: string | undefined
  /** `http`, `https`, `ws` or `wss`. */
  readonly scheme?: string | undefined
}

/** Precision of a match: the endpoint, only the API, or only the vendor. */
export type MatchLevel = 'endpoint' | 'api' | 'vendor'

/** A catalogue entry that may match the query. */
export interface MatchCandidate {
  readonly level: MatchLevel
  /** Undefined unless the level is `endpoint`. */
  readonly endpointId: number | undefined
  /** Undefined unless the level is `endpoint`. */
  readonly shortId: string | undefined
  /** The endpoint's method in lower case; undefined unless the level is `endpoint`. */
  readonly method: string | undefined
  /** Undefined if the level is `vendor`. */
  readonly apiId: number | undefined
  /** Undefined if the level is `vendor`. */
  readonly apiName: string | undefined
  readonly vendorName: string
  /**
   * 0 to 1, two decimals. 1 if host, path and method match literally. Lower for each uncertainty
   * (host pattern, path of parameters only, unknown method) and for equal matches. Below 0.75 for
   * APIs.
   */
  readonly confidence: number
}

/** The best candidate, with a reason and alternatives. */
export interface Match extends MatchCandidate {
  /**
   * Catalogued path of the endpoint, with the server's base path and required query; `{}` for
   * parameters: `/v1/users/{}`. Undefined unless the level is `endpoint`.
   */
  readonly path?: string | undefined
  /** One sentence for display. */
  readonly reason: string
  /** At most 5, best first. */
  readonly alternatives: readonly MatchCandidate[]
}
