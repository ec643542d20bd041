import type { Get } from '../../ports/get.ts'
import { checkResponse, type RetryDeps, retry, toSourceName } from '../sync/retry.ts'
import {
  type Compression,
  createBaseError,
  createBrokenError,
  parseArchiveHead,
} from './archive.ts'
import { readFrames } from './frames.ts'
import type { Validators } from './pull.ts'

/** An archive that can be read any number of times. */
export interface ArchiveSource {
  /** Path, or URL without its query. */
  readonly name: string
  /**
   * Opens its content. `validators` are those of the content that is already loaded: undefined is
   * returned if it has not changed.
   */
  open(options: {
    readonly validators?: Validators | undefined
    readonly signal?: AbortSignal | undefined
  }): Promise<OpenArchive | undefined>
}

/** The content of an archive. Read or close it. */
export interface OpenArchive {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly validators?: Validators | undefined
  close(): void
}

/**
 * Creates an archive at a URL. Follows three redirects, and retries while the service is busy. Sends
 * `If-None-Match` and `If-Modified-Since` (RFC 9110 section 13.1).
 *
 * @example
 * ```ts
 * import { createRemoteArchive } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 *
 * const { get } = createHttpGet()
 * const source = createRemoteArchive('https://files.example/cves.archive', { get, deps })
 * const archive = await source.open({ signal: AbortSignal.timeout(60_000) })
 * archive?.close()
 * ```
 */
export function createRemoteArchive(
  url: string,
  options: { readonly get: Get; readonly deps: RetryDeps },
): ArchiveSource {
  const { get, deps } = options
  const name = toSourceName(url)
  return {
    name,
    open: ({ validators, signal }) =>
      retry<OpenArchive | undefined>(
        async () => {
          const response = await get(url, {
            signal,
            headers: toConditions(validators),
            maxRedirects: MAX_REDIRECTS,
            maxBytes: MAX_BYTES,
          })
          if (response.status === 304 && validators) {
            response.discard()
            return { value: undefined }
          }
          const failure = checkResponse(response, { name, clock: deps.clock })
          if (failure) return failure
          const { etag, 'last-modified': lastModified } = response.headers
          const hasValidators = etag !== undefined || lastModified !== undefined
          return {
            value: {
              bytes: response.body,
              validators: hasValidators ? { etag, lastModified } : undefined,
              close: () => response.discard(),
            },
          }
        },
        { ...deps, signal },
      ),
  }
}

const MAX_REDIRECTS = 3
const MAX_BYTES = 4 * 1024 ** 3

function toConditions(validators: Validators | undefined): Readonly<Record<string, string>> {
  const { etag, lastModified } = validators ?? {}
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
}

/**
 * Checks the head of an archive that is to be loaded into a new database. Returns the archive with
 * all its bytes. If the check fails, closes it and throws as `VulnerabilityArchives.loadArchive` does.
 *
 * @example
 * ```ts
 * import { checkFullArchive, createRemoteArchive } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { createBrotli } from 'api-discovery/feeds'
 *
 * const { get } = createHttpGet()
 * const source = createRemoteArchive('https://files.example/cves.archive', { get, deps })
 * const archive = await source.open({})
 * if (archive) await checkFullArchive(archive, createBrotli())
 * ```
 */
export async function checkFullArchive(
  archive: OpenArchive,
  compression: Compression,
): Promise<OpenArchive> {
  const { bytes, validators } = archive
  const iterator = bytes[Symbol.asyncIterator]()
  const first: Uint8Array[] = []

  async function* readFirst() {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      first.push(next.value)
      yield next.value
    }
  }

  async function* readAll() {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  }

  function close(): void {
    archive.close()
    iterator.return?.().catch(() => undefined)
  }

  try {
    await requireFullHead(readFirst(), compression)
  } catch (error) {
    close()
    throw error
  }
  return { bytes: readAll(), validators, close }
}

async function requireFullHead(
  bytes: AsyncIterable<Uint8Array>,
  compression: Compression,
): Promise<void> {
  for await (const { head, body } of readFrames(bytes, compression)) {
    if (head.type !== 'head') break
    const { kind, base } = parseArchiveHead(new TextDecoder().decode(body))
    if (kind === 'changes') throw createBaseError(base)
    return
  }
  throw createBrokenError('it is corrupt')
}
