import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createChildSync } from '../../adapters/cli/serve-sync.ts'

const [, program = ''] = process.argv

afterEach(() => {
  process.argv[1] = program
})

describe('createChildSync', () => {
  it('ignores lines that are no events', async () => {
    process.argv[1] = fileURLToPath(new URL('../helpers/noisy-sync.ts', import.meta.url))
    const sync = createChildSync({ environment: process.env, settings: {}, logger: undefined })
    expect(await sync(new AbortController().signal)).toEqual([
      { source: 'kev', state: 'loaded', message: '' },
    ])
  })
})
