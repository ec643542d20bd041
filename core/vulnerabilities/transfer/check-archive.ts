import {
  type Compression,
  createBaseError,
  createBrokenError,
  parseArchiveHead,
} from './archive.ts'
import type { OpenArchive } from './archive-source.ts'
import { readFrames } from './frames.ts'

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
