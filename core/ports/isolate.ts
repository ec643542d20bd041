/**
 * Runs a pure function where it can be killed (a worker). Rejects with a `ServiceError` of code
 * `too_expensive` if it exceeds `timeoutMs` or its memory limit.
 */
export interface Isolate {
  run<Input, Output>(
    task: string,
    input: Input,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<Output>
}
