import { Buffer } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'

/** A recorded client request. */
export interface RecordedRequest {
  /** Client and encoding, such as `curl-form`. */
  readonly name: string
  /** Returns the bytes of the request with address and key filled in. */
  toBytes(values: { readonly host: string; readonly apiKey: string }): Uint8Array
}

const FOLDER = new URL('../../../fixtures/clients/', import.meta.url)

/** Reads the recorded requests of `fixtures/clients`, sorted by name. */
export async function readRecordedRequests(): Promise<readonly RecordedRequest[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.http')).sort()
  return Promise.all(
    files.map(async (file) => {
      // Latin-1 maps each byte to one character, so the recording does not change.
      const text = await readFile(new URL(file, FOLDER), 'latin1')
      return {
        name: file.slice(0, -'.http'.length),
        toBytes: ({ host, apiKey }) =>
          Buffer.from(text.replace('{{HOST}}', host).replace('{{API_KEY}}', apiKey), 'latin1'),
      }
    }),
  )
}
