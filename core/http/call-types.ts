import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { BodyValues } from './operation.ts'

/** Input of an operation's caller, in process or through the client. */
export type CallInput<O> = Simplify<
  {
    readonly [K in Exclude<keyof ParamsOf<O>, OptionalNames<ParamsOf<O>>>]: ParamInput<
      ParamsOf<O>[K]
    >
  } & {
    readonly [K in OptionalNames<ParamsOf<O>>]?: ParamInput<ParamsOf<O>[K]> | undefined
  } & BodyCall<O>
>

/** A target's response to a forwarded call. */
export interface ForwardedResponse {
  /** 200 to 599. */
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Result for an operation's caller, in process or through the client. */
export type CallOutput<O> = O extends { readonly output: infer T }
  ? T extends { readonly kind: 'json' | 'document'; readonly schema: infer S extends GenericSchema }
    ? InferOutput<S>
    : T extends { readonly kind: 'rows'; readonly row: infer R extends GenericSchema }
      ? RowsDocument<T, InferOutput<R>>
      : T extends { readonly kind: 'empty' }
        ? undefined
        : T extends { readonly isPassedOn: true }
          ? ForwardedResponse
          : Uint8Array
  : never

type RowsDocument<T, Row> = T extends { readonly at: infer At extends string }
  ? T extends {
      readonly within: { readonly at: infer Within extends string; readonly before: infer Before }
    }
    ? Simplify<
        Before & {
          readonly [K in Within]: Simplify<Members<T, 'head'> & { readonly [K in At]: Row[] }>
        } & Members<T, 'tail'>
      >
    : Simplify<Members<T, 'head'> & { readonly [K in At]: Row[] } & Members<T, 'tail'>>
  : Row[]

type Members<T, Name extends string> = T extends {
  readonly [K in Name]: infer S extends GenericSchema
}
  ? InferOutput<S>
  : unknown

type Simplify<T> = { [K in keyof T]: T[K] } & {}
type ParamsOf<O> = O extends { readonly params: infer P } ? P : Record<never, never>
type ParamInput<P> = P extends { readonly input?: infer T } ? Exclude<T, undefined> : never
type OptionalNames<P> = {
  [K in keyof P]: P[K] extends { readonly isRequired: true } ? never : K
}[keyof P]

type BodyCall<O> = O extends { readonly body: infer B }
  ? B extends { readonly kind: 'json'; readonly schema: infer S extends GenericSchema }
    ? { readonly body: InferInput<S> }
    : B extends { readonly kind: 'file' }
      ? { readonly file: Uint8Array | string }
      : B extends { readonly kind: 'values' }
        ? { readonly body?: BodyValues | undefined }
        : B extends {
              readonly kind: 'ndjson'
              readonly head: infer H extends GenericSchema
              readonly row: infer R extends GenericSchema
            }
          ? {
              readonly head: InferInput<H>
              readonly rows: Iterable<InferInput<R>> | AsyncIterable<InferInput<R>>
            }
          : unknown
  : unknown
