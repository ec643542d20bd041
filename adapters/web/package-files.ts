import { readFile } from 'node:fs/promises'

/**
 * Reads a file of the package; undefined if it is missing. Modules that were loaded over HTTP read
 * it from their origin.
 */
export async function readPackageFile(url: URL): Promise<Uint8Array | undefined> {
  return url.protocol === 'file:' ? readIfExists(url) : fetchIfExists(url)
}

async function readIfExists(url: URL): Promise<Uint8Array | undefined> {
  try {
    return await readFile(url)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function fetchIfExists(url: URL): Promise<Uint8Array | undefined> {
  const response = await fetch(url)
  if (response.ok) return new Uint8Array(await response.arrayBuffer())
  await response.body?.cancel()
  if (response.status === 404) return undefined
  throw new Error(`Cannot load ${url}: ${response.status}`)
}
