import { expect } from 'vitest'
import { openRaw } from '../helpers/raw-http.ts'
import type { Vector } from './runtime-vectors.ts'

/** A GET without a body. */
export function toGetBytes(target: string): string {
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

/** Sends each vector on its own connection. Returns responses in the form of `Vector.answer`. */
export async function exchangeAll(url: string, vectors: readonly Vector[]) {
  const answers: Record<string, string> = {}
  for (let start = 0; start < vectors.length; start += 20) {
    const batch = vectors.slice(start, start + 20)
    await Promise.all(
      batch.map(async ({ title, request }) => {
        answers[title] = await exchange(url, request)
      }),
    )
  }
  return answers
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

const END = 'GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/**
 * Returns the responses to a request, up to that to a final request or the end of the connection.
 */
async function exchange(url: string, request: string): Promise<string> {
  const connection = await openRaw(url)
  const answers: string[] = []
  const read = () => connection.readResponse().catch(ignoreEnd)
  connection.send(request)
  let response = await read()
  if (response) connection.send(END)
  for (; response && answers.at(-1) !== 'GET /end'; response = await read()) {
    if (response.status !== 200) continue
    const { method, target } = JSON.parse(response.body)
    answers.push(`${method} ${target}`.slice(0, 60))
  }
  connection.close()
  return answers.filter((answer) => answer !== 'GET /end').join(' ; ') || 'refused'
}

/** A closed connection is a result; one that stays open without a response is not. */
function ignoreEnd(error: Error): undefined {
  if (!error.message.startsWith('No response')) throw error
}
