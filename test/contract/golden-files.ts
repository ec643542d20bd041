import { readFile, writeFile } from 'node:fs/promises'
import type { GoldenCase } from './golden-cases.ts'

/** A response as stored in the files. */
export interface GoldenAnswer {
  readonly name: string
  readonly request: string
  readonly status: number
  /** Without common headers, headers of the transport, and values that depend on the release. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body, if its text equals the output of `JSON.stringify`. */
  readonly json?: unknown
  /** Any other body, line by line. */
  readonly lines?: readonly string[]
}

/** Headers of every response (asserted once) and of connections. */
const LEFT_OUT = new Set([
  'cache-control',
  'vary',
  'x-content-type-options',
  'x-request-id',
  'etag',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])

/** Converts a response for storage in, or comparison with, a golden file. */
export function toGoldenAnswer(
  { name, method = 'GET', target }: GoldenCase,
  answer: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  },
): GoldenAnswer {
  const headers = Object.entries(answer.headers).filter(([key]) => !LEFT_OUT.has(key))
  return {
    name,
    request: `${method} ${target}`,
    status: answer.status,
    headers: Object.fromEntries(headers.sort(([left], [right]) => (left < right ? -1 : 1))),
    ...toGoldenBody(answer.body),
  }
}

/** Returns the exact body of a golden response. */
export function toBodyText({ json, lines }: GoldenAnswer): string {
  return lines ? lines.join('\n') : JSON.stringify(json)
}

/** Reads the responses of one operation; none if the file is missing. */
export async function readGolden(operation: string): Promise<readonly GoldenAnswer[]> {
  const text = await readFile(toGoldenUrl(operation), 'utf8').catch(() => '[]')
  return JSON.parse(text)
}

/** Rewrites the responses of one operation. */
export async function writeGolden(
  operation: string,
  answers: readonly GoldenAnswer[],
): Promise<void> {
  await writeFile(toGoldenUrl(operation), `${JSON.stringify(answers, undefined, 2)}\n`)
}

function toGoldenUrl(operation: string): URL {
  return new URL(`../../fixtures/golden/${operation}.json`, import.meta.url)
}

function toGoldenBody(text: string): Pick<GoldenAnswer, 'json' | 'lines'> {
  try {
    const json: unknown = JSON.parse(text)
    if (JSON.stringify(json) === text) return { json }
  } catch {
    // Not JSON: stored line by line.
  }
  return { lines: text.split('\n') }
}
