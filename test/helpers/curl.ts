import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

/** A request that a `curl` command line sends. */
export interface CurlRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly data: string | undefined
  /** Fields of a form, `name=text` or `name=@file`. */
  readonly fields: readonly string[]
}

/** Reads the words after `curl`; throws for an option that it does not know. */
export function parseCurl(words: readonly string[]): CurlRequest {
  const headers: Record<string, string> = {}
  const fields: string[] = []
  let url = ''
  let method: string | undefined
  let data: string | undefined
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-H') {
      const [name = '', ...value] = (rest.shift() ?? '').split(':')
      headers[name] = value.join(':').trim()
    } else if (word === '-F') fields.push(rest.shift() ?? '')
    else if (word === '-d' || word === '--data-binary') data = rest.shift()
    else if (word === '-X') method = rest.shift()
    else if (word === '-o') rest.shift()
    else if (/^-[sSfN]+$/.test(word)) continue
    else if (word.startsWith('-')) throw new Error(`curl ${word} is not known to this test`)
    else url = word
  }
  const hasBody = data !== undefined || fields.length > 0
  return { url, method: method ?? (hasBody ? 'POST' : 'GET'), headers, data, fields }
}

/** Makes the request of a `curl` command line. */
export async function toFetchRequest({
  url,
  method,
  headers,
  data,
  fields,
}: CurlRequest): Promise<Request> {
  if (fields.length === 0) {
    return new Request(url, { method, headers, ...(data === undefined ? {} : { body: data }) })
  }
  const form = new FormData()
  for (const field of fields) {
    const [name = '', ...rest] = field.split('=')
    const value = rest.join('=')
    if (value.startsWith('@')) form.set(name, await openAsBlob(value.slice(1)), basename(value))
    else form.set(name, value)
  }
  return new Request(url, { method, headers, body: form })
}
