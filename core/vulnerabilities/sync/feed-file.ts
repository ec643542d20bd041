import { type Get, SourceError } from './get.ts'
import { judgeAnswer, type RetryDeps, retry, toBackOff, toSourceName } from './retry.ts'

/** Something to load that can be read from its beginning, again and again. */
export interface FeedFile {
  /** Its path or address, as the operator knows it. */
  readonly name: string
  /** Changes with its content; undefined when it cannot be told: then it is always read. */
  readonly fingerprint?: string | undefined
  /** It lay in a folder that was named, so that it may be something else. */
  readonly isFound?: boolean | undefined
  /** As it is stored; undefined when unknown. */
  readonly bytes?: number | undefined
  /** Its content, expanded where it is compressed; `onBytes` is told the stored bytes as they are read. */
  open(given: OpenOptions): AsyncIterable<Uint8Array>
}

export interface OpenOptions {
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: ((count: number) => void) | undefined
}

/** Expands what is compressed and passes on what is not: supplied by the host. */
export type Expand = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** A feed at an address: three redirects are followed, and a busy service is asked again. */
export function createRemoteFile(url: string, given: RemoteOptions): FeedFile {
  const { get, expand, deps } = given
  const name = toSourceName(url)

  async function* open({ signal, onBytes }: OpenOptions): AsyncGenerator<Uint8Array> {
    const body = await retry(
      async () => {
        const answer = await get(url, {
          signal,
          maxRedirects: MAX_REDIRECTS,
          maxBytes: given.maxBytes ?? MAX_BYTES,
        })
        return judgeAnswer(answer, { name, clock: deps.clock }) ?? { value: answer.body }
      },
      { ...deps, signal },
    )
    yield* expand(counted(body, onBytes))
  }

  return { name, open }
}

export interface RemoteOptions {
  readonly get: Get
  readonly expand: Expand
  readonly deps: RetryDeps
  /** The most that is read, as it is stored; 1 GiB when absent. */
  readonly maxBytes?: number | undefined
}

/**
 * Reads a file with `read`; from its beginning again when its connection breaks off, three times at
 * most. What was read before comes twice then.
 */
export async function* readRepeatedly<T>(
  file: FeedFile,
  given: {
    readonly deps: RetryDeps
    readonly onBytes?: ((count: number) => void) | undefined
    readonly read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<T>
  },
): AsyncGenerator<T> {
  const { deps, read, onBytes } = given
  const { signal, onEvent } = deps
  for (let count = 1; ; count += 1) {
    let bytes = 0
    const countBytes = (more: number) => {
      bytes += more
      onBytes?.(more)
    }
    try {
      yield* read(file.open({ signal, onBytes: countBytes }))
      return
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SourceError)) throw error
      if (count >= Math.min(MAX_READS, error.maxAttempts)) throw error
      onBytes?.(-bytes)
      const ms = toBackOff(count, deps.random)
      onEvent?.({ kind: 'waiting', ms, reason: error.message })
      await deps.sleep(ms, signal)
    }
  }
}

const MAX_REDIRECTS = 3
const MAX_BYTES = 1024 ** 3
const MAX_READS = 3

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: OpenOptions['onBytes'],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes?.(chunk.byteLength)
    yield chunk
  }
}
