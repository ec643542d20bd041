import type { Get } from '../../ports/get.ts'
import { checkResponse, type RetryDeps, retry, toSourceName } from '../sync/retry.ts'
import type { Validators } from './pull-state.ts'

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
