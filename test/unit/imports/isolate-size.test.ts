import { afterAll, describe, expect, it } from 'vitest'
import { createWorkerIsolate } from '../../../adapters/isolate/worker-isolate.ts'
import { PARSE_TASK } from '../../../core/imports/parse-description.ts'

describe('a large file in a thread', () => {
  const isolate = createWorkerIsolate()
  afterAll(() => isolate.close())

  it('is parsed within the timeout, which excludes the transfer to the thread', async () => {
    const whole = new Uint8Array(24 * 1024 * 1024).fill(0x20)
    for (const bytes of [whole, whole.subarray(1), new Uint8Array(Buffer.from('  '))]) {
      const run = isolate.run(PARSE_TASK, { bytes, options: {} }, { timeoutMs: 60_000 })
      await expect(run).rejects.toMatchObject({
        code: 'invalid_body',
        message: 'Cannot import the file: it is empty',
      })
    }
    expect(whole.byteLength).toBe(24 * 1024 * 1024)
  })
})
