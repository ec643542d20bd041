import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { InputIssue } from '../errors.ts'
import type { Account, CallSource, Scope } from '../shared/account.ts'
import type { WithRows } from '../shared/json-document.ts'
import type { JsonText } from '../shared/json-text.ts'

/** A JSON Schema as written into the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * One named input value. `Output` is the handler's type, `Input` the type that a client may pass.
 * On the wire it is always text, which `schema` parses.
 */
export interface Param<Input = unknown, Output = unknown> {
  /** Documented location. */
  readonly in: 'query' | 'header' | 'form'
  /** Parses the text on the wire, undefined when absent, into the handler's value. */
  readonly schema: GenericSchema<string | undefined, Output>
  readonly isRequired: boolean
  /** The result of `schema` for an absent text, so that it is not parsed for each request. */
  readonly absent?: { readonly value: Output } | undefined
  readonly description: string
  /** Schema of the value in the OpenAPI document. */
  readonly document: JsonSchema
  /** Only for type inference. */
  readonly input?: Input
}

export type Params = Readonly<Record<string, Param>>

/** A condition across parameters. It is skipped if one of them is already invalid. */
export interface InputRule {
  readonly names: readonly string[]
  /** Returns the issue of a handler's input, or undefined if it is valid. */
  readonly check: (input: Readonly<Record<string, unknown>>) => InputIssue | undefined
}

/** The request body of an operation. */
export type Body =
  /** One JSON object, passed to the handler as `body`. `maxBytes` raises the size limit. */
  | { readonly kind: 'json'; readonly schema: GenericSchema; readonly maxBytes?: number }
  /** The parameters may also arrive in a form (multipart, urlencoded) or a JSON object. */
  | { readonly kind: 'form' }
  /** Named values that the operation does not declare, from JSON or a form; passed as `body`. */
  | { readonly kind: 'values'; readonly description: string }
  /** Bytes up to a limit, passed as `file`. Parameters may arrive in the same form. */
  | {
      readonly kind: 'file'
      readonly name: string
      readonly mediaTypes: readonly string[]
      readonly description: string
    }
  /**
   * Newline-delimited JSON, or one JSON object with the rows in its member `at`; passed to the
   * handler as `head` and `rows`.
   */
  | {
      readonly kind: 'ndjson'
      readonly head: GenericSchema
      readonly row: GenericSchema
      readonly at: string
    }

/** The response of an operation. */
export type Output =
  | { readonly kind: 'json'; readonly schema: GenericSchema }
  | RowsOutput
  /** One JSON document in which arrays at any depth may be `Rows`, streamed as they are read. */
  | { readonly kind: 'document'; readonly schema: GenericSchema }
  /** The handler chooses one of the media types by `accept`. */
  | { readonly kind: 'variants'; readonly mediaTypes: Readonly<Record<string, GenericSchema>> }
  /**
   * Status, headers and bytes as the handler returns them. `isPassedOn`: they are forwarded from a
   * target. A caller receives them with any status, and the service's own failures carry the header
   * `gateway-error`.
   */
  | {
      readonly kind: 'raw'
      readonly mediaTypes: readonly string[]
      readonly isPassedOn?: true
    }
  /** The response has status 204 and no body. */
  | { readonly kind: 'empty' }

/**
 * One JSON document written row by row: an array, or an object with the rows in its member `at`.
 */
export interface RowsOutput {
  readonly kind: 'rows'
  readonly row: GenericSchema
  readonly at?: string
  readonly head?: GenericSchema
  readonly tail?: GenericSchema
  /**
   * Nests head and rows in the member `at` of the document. Constant members precede it, the tail
   * follows it.
   */
  readonly within?: { readonly at: string; readonly before: Readonly<Record<string, string>> }
}

/** Data whose revision an `ETag` can represent. */
export type CachedData = 'catalogue' | 'vulnerabilities'

/**
 * One operation of the service, as plain data. Routes, validation, documents and clients derive
 * from it.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Also accepts POST, with the parameters in the body. */
  readonly alsoPost?: true
  /** Documented spelling first, then aliases. */
  readonly paths: readonly [string, ...string[]]
  /** Where the paths are mounted; default `base`. */
  readonly mount?: 'base' | 'root' | 'both'
  /** Section of the specification; absent for operations that it does not contain. */
  readonly section?: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Scope that the key needs; `public` needs no key. */
  readonly scope: Scope | 'public'
  readonly params?: Params
  /** Conditions across parameters. */
  readonly rules?: readonly InputRule[]
  readonly body?: Body
  readonly output: Output
  /** Responses change only with this data, or with the release, and carry an `ETag`. */
  readonly cache?: CachedData | 'constant'
  /** Additional members of this operation's problem documents. */
  readonly problemMembers?: (problem: {
    readonly status: number
    readonly detail: string
  }) => Readonly<Record<string, unknown>>
  /** Listed, but returns 501 until it is implemented. */
  readonly isPlanned?: true
}

export type Operations = Readonly<Record<string, Operation>>

/** Uploaded bytes. */
export interface UploadedFile {
  readonly bytes: Uint8Array
  /** File name as sent by the client, or empty. Never used as a path. */
  readonly filename: string
  readonly mediaType: string
  /** Names of unknown fields in the same form, at most 10; absent if there are none. */
  readonly unknownFields?: readonly string[]
}

/**
 * Values by names that the caller chose, all of them own members. JSON values are of any type, with
 * `Numeral`s for numbers that would lose digits. Form values are strings, `UploadedFile`s, and
 * arrays of these if a name is repeated.
 */
export type BodyValues = Readonly<Record<string, unknown>>

/** Caller and request details that a handler may use besides its input. */
export interface Context {
  readonly account: Account
  readonly scopes: ReadonlySet<Scope>
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal
  /** The `Accept` header, or a wildcard. */
  readonly accept: string
  /** ID of the API key in use; undefined if the host authenticates by its own means. */
  readonly keyId: string | undefined
  /** The acting user, if the caller names one. */
  readonly userName?: string | undefined
  /** See `Caller.source`. */
  readonly source?: CallSource | undefined
  /** See `Caller.client`. */
  readonly client?: string | undefined
  /** Scheme and host of the request, for absolute links; undefined in process. */
  readonly origin?: string | undefined
  /** A request header that may be forwarded to a target; undefined when absent. */
  header(name: ForwardedHeader): string | undefined
}

/** Headers of a caller's request that affect a target's response. */
export type ForwardedHeader =
  | 'accept-encoding'
  | 'accept-language'
  | 'if-match'
  | 'if-modified-since'
  | 'if-none-match'
  | 'if-range'
  | 'if-unmodified-since'
  | 'range'

type Simplify<T> = { [K in keyof T]: T[K] } & {}
type ParamsOf<O> = O extends { readonly params: infer P } ? P : Record<never, never>
type ParamOutput<P> = P extends { readonly schema: GenericSchema<string | undefined, infer T> }
  ? T
  : never
type BodyInput<O> = O extends { readonly body: infer B }
  ? B extends { readonly kind: 'json'; readonly schema: infer S extends GenericSchema }
    ? { readonly body: InferOutput<S> }
    : B extends { readonly kind: 'file' }
      ? { readonly file: UploadedFile }
      : B extends { readonly kind: 'values' }
        ? { readonly body: BodyValues }
        : B extends {
              readonly kind: 'ndjson'
              readonly head: infer H extends GenericSchema
              readonly row: infer R extends GenericSchema
            }
          ? { readonly head: InferOutput<H>; readonly rows: AsyncIterable<InferOutput<R>> }
          : unknown
  : unknown

/** Input type of an operation's handler. */
export type HandlerInput<O> = Simplify<
  { readonly [K in keyof ParamsOf<O>]: ParamOutput<ParamsOf<O>[K]> } & BodyInput<O>
>

/** Rows that are written as one JSON document. */
export interface RowsResult<Row, Head, Tail> {
  /** Members written before the rows. */
  readonly head?: Head
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<readonly (Row | JsonText)[]>
  /**
   * Returns the members written after the rows. `bytes` is the number of bytes before them; if the
   * rows are nested in a member, the size of its object.
   */
  readonly tail?: (bytes: number) => Tail
}

/** A document in one of the operation's media types. */
export interface VariantResult {
  readonly mediaType: string
  readonly body: string | AsyncIterable<Uint8Array>
}

/** A response that is sent unchanged. */
export interface RawResult {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** Return type of an operation's handler. */
export type HandlerOutput<O> = O extends { readonly output: infer T }
  ? T extends { readonly kind: 'json'; readonly schema: infer S extends GenericSchema }
    ? InferInput<S> | JsonText
    : T extends { readonly kind: 'rows'; readonly row: infer R extends GenericSchema }
      ? RowsResult<InferInput<R>, MemberOf<T, 'head'>, MemberOf<T, 'tail'>>
      : T extends { readonly kind: 'document'; readonly schema: infer S extends GenericSchema }
        ? WithRows<InferInput<S>>
        : T extends { readonly kind: 'variants' }
          ? VariantResult
          : T extends { readonly kind: 'raw' }
            ? RawResult
            : undefined
  : never

type MemberOf<T, Name extends string> = T extends {
  readonly [K in Name]: infer S extends GenericSchema
}
  ? InferInput<S>
  : undefined

export type Handler<O> = (
  input: HandlerInput<O>,
  context: Context,
) => HandlerOutput<O> | Promise<HandlerOutput<O>>

/** One handler for each implemented operation; a missing one does not compile. */
export type Handlers<Table extends Operations> = {
  readonly [K in keyof Table as Table[K] extends { readonly isPlanned: true } ? never : K]: Handler<
    Table[K]
  >
}

/** Preserves the literal types of a feature's operations. */
export function defineOperations<const Table extends Operations>(table: Table): Table {
  return table
}
