import { Buffer } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'

/** A request as a client sent it. */
export interface RecordedRequest {
  /** Client and way of sending: `curl-form`. */
  readonly name: string
  /** Its bytes, with the address and the key put in. */
  toBytes(values: { readonly host: string; readonly apiKey: string }): Uint8Array
}

const FOLDER = new URL('../../../fixtures/clients/', import.meta.url)

/** The recorded requests of `fixtures/clients` in order of name. */
export async function readRecordedRequests(): Promise<readonly RecordedRequest[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.http')).sort()
  return Promise.all(
    files.map(async (file) => {
      // One character for each byte: nothing of the recording may change.
      const text = await readFile(new URL(file, FOLDER), 'latin1')
      return {
        name: file.slice(0, -'.http'.length),
        toBytes: ({ host, apiKey }) =>
          Buffer.from(text.replace('{{HOST}}', host).replace('{{API_KEY}}', apiKey), 'latin1'),
      }
    }),
  )
}
