import type { AuthType } from './auth-types.ts'

/** Who offers APIs (Specification 2.13). */
export interface Vendor {
  /** Numeric id, counted up by the storage, never reused. */
  readonly id: number
  /** Opaque id on the wire. */
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

/** A vendor before the storage gave it an id. */
export type NewVendor = Omit<Vendor, 'id'>

/** What names a licence: `{ name, url }` of the specification's licence lists. */
export interface License {
  readonly name: string
  /** Absolute URL, or empty. */
  readonly url: string
}

/** What an import says of an API; everything but ids, flags and times. */
export interface ApiDescription {
  readonly name: string
  /** `info.version` as text. */
  readonly version: string
  /** Leading number of a semver-like version, as text; empty when it has none. Part of the identity. */
  readonly majorVersion: string
  readonly description: string
  /** Absolute URL, or empty: external docs, else contact. The vendor's stands in on the wire. */
  readonly homepage: string
  /** Distinct, in the order of `AUTH_TYPES`. */
  readonly authTypes: readonly AuthType[]
  readonly licenses: readonly License[]
  /** Server URL templates, absolute ones with their variables; relative ones as they stand. */
  readonly servers: readonly Server[]
  /** Tag names in order of appearance. */
  readonly tags: readonly string[]
  readonly contact: { readonly name: string; readonly url: string; readonly email: string }
  /** URL of a logo (`info.x-logo.url`), or empty. */
  readonly image: string
}

/** A server as the description gives it (OpenAPI `servers[]`, Swagger `schemes`/`host`/`basePath`). */
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
  /** Allowed values; empty when any is. */
  readonly values: readonly string[]
}

/** A catalogued API (Specification 2.2). */
export interface Api extends ApiDescription {
  readonly id: number
  readonly encryptedId: string
  readonly vendor: Vendor
  /** Position in the specification's list of categories, from 1; undefined when none was given. */
  readonly categoryId: number | undefined
  readonly isPublic: boolean
  /** It has endpoints and an absolute server: the gateway can call it. */
  readonly isImplemented: boolean
  readonly isClaiming: boolean
  readonly canClaim: boolean
  readonly isAgreementsRestricted: boolean
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: readonly string[]
  /** Known by an imported description, not only by name. */
  readonly isDescribed: boolean
  /** Hex SHA-256 of the source the API was imported from, or empty. */
  readonly sourceDigest: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** Where a parameter of a target goes. */
export type ParameterPlacement =
  | 'path'
  | 'query'
  | 'header'
  | 'cookie'
  | 'formData'
  | 'body'
  | 'querystring'

/** One parameter of a target (Specification 2.3), with what is needed to send it. */
export interface Parameter {
  readonly name: string
  readonly placement: ParameterPlacement
  readonly isRequired: boolean
  /** JSON Schema type: string, integer, number, boolean, array, object, file; empty when any. */
  readonly type: string
  /** `format` of the schema, or empty. */
  readonly format: string
  readonly description: string
  /** Text as on the wire: JSON text for structured values; undefined when there is none. */
  readonly defaultValue: string | undefined
  readonly exampleValue: string | undefined
  /** Allowed values as text; empty when any is. */
  readonly enum: readonly string[]
  /** OpenAPI 3 `style`, or undefined for the placement's default. */
  readonly style: string | undefined
  readonly explode: boolean | undefined
  /** Swagger 2.0 `collectionFormat`, or undefined. */
  readonly collectionFormat: string | undefined
  readonly allowReserved: boolean
  readonly isDeprecated: boolean
  /** Media type of a parameter given by `content`, of a form's part by `encoding`, or undefined. */
  readonly contentType: string | undefined
  /** Types that are allowed beside `type`, where alternatives have several; absent when none is. */
  readonly otherTypes?: readonly string[]
  /** Of an array, where its items are described. */
  readonly items?: ParameterItems
  /** Absent when there are no bounds. */
  readonly range?: ValueRange
}

/** The items of an array. */
export interface ParameterItems {
  /** As of a parameter. */
  readonly type: string
  readonly enum: readonly string[]
}

/** Bounds of a value, as JSON Schema names them; a `pattern` is left to the target. */
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

/** What an endpoint accepts as its body. */
export interface RequestBody {
  /** Media types in order of the description. */
  readonly mediaTypes: readonly string[]
  readonly isRequired: boolean
  /** A JSON object's top-level properties are the parameters; otherwise one parameter named `body`. */
  readonly isFlattened: boolean
  /** Names beyond the described ones are allowed. */
  readonly allowsAdditional: boolean
}

/** Where the documented or sampled example response of an endpoint comes from. */
export interface ResponseShape {
  /** HTTP status the example stands for: `200`, `2XX`, `default`; empty when none is described. */
  readonly status: string
  readonly mediaType: string
  /** The documented example as text, JSON text for structured ones; undefined when there is none. */
  readonly example: string | undefined
  /** JSON text of the response's schema with its local `$ref`s unresolved; undefined when there is none. */
  readonly schema: string | undefined
}

/** One way in: all of its schemes are needed (OpenAPI security requirement object). */
export type SecurityRequirement = readonly SecuritySchemeUse[]

export interface SecuritySchemeUse {
  /** Name of the scheme in the description. */
  readonly scheme: string
  readonly authType: AuthType
  /** Parameter name of an apiKey scheme, `Authorization` for HTTP and OAuth schemes. */
  readonly name: string
  /** `basic`, `bearer`, `digest`, …; empty for others. */
  readonly httpScheme: string
  /** Where it goes; absent where it is no part of the request (mutual TLS). */
  readonly placement?: ParameterPlacement
  readonly scopes: readonly string[]
}

/** What an import says of one operation of a target. */
export interface EndpointDescription {
  /** Lower case. */
  readonly method: string
  /** Path template below the server: `/users/{id}`. */
  readonly path: string
  /** Method and path with parameter names erased: `get /users/{}`. The identity within the API. */
  readonly key: string
  /** The first server with defaults filled in, then the path template; relative when no server is absolute. */
  readonly url: string
  /** Operation-level, path-level or document-level servers, whichever is nearest. */
  readonly servers: readonly Server[]
  /** Summary, else the first of the description. */
  readonly summary: string
  /** The summary where there is no longer text. */
  readonly description: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | undefined
  readonly response: ResponseShape | undefined
  /** Names of response fields, distinct, for search; at most 200. */
  readonly responseFields: readonly string[]
  /** Alternatives; empty when no authentication is needed. */
  readonly security: readonly SecurityRequirement[]
  /** Distinct, in the order of `AUTH_TYPES`; `none` when no authentication is needed. */
  readonly authTypes: readonly AuthType[]
  readonly isDeprecated: boolean
  /** A webhook or callback: called by the vendor, not by us. */
  readonly isInbound: boolean
  /** Response statuses the description declares, as written. */
  readonly declaredStatuses: readonly string[]
  /** How often it may be called; absent where the description says nothing of it. */
  readonly rateLimits?: StatedRateLimits | undefined
}

/** What a description says of how often an endpoint may be called. */
export interface StatedRateLimits {
  /** Header names of limits that are given to answers: lower case, distinct, at most 16. */
  readonly headers: readonly string[]
  /** Those that stand nearest to the operation first; at most 8. */
  readonly limits: readonly StatedRateLimit[]
}

/** A limit as it stands in a description: so many calls in so long a time. */
export interface StatedRateLimit {
  readonly calls: number
  /** Absent where nothing is said of it. */
  readonly windowMs?: number
  /** Where it stands: `x-ratelimit of the operation`, `words of the description`. */
  readonly source: string
}

/** A catalogued endpoint. */
export interface Endpoint extends EndpointDescription {
  /** Numeric id, counted up by the storage, never reused. */
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
  /** What sort of agreement it is, in APIs.json words: `InterfaceLicense`, `TermsOfService`, … */
  readonly kind: string
}

/** An agreement that a description links to. */
export interface ImportedAgreement extends AgreementLink {
  /** SPDX id of the licence that it is; absent when it is none, or none that is known. */
  readonly spdxId?: string | undefined
}

/** One row of the search index: a term's weight in one API and where it stands. */
export interface SearchPosting {
  readonly term: string
  /** Positive; see `catalogue/search/`. */
  readonly weight: number
  /** Packed endpoint ids with weights; opaque to a storage (see `search/packing.ts`). */
  readonly endpoints: Uint8Array
}
