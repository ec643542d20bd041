import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createWorkerIsolate } from '../../../adapters/isolate/worker-isolate.ts'
import { ServiceError } from '../../../core/errors.ts'
import {
  PARSE_TASK,
  parseDescription,
  parseInline,
  runParseTask,
  unpackDescription,
} from '../../../core/imports/parse-description.ts'
import { runSynchronously } from '../../../core/shared/time-slices.ts'

const FIXTURES = new URL('../../../fixtures/descriptions/', import.meta.url)
const LIBRARY = readFileSync(new URL('library-swagger-2.0.json', FIXTURES))
const SPINNING = new URL('spinning-worker.mjs', import.meta.url)

async function findRejection(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ServiceError)) throw error ?? new Error('It was done')
  return { code: error.code, message: error.message, extra: error.extra }
}

describe('parsing in a thread', () => {
  const isolate = createWorkerIsolate()
  afterAll(() => isolate.close())
  const limits = { timeoutMs: 50_000 }

  it('returns the same result as inline parsing', async () => {
    const input = { bytes: LIBRARY, options: { baseUrl: 'https://base.example.com' } }
    const packed = await isolate.run<typeof input, ReturnType<typeof runParseTask>>(
      PARSE_TASK,
      input,
      limits,
    )
    expect(runSynchronously(unpackDescription(packed))).toEqual(parseInline(input))
  })

  it("leaves the caller's bytes unchanged, and releases those of the thread", async () => {
    let released = 0
    const release = () => {
      released += 1
    }
    runParseTask({ bytes: LIBRARY, options: {} }, release)
    const bytes = new Uint8Array(LIBRARY)
    await isolate.run(PARSE_TASK, { bytes, options: {} }, limits)

    expect(released).toBe(1)
    expect(bytes).toEqual(new Uint8Array(LIBRARY))
  })

  it('parses files sequentially and concurrently with a spare thread', async () => {
    const ready = createWorkerIsolate({ spareThreads: 1, idleMs: 1 })
    // Large enough that the thread is terminated afterwards.
    const bytes = new TextEncoder().encode(
      `${new TextDecoder().decode(LIBRARY)}${' '.repeat(1_100_000)}`,
    )
    const parse = () => ready.run(PARSE_TASK, { bytes: new Uint8Array(bytes), options: {} }, limits)
    try {
      await parse()
      const replies = await Promise.all([parse(), parse(), parse()])
      expect(replies.map((reply) => reply !== undefined)).toEqual([true, true, true])
    } finally {
      await ready.close()
    }
  })

  it('is used for large descriptions, and for YAML that is parsed many times', async () => {
    const bytes = new TextEncoder().encode(
      `${new TextDecoder().decode(LIBRARY)}${' '.repeat(200_000)}`,
    )
    const tasks: string[] = []
    // Uses the longer time limit of this test: on a busy machine, that of imports may be too short.
    const watched = {
      ...isolate,
      run: (task: string, input: never) => {
        tasks.push(task)
        return isolate.run(task, input, limits)
      },
    }
    const parsed = await parseDescription(bytes, { isolate: watched as typeof isolate })
    expect(parsed.endpoints.length).toBe(3)
    await parseDescription(LIBRARY, { isolate: watched as typeof isolate })
    expect(tasks).toEqual([PARSE_TASK])
    const toYaml = (count: number) => {
      const rows = Array.from({ length: count }, (_, index) => `x-${index}: "a\nb"\n`)
      return new TextEncoder().encode(
        `openapi: 3.1.0\ninfo: {title: Rows}\npaths: {}\n${rows.join('')}`,
      )
    }
    for (const count of [5, 500]) {
      const yaml = await parseDescription(toYaml(count), { isolate: watched as typeof isolate })
      expect(yaml.report.warnings.length).toBe(Math.min(count, 201))
    }
    expect(tasks).toEqual([PARSE_TASK, PARSE_TASK])
  })

  it('forwards errors with their location', async () => {
    const bytes = new TextEncoder().encode('{"openapi": "3.0.0",\n "paths": [}')
    const input = { bytes, options: {} }
    expect(await findRejection(isolate.run(PARSE_TASK, input, limits))).toEqual({
      code: 'invalid_description',
      message: 'Invalid JSON: expected a value (line 2, column 12)',
      extra: { line: 2, column: 12 },
    })
  })

  it('runs more tasks than it has threads, and reuses threads', async () => {
    const input = { bytes: LIBRARY, options: {} }
    const expected = runParseTask(input)
    const all = Array.from({ length: 7 }, () => isolate.run(PARSE_TASK, input, limits))
    for (const parsed of await Promise.all(all)) expect(parsed).toEqual(expected)
  })
})

describe('an unresponsive thread', () => {
  it('is killed after its timeout, and replaced for the next task', async () => {
    const isolate = createWorkerIsolate({ entry: SPINNING, maxWorkers: 1 })
    const limits = { timeoutMs: 300 }
    const stuck = [isolate.run('spin', 0, limits), isolate.run('spin', 0, limits)]
    for (const work of stuck) {
      expect(await findRejection(work)).toEqual({
        code: 'too_expensive',
        message: 'Cannot read the file: it takes more than 300 ms',
        extra: {},
      })
    }
    expect(await isolate.run('echo', 'still here', { timeoutMs: 20_000 })).toBe('still here')
    await isolate.close()
  })

  it('is killed if the caller aborts or the host closes', async () => {
    const isolate = createWorkerIsolate({ entry: SPINNING })
    const controller = new AbortController()
    const { signal } = controller
    const abandoned = findRejection(isolate.run('spin', 0, { timeoutMs: 20_000, signal }))
    const closing = findRejection(isolate.run('spin', 0, { timeoutMs: 20_000 }))
    setTimeout(() => controller.abort(), 200)
    expect((await abandoned).message).toBe('The import was cancelled')
    await isolate.close()
    expect((await closing).message).toBe('The service is closing')
  })

  it('rejects waiting tasks if the caller aborts, and all tasks after closing', async () => {
    const isolate = createWorkerIsolate({ entry: SPINNING, maxWorkers: 1 })
    const limits = { timeoutMs: 50_000 }
    const first = findRejection(isolate.run('spin', 0, limits))
    const controller = new AbortController()
    const { signal } = controller
    const abandoned = findRejection(isolate.run('echo', 0, { ...limits, signal }))
    const waiting = findRejection(isolate.run('echo', 0, limits))
    controller.abort()
    const givenUp = { code: 'too_expensive', message: 'The import was cancelled', extra: {} }
    expect(await abandoned).toEqual(givenUp)
    expect(await findRejection(isolate.run('echo', 0, { ...limits, signal }))).toEqual(givenUp)
    await isolate.close()
    const closing = { code: 'overloaded', message: 'The service is closing', extra: {} }
    expect(await first).toEqual(closing)
    expect(await waiting).toEqual(closing)
    expect(await findRejection(isolate.run('echo', 0, limits))).toEqual(closing)
  })

  it('rejects tasks if the queue is full', async () => {
    const isolate = createWorkerIsolate({ entry: SPINNING, maxWorkers: 1, maxWaiting: 0 })
    const first = findRejection(isolate.run('spin', 0, { timeoutMs: 200 }))
    expect((await findRejection(isolate.run('echo', 1, { timeoutMs: 200 }))).code).toBe(
      'overloaded',
    )
    await first
    await isolate.close()
  })
})
