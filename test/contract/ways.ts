import { Buffer } from 'node:buffer'
import { serve } from '../../adapters/runtime/serve.ts'
import { rawRequest } from '../helpers/raw-http.ts'
import type { TestService } from '../helpers/service.ts'

/** A request as text, independent of how it is sent. */
export interface WireRequest {
  readonly method?: string | undefined
  /** Path and query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

export interface WireAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends requests to a service, in process or over a socket. */
export interface Way {
  ask(request: WireRequest): Promise<WireAnswer>
  close(): Promise<void>
}

/** Sends requests in process, like a fetch-style host. */
export function askInProcess({ app }: TestService): Way {
  return {
    async ask({ method = 'GET', target, headers = {}, body }) {
      const init = { method, headers, ...(body === undefined ? {} : { body }) }
      const response = await app.fetch(new Request(`http://service.test${target}`, init))
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      }
    },
    close: async () => undefined,
  }
}

/** Sends requests over a socket, with exactly these bytes. */
export async function askOverHttp({ app }: TestService, listener: 'node' | 'native'): Promise<Way> {
  const server = await serve(app.handle, { port: 0, listener })
  return {
    async ask(request) {
      const { status, headers, body } = await rawRequest(server.url, toRawRequest(request))
      return { status, headers, body: Buffer.from(body, 'latin1').toString('utf8') }
    },
    close: () => server.close(0),
  }
}

function toRawRequest({ method = 'GET', target, headers = {}, body }: WireRequest): Uint8Array {
  const content = Buffer.from(body ?? '')
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: service.test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${content.length}`]),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), content])
}
