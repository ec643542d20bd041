import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Account, CallSource, Scope } from '../shared/account.ts'
import type { WithRows } from '../shared/json-document.ts'
import type { JsonText } from '../shared/json-text.ts'
import type { InputIssue } from './problems.ts'

/** A JSON Schema as it stands in the OpenAPI document. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * One named input value. `Output` is what a handler gets, `Input` what a client may pass.
 * On the wire it is always text; `schema` reads that text.
 */
export interface Param<Input = unknown, Output = unknown> {
  /** Documented placement. */
  readonly in: 'query' | 'header' | 'form'
  /** From the text on the wire (undefined when absent) to the handler's value. */
  readonly schema: GenericSchema<string | undefined, Output>
  readonly isRequired: boolean
  /** What `schema` makes of an absent text, so that it need not be asked for each request. */
  readonly absent?: { readonly value: Output } | undefined
  readonly description: string
  /** How the OpenAPI document shows the value. */
  readonly document: JsonSchema
  /** Only for type inference. */
  readonly input?: Input
}

export type Params = Readonly<Record<string, Param>>

/** A condition between parameters; not looked at while one of them is wrong by itself. */
export interface InputRule {
  readonly names: readonly string[]
  /** What is wrong with a handler's input, or undefined. */
  readonly check: (input: Readonly<Record<string, unknown>>) => InputIssue | undefined
}

/** What an operation reads from the request's body. */
export type Body =
  /** One JSON object; the handler gets it as `body`. It may be larger than others by `maxBytes`. */
  | { readonly kind: 'json'; readonly schema: GenericSchema; readonly maxBytes?: number }
  /** The operation's parameters may come in a form (multipart, urlencoded) or a JSON object too. */
  | { readonly kind: 'form' }
  /** Named values that the operation does not know: JSON or a form; the handler gets them as `body`. */
  | { readonly kind: 'values'; readonly description: string }
  /** Capped bytes; the handler gets them as `file`. Parameters may come in the same form. */
  | {
      readonly kind: 'file'
      readonly name: string
      readonly mediaTypes: readonly string[]
      readonly description: string
    }
  /** Newline-delimited JSON, or one JSON object with the rows under `at`; the handler gets `head` and `rows`. */
  | {
      readonly kind: 'ndjson'
      readonly head: GenericSchema
      readonly row: GenericSchema
      readonly at: string
    }

/** What an operation answers. */
export type Output =
  | { readonly kind: 'json'; readonly schema: GenericSchema }
  | RowsOutput
  /** One JSON document with arrays at any depth that may be `Rows`, written as they come. */
  | { readonly kind: 'document'; readonly schema: GenericSchema }
  /** The handler chooses one of the media types by `accept`. */
  | { readonly kind: 'variants'; readonly mediaTypes: Readonly<Record<string, GenericSchema>> }
  /**
   * Status, headers and bytes as the handler gives them. `isPassedOn`: they are somebody else's, so
   * a caller gets them whatever the status, and our own failures carry the header `gateway-error`.
   */
  | {
      readonly kind: 'raw'
      readonly mediaTypes: readonly string[]
      readonly isPassedOn?: true
    }
  /** 204. */
  | { readonly kind: 'empty' }

/** One JSON document written row by row: an array, or an object with the rows under `at`. */
export interface RowsOutput {
  readonly kind: 'rows'
  readonly row: GenericSchema
  readonly at?: string
  readonly head?: GenericSchema
  readonly tail?: GenericSchema
  /**
   * Head and rows stand in a member of the document, `at`, which has constant members before it
   * and the tail behind it.
   */
  readonly within?: { readonly at: string; readonly before: Readonly<Record<string, string>> }
}

/** Data whose revision an `ETag` can stand for. */
export type CachedData = 'catalogue' | 'vulnerabilities'

/** One operation of the service: data only. Routes, validation, documents and clients follow from it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** It answers POST as well, with the parameters in the body. */
  readonly alsoPost?: true
  /** Documented spelling first, then aliases. */
  readonly paths: readonly [string, ...string[]]
  /** Where the paths are served; `base` when absent. */
  readonly mount?: 'base' | 'root' | 'both'
  /** Number in the specification; absent for what we added. */
  readonly section?: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** What the key must permit; `public` needs no key. */
  readonly scope: Scope | 'public'
  readonly params?: Params
  /** Conditions between parameters. */
  readonly rules?: readonly InputRule[]
  readonly body?: Body
  readonly output: Output
  /** Answers change only with this data, or with the release: they carry an `ETag`. */
  readonly cache?: CachedData | 'constant'
  /** More members of this operation's problem documents, made from the detail. */
  readonly problemMembers?: (detail: string) => Readonly<Record<string, unknown>>
  /** In the table, but answers 501 until it is built. */
  readonly isPlanned?: true
}

export type Operations = Readonly<Record<string, Operation>>

/** Uploaded bytes. */
export interface UploadedFile {
  readonly bytes: Uint8Array
  /** As the client labelled it, or empty. Never used as a path. */
  readonly filename: string
  readonly mediaType: string
  /** Names of form fields beside it that the operation does not know, at most 10; absent for none. */
  readonly unknownFields?: readonly string[]
}

/**
 * Values by names that the caller chose, all of them own members. Out of JSON they are of any type,
 * with `Numeral`s for numbers that would lose digits;
 * out of a form they are texts, `UploadedFile`s, and arrays of these where a name is repeated.
 */
export type BodyValues = Readonly<Record<string, unknown>>

/** Who asks, and how. What a handler may know of a call besides its input. */
export interface Context {
  readonly account: Account
  readonly scopes: ReadonlySet<Scope>
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  /** The `Accept` header, or a wildcard. */
  readonly accept: string
  /** The key in use; undefined when the host authenticates on its own. */
  readonly keyId: string | undefined
  /** The person who acts, where the caller tells of one. */
  readonly person?: string | undefined
  /** As `Caller.source`. */
  readonly source?: CallSource | undefined
  /** A request header that may go along to a target; undefined when absent. */
  header(name: ForwardedHeader): string | undefined
}

/** Headers of a caller's request that say how a target shall answer. */
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

/** What the handler of an operation gets. */
export type HandlerInput<O> = Simplify<
  { readonly [K in keyof ParamsOf<O>]: ParamOutput<ParamsOf<O>[K]> } & BodyInput<O>
>

/** Rows that become one JSON document. */
export interface RowsResult<Row, Head, Tail> {
  /** Members written before the rows. */
  readonly head?: Head
  /** Batches of rows, in order. */
  readonly rows: AsyncIterable<readonly (Row | JsonText)[]>
  /**
   * Members written after the rows; told how many bytes came before them, or, where the rows stand
   * within a member, how many its object has.
   */
  readonly tail?: (bytes: number) => Tail
}

/** A document in one of the operation's media types. */
export interface VariantResult {
  readonly mediaType: string
  readonly body: string | AsyncIterable<Uint8Array>
}

/** An answer that passes through as it is. */
export interface RawResult {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined
}

/** What the handler of an operation returns. */
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

/** One handler for each operation that is built; a missing one does not compile. */
export type Handlers<Table extends Operations> = {
  readonly [K in keyof Table as Table[K] extends { readonly isPlanned: true } ? never : K]: Handler<
    Table[K]
  >
}

/** Keeps the literal types of a feature's operations. */
export function defineOperations<const Table extends Operations>(table: Table): Table {
  return table
}
