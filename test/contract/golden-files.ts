import { readFile, writeFile } from 'node:fs/promises'
import type { GoldenCase } from './golden-cases.ts'

/** What was answered, as the files keep it. */
export interface GoldenAnswer {
  readonly name: string
  readonly request: string
  readonly status: number
  /** Without what every answer has and what the transport adds; without values that name a release. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body when its text is exactly what `JSON.stringify` makes of it. */
  readonly json?: unknown
  /** Any other body, line by line. */
  readonly lines?: readonly string[]
}

/** Headers that every answer has (asserted once) and those of connections. */
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

/** An answer on its way into, or to be compared with, a golden file. */
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
    ...toBody(answer.body),
  }
}

/** The body's text, byte for byte, that a golden answer stands for. */
export function toText({ json, lines }: GoldenAnswer): string {
  return lines ? lines.join('\n') : JSON.stringify(json)
}

/** The answers of one operation; none when the file is not there. */
export async function readGolden(operation: string): Promise<readonly GoldenAnswer[]> {
  const text = await readFile(toUrl(operation), 'utf8').catch(() => '[]')
  return JSON.parse(text)
}

/** Rewrites the answers of one operation. */
export async function writeGolden(
  operation: string,
  answers: readonly GoldenAnswer[],
): Promise<void> {
  await writeFile(toUrl(operation), `${JSON.stringify(answers, undefined, 2)}\n`)
}

function toUrl(operation: string): URL {
  return new URL(`../../fixtures/golden/${operation}.json`, import.meta.url)
}

function toBody(text: string): Pick<GoldenAnswer, 'json' | 'lines'> {
  try {
    const json: unknown = JSON.parse(text)
    if (JSON.stringify(json) === text) return { json }
  } catch {
    // No JSON: kept line by line.
  }
  return { lines: text.split('\n') }
}
