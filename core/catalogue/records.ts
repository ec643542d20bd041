import type { ApiKind } from './api-kinds.ts'
import type { AuthType } from './auth-types.ts'

/** A provider of APIs (Specification 2.13). */
export interface Vendor {
  /** Numeric ID, assigned in ascending order by the storage, never reused. */
  readonly id: number
  /** Opaque ID on the wire. */
  readonly encryptedId: string
  readonly name: string
  /** Absolute URL, or empty. */
  readonly homepage: string
  readonly description: string
  readonly isPublic: boolean
  /** URL of a logo (`info.x-logo.url`), or empty. */
  readonly image: string
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: readonly string[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

/** A vendor that is not stored yet and has no ID. */
export type NewVendor = Omit<Vendor, 'id'>

/** A licence: `{ name, url }` of the specification's licence lists. */
export interface License {
  readonly name: string
  /** Absolute URL, or empty. */
  readonly url: string
}

/** The imported data of an API: everything but IDs, flags and timestamps. */
export interface ApiDescription {
  /** Part of the identity. The gateway calls only `http`. */
  readonly kind: ApiKind
  readonly name: string
  /** `info.version` as text. */
  readonly version: string
  /**
   * Leading number of a semver-like version, as text; empty if there is none. Part of the identity.
   */
  readonly majorVersion: string
  readonly description: string
  /**
   * Absolute URL, or empty: external docs, else contact. On the wire, the vendor's is the fallback.
   */
  readonly homepage: string
  /** Distinct, in the order of `AUTH_TYPES`. */
  readonly authTypes: readonly AuthType[]
  readonly licenses: readonly License[]
  /** Server URL templates: absolute ones with their variables, relative ones unchanged. */
  readonly servers: readonly Server[]
  /** Tag names in order of appearance. */
  readonly tags: readonly string[]
  readonly contact: { readonly name: string; readonly url: string; readonly email: string }
  /** URL of a logo (`info.x-logo.url`), or empty. */
  readonly image: string
}

/** A declared server (OpenAPI `servers[]`, Swagger `schemes`/`host`/`basePath`). */
export interface Server {
  /** URL template: `https://{region}.example.com/v1`. */
  readonly url: string
  /** OpenAPI 3.2 `servers[].name`, or empty. */
  readonly name: string
  readonly variables: readonly ServerVariable[]
}

export interface ServerVariable {
  readonly name: string
  readonly default: string
  /** Allowed values; empty if every value is allowed. */
  readonly values: readonly string[]
}

/** A catalogued API (Specification 2.2). */
export interface Api extends ApiDescription {
  readonly id: number
  readonly encryptedId: string
  readonly vendor: Vendor
  /** Position in the specification's list of categories, from 1; undefined without a category. */
  readonly categoryId: number | undefined
  readonly isPublic: boolean
  /** True if the gateway can call it: an HTTP API with endpoints and an absolute server. */
  readonly isImplemented: boolean
  readonly isClaiming: boolean
  readonly canClaim: boolean
  readonly isAgreementsRestricted: boolean
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: readonly string[]
  /** True if imported from a description; false if only the name is known. */
  readonly isDescribed: boolean
  /** Hex SHA-256 of the source the API was imported from, or empty. */
  readonly sourceDigest: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The part of a request that carries a parameter. */
export type ParameterPlacement =
  | 'path'
  | 'query'
  | 'header'
  | 'cookie'
  | 'formData'
  | 'body'
  | 'querystring'

/** One parameter of a target (Specification 2.3), with its serialisation rules. */
export interface Parameter {
  readonly name: string
  readonly placement: ParameterPlacement
  readonly isRequired: boolean
  /** JSON Schema type: string, integer, number, boolean, array, object, file; empty for any. */
  readonly type: string
  /** `format` of the schema, or empty. */
  readonly format: string
  readonly description: string
  /** As on the wire: JSON text for structured values; undefined without a default. */
  readonly defaultValue: string | undefined
  readonly exampleValue: string | undefined
  /** Allowed values as text; empty if every value is allowed. */
  readonly enum: readonly string[]
  /** OpenAPI 3 `style`, or undefined for the placement's default. */
  readonly style: string | undefined
  readonly explode: boolean | undefined
  /** Swagger 2.0 `collectionFormat`, or undefined. */
  readonly collectionFormat: string | undefined
  readonly allowReserved: boolean
  readonly isDeprecated: boolean
  /** Media type of a `content` parameter or of an `encoding` of a form field; else undefined. */
  readonly contentType: string | undefined
  /** Further allowed types, if alternatives declare several; absent if `type` is the only one. */
  readonly otherTypes?: readonly string[]
  /** Only for arrays whose items are described. */
  readonly items?: ParameterItems
  /** Absent without bounds. */
  readonly range?: ValueRange
}

/** The item type of an array. */
export interface ParameterItems {
  /** Same values as `Parameter.type`. */
  readonly type: string
  readonly enum: readonly string[]
}

/** Bounds of a value, named as in JSON Schema. `pattern` is left to the target to check. */
export interface ValueRange {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  /** In characters. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** The request body that an endpoint accepts. */
export interface RequestBody {
  /** In the order of the description. */
  readonly mediaTypes: readonly string[]
  readonly isRequired: boolean
  /**
   * True if the top-level properties of a JSON object are the parameters; else `body` is the only
   * one.
   */
  readonly isFlattened: boolean
  /** True if undeclared property names are allowed. */
  readonly allowsAdditional: boolean
}

/** The documented response that an example is taken or sampled from. */
export interface ResponseShape {
  /** HTTP status of the response: `200`, `2XX`, `default`; empty if none is described. */
  readonly status: string
  readonly mediaType: string
  /** The documented example, JSON text if structured; undefined without one. */
  readonly example: string | undefined
  /** JSON text of the response schema, local `$ref`s unresolved; undefined without one. */
  readonly schema: string | undefined
}

/** One authentication alternative: all its schemes are required (OpenAPI security requirement). */
export type SecurityRequirement = readonly SecuritySchemeReference[]

export interface SecuritySchemeReference {
  /** Name of the scheme in the description. */
  readonly scheme: string
  readonly authType: AuthType
  /** Parameter name of an apiKey scheme, `Authorization` for HTTP and OAuth schemes. */
  readonly name: string
  /** `basic`, `bearer`, `digest`, …; empty for others. */
  readonly httpScheme: string
  /** The part of the request that carries the credential; absent for mutual TLS. */
  readonly placement?: ParameterPlacement
  readonly scopes: readonly string[]
}

/** The imported data of one operation of a target. */
export interface EndpointDescription {
  /** Lower case. */
  readonly method: string
  /**
   * Path template below the server: `/users/{id}`. For MCP and A2A, empty or the fragment of a tool
   * or skill: `#get-forecast`.
   */
  readonly path: string
  /** Method and path with parameter names erased: `get /users/{}`. The identity within the API. */
  readonly key: string
  /**
   * First server with defaults inserted, plus the path template; relative without an absolute
   * server.
   */
  readonly url: string
  /** Operation-level, path-level or document-level servers, whichever is nearest. */
  readonly servers: readonly Server[]
  /** The summary, else the first line of the description, at most 200 characters. */
  readonly summary: string
  /** The summary if there is no longer text. */
  readonly description: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly response: ResponseShape | undefined
  /** Names of response fields, distinct, for search; at most 200. */
  readonly responseFields: readonly string[]
  /** Alternatives; empty if no authentication is required. */
  readonly security: readonly SecurityRequirement[]
  /** Distinct, in the order of `AUTH_TYPES`; `none` if no authentication is required. */
  readonly authTypes: readonly AuthType[]
  readonly isDeprecated: boolean
  /** True for webhooks and callbacks, which the vendor calls. */
  readonly isInbound: boolean
  /** Response statuses the description declares, as written. */
  readonly declaredStatuses: readonly string[]
  /** Declared rate limits; absent if the description declares none. */
  readonly rateLimits?: DeclaredRateLimits | undefined
}

/** Rate limits that a description declares for an endpoint. */
export interface DeclaredRateLimits {
  /** Names of rate-limit response headers: lower case, distinct, at most 16. */
  readonly headers: readonly string[]
  /** At most 8, those declared closest to the operation first. */
  readonly limits: readonly DeclaredRateLimit[]
}

/** A declared limit: a number of calls, usually within a time window. */
export interface DeclaredRateLimit {
  readonly calls: number
  /** Absent if no window is declared. */
  readonly windowMs?: number
  /** Declared location: `x-ratelimit of the operation`, `words of the description`. */
  readonly source: string
}

/** A catalogued endpoint. */
export interface Endpoint extends EndpointDescription {
  /** Numeric ID, assigned in ascending order by the storage, never reused. */
  readonly id: number
  /** 7 characters of `[A-Za-z0-9]`, at least one letter. */
  readonly shortId: string
  readonly apiId: number
}

/** One line of the endpoint list (Specification 2.1). */
export interface EndpointSummary {
  readonly id: number
  readonly shortId: string
  readonly url: string
  readonly method: string
  readonly description: string
  readonly isDeprecated: boolean
}

/** A licence or agreement link of an API (Specification 2.11) or of a vendor. */
export interface AgreementLink {
  /** `License`, `Terms of service`, `Documentation`, … or the licence's own name. */
  readonly name: string
  readonly link: string
  /** Type of agreement, as in APIs.json: `InterfaceLicense`, `TermsOfService`, … */
  readonly kind: string
}

/** An agreement that a description links to. */
export interface ImportedAgreement extends AgreementLink {
  /** SPDX ID if the agreement is a known licence. */
  readonly spdxId?: string | undefined
}

/** One row of the search index: a term's weight in one API and the endpoints that contain it. */
export interface SearchPosting {
  readonly term: string
  /** Positive; see `catalogue/search/`. */
  readonly weight: number
  /** Packed endpoint IDs with weights; opaque to a storage (see `search/packing.ts`). */
  readonly endpoints: Uint8Array
}
