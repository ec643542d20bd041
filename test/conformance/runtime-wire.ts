import { expect } from 'vitest'
import { openRaw } from '../helpers/raw-http.ts'
import type { Vector } from './runtime-vectors.ts'

/** A GET without a body. */
export function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
}

/** A request with a counted body. */
export function counted(method: string, target: string, body: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** A request with a chunked body. */
export function chunked(method: string, target: string, parts: readonly string[]): string {
  const body = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
  return `${method} ${target} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`
}

/** Sends each vector on a connection of its own; the statuses of all that came back. */
export async function exchangeAll(url: string, vectors: readonly Vector[]) {
  const answered: { readonly title: string; readonly statuses: readonly number[] }[] = []
  for (let start = 0; start < vectors.length; start += 20) {
    const batch = vectors.slice(start, start + 20)
    answered.push(
      ...(await Promise.all(
        batch.map(async ([title, bytes]) => ({ title, statuses: await exchange(url, bytes) })),
      )),
    )
  }
  return answered
}

/** Waits until something is true, at most 10 s, and expects it to be. */
export async function eventually(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !isTrue(); attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(isTrue()).toBe(true)
}

/** Waits until a number stays the same for 200 ms, at most 10 s. */
export async function settled(read: () => number): Promise<void> {
  let last = -1
  let same = 0
  for (let attempt = 0; attempt < 500 && same < 10; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    same = read() === last ? same + 1 : 0
    last = read()
  }
}

/** Statuses of all that comes back until the server closes or has had time to answer. */
async function exchange(url: string, request: string): Promise<number[]> {
  const connection = await openRaw(url)
  let text = ''
  connection.socket.on('data', (chunk: Uint8Array) => {
    text += new TextDecoder('latin1').decode(chunk)
  })
  connection.send(request)
  const late = new Promise((resolve) => setTimeout(resolve, 300))
  await Promise.race([connection.readToEnd(), late])
  connection.close()
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status))
}
