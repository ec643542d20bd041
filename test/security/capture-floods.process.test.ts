import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FloodResult } from '../helpers/capture-flood-child.ts'
import { runScript } from '../helpers/script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FRAMES = 40_000
const MAX_GROWTH_MB = 300
/** Maximum number of conversations that are tracked at the same time. */
const MAX_CONVERSATIONS = 1 << 15

describe('floods of frames in a separate process', () => {
  let results: readonly FloodResult[]

  beforeAll(async () => {
    const child = 'test/helpers/capture-flood-child.ts'
    const { code, output, errors } = await runScript([child], { cwd: ROOT })
    expect([code, errors]).toEqual([0, ''])
    // The child prints an array of `FloodResult`.
    results = JSON.parse(output) as readonly FloodResult[]
  })

  it.each(['new connections', 'requests that never end', 'datagrams', 'names'])(
    'are tracked in a bounded table with many %s',
    (name) => {
      const { flows, before } = find(name)
      expect(flows).toBe(FRAMES)
      expect(flows - before).toBeLessThanOrEqual(MAX_CONVERSATIONS)
    },
  )

  it('stay in bounded memory', () => {
    expect(results.map(({ name }) => name)).toEqual([
      'new connections',
      'requests that never end',
      'datagrams',
      'names',
      'segments that wait for others',
      'fragments',
    ])
    expect(results.filter(({ growthMb }) => growthMb >= MAX_GROWTH_MB)).toEqual([])
  })

  function find(name: string): FloodResult {
    const found = results.find((result) => result.name === name)
    if (!found) throw new Error(`Nothing was told of ${name}`)
    return found
  }
})
