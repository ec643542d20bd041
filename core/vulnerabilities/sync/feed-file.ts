import { type Get, SourceError } from '../../ports/get.ts'
import { checkResponse, type RetryDeps, retry, toBackOff, toSourceName } from './retry.ts'

/**
 * A feed that can be read from its start any number of times: as bytes, or as the documents of an
 * archive or folder.
 */
export interface FeedFile<Part = Uint8Array> {
  /** Path or URL of the file, as the operator specified it. */
  readonly name: string
  /** Changes with its content. If undefined, the file is always read. */
  readonly fingerprint?: string | undefined
  /** True if it was found in a folder, so that it may not be a feed. */
  readonly isFound?: boolean | undefined
  /** Stored size; undefined if unknown. */
  readonly bytes?: number | undefined
  /**
   * Reads its content, decompressed if necessary. `onBytes` receives the size of each chunk as
   * stored.
   */
  open(options: OpenOptions): AsyncIterable<Part>
}

export interface OpenOptions {
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: ((count: number) => void) | undefined
}

/** Decompresses compressed content and forwards other content. Supplied by the host. */
export type Expand<Part = Uint8Array> = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Part>

/**
 * Creates a feed at a URL. Follows three redirects, and retries while the service is busy.
 *
 * @example
 * ```ts
 * import { createRemoteFile, KEV_URL, readKev } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { decompressFeed } from 'api-discovery/feeds'
 *
 * const { get, close } = createHttpGet()
 * const file = createRemoteFile(KEV_URL, { get, expand: decompressFeed, deps })
 * const { entries } = await readKev(file.open({ signal: AbortSignal.timeout(60_000) }))
 * close()
 * ```
 */
export function createRemoteFile<Part = Uint8Array>(
  url: string,
  options: RemoteOptions<Part>,
): FeedFile<Part> {
  const { get, expand, deps } = options
  const name = toSourceName(url)

  async function* open({ signal, onBytes }: OpenOptions): AsyncGenerator<Part> {
    const body = await retry(
      async () => {
        const answer = await get(url, {
          signal,
          maxRedirects: MAX_REDIRECTS,
          maxBytes: options.maxBytes ?? MAX_BYTES,
        })
        return checkResponse(answer, { name, clock: deps.clock }) ?? { value: answer.body }
      },
      { ...deps, signal },
    )
    yield* expand(reportBytes(body, onBytes))
  }

  return { name, fingerprint: options.fingerprint, open }
}

export interface RemoteOptions<Part = Uint8Array> {
  readonly get: Get
  readonly expand: Expand<Part>
  readonly deps: RetryDeps
  /** Limit on the stored size; 1 GiB by default. */
  readonly maxBytes?: number | undefined
  /** See `FeedFile`. */
  readonly fingerprint?: string | undefined
}

/**
 * Reads a file with `read`. If the connection breaks, reads it from the start again, at most three
 * times in all. Items that were read before then appear twice.
 */
export async function* readWithRetries<T, Part = Uint8Array>(
  file: FeedFile<Part>,
  options: {
    readonly deps: RetryDeps
    readonly onBytes?: ((count: number) => void) | undefined
    readonly read: (content: AsyncIterable<Part>) => AsyncIterable<T>
  },
): AsyncGenerator<T> {
  const { deps, read, onBytes } = options
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

async function* reportBytes(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: OpenOptions['onBytes'],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes?.(chunk.byteLength)
    yield chunk
  }
}
