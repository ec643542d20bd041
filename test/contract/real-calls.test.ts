import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OutgoingCall } from '../../core/calls/call.ts'
import { createCallPlan } from '../../core/calls/call-plan.ts'
import { parseInline } from '../../core/imports/parse-description.ts'
import { findSharedData } from '../helpers/shared-data.ts'
import { isRaw, type Raw } from './real-calls/raw.ts'
import { type Reading, readOperations } from './real-calls/reading.ts'

const folder = findSharedData()
/** Larger ones would only take longer. */
const MAX_BYTES = 400_000

interface Case {
  readonly file: string
  readonly reading: Reading
  readonly call: () => OutgoingCall
}

function* findCases(folder: string, skips: Map<string, number>): Iterable<Case> {
  for (const file of readdirSync(`${folder}/openapi`).toSorted()) {
    if (!file.endsWith('.json')) continue
    const bytes = readFileSync(`${folder}/openapi/${file}`)
    const document = bytes.length <= MAX_BYTES ? parseRaw(bytes.toString()) : undefined
    if (!document?.paths) continue
    const { endpoints } = parseInline({ bytes, options: {} })
    const byKey = new Map(
      endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
    )
    for (const reading of readOperations(document)) {
      if ('skipped' in reading) {
        skips.set(reading.skipped, (skips.get(reading.skipped) ?? 0) + 1)
        continue
      }
      const endpoint = byKey.get(`${reading.method} ${reading.path}`)
      if (!endpoint) throw new Error(`${file}: ${reading.method} ${reading.path} is not imported`)
      yield { file, reading, call: () => createCallPlan(endpoint).build(reading.values) }
    }
  }
}

function parseRaw(text: string): Raw | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRaw(value) ? value : undefined
  } catch {
    // Some files of the collection are no JSON on purpose.
    return undefined
  }
}

/** The request in the form of `Reading.expected`. */
async function readCall({ url, headers, body }: OutgoingCall): Promise<Reading['expected']> {
  const [start = '', query = ''] = url.split('?')
  const lines = Object.fromEntries(headers)
  const type = lines['content-type']
  const plain = type?.startsWith('multipart/') ? 'multipart/form-data' : type
  return {
    start,
    pairs: query === '' ? [] : query.split('&').toSorted(),
    headers: plain === undefined ? lines : { ...lines, 'content-type': plain },
    body: body && (await readBody(body, type ?? '')),
  }
}

async function readBody(bytes: Uint8Array, type: string): Promise<unknown> {
  if (/json$/.test(type)) return JSON.parse(new TextDecoder().decode(bytes))
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
  const form = await response.formData()
  const pairs: string[] = []
  for (const [name, value] of form) {
    pairs.push(`${name}=${typeof value === 'string' ? value : await value.text()}`)
  }
  return pairs.toSorted()
}

describe.skipIf(!folder)('calls of real endpoints', () => {
  it('match an independent interpretation of their descriptions', async () => {
    const skips = new Map<string, number>()
    const wrong: unknown[] = []
    const counts = { calls: 0, bodies: 0, forms: 0 }
    for (const { file, reading, call } of findCases(folder ?? '', skips)) {
      counts.calls += 1
      const { expected } = reading
      if (expected.body !== undefined) counts.bodies += 1
      if (expected.headers['content-type']?.includes('form')) counts.forms += 1
      try {
        expect(await readCall(call())).toEqual(expected)
      } catch (error) {
        wrong.push({ file, reading, error })
      }
    }
    expect(wrong).toEqual([])
    expect(counts.calls).toBeGreaterThan(1000)
    expect(counts.bodies).toBeGreaterThan(200)
    expect(counts.forms).toBeGreaterThan(15)
    // Few operations are skipped.
    expect([...skips.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(200)
  })
})
