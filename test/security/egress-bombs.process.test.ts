import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { BombResult } from '../helpers/egress/bomb-child.ts'
import { runScript } from '../helpers/script.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENCODINGS = ['gzip', 'zstd', 'deflate', 'br']

describe('a gibibyte of zeros in each encoding, and an endless body', () => {
  it('use less than 64 MB each, in a separate process', async () => {
    const child = 'test/helpers/egress/bomb-child.ts'
    const { code, output, errors } = await runScript([child], { cwd: ROOT })
    expect([code, errors]).toEqual([0, ''])
    // The child prints an array of `BombResult`.
    const results = JSON.parse(output) as readonly BombResult[]
    expect(results.map(([name, isRight]) => [name, isRight])).toEqual([
      ...ENCODINGS.map((encoding) => [`passes ${encoding}`, true]),
      ...ENCODINGS.map((encoding) => [`decodes no ${encoding}`, true]),
      ['holds bodies that nobody reads', true],
      ['lets a body flow', true],
    ])
    expect(results.filter(([, , megabytes]) => megabytes >= 64)).toEqual([])
  })
})
