import { describe, expect, it } from 'vitest'
import { toBars } from '../../adapters/cli/benchmark-text.ts'

type Row = Parameters<typeof toBars>[0][number]

function row(at_ms: number, more: Partial<Row>): Row {
  return { at_ms, sent: 0, ok: 0, limited: 0, failed: 0, p50_ms: null, p99_ms: null, ...more }
}

describe('bars over the time', () => {
  it('have one scale, and a line for each outcome that there was', () => {
    expect(
      toBars([
        row(0, { ok: 1 }),
        row(400, { ok: 3 }),
        row(600, { ok: 8 }),
        row(1900, { limited: 2 }),
      ]),
    ).toEqual(['Served     ▄█  ', 'Limited       ▂', '           4 steps of 500 ms, up to 8 each'])
  })

  it('are no more than 60, however long a test takes', () => {
    const rows = [row(0, { ok: 1 }), row(299_900, { failed: 1 })]
    expect(toBars(rows)).toEqual([
      `Served     █${' '.repeat(59)}`,
      `Failed     ${' '.repeat(59)}█`,
      '           60 steps of 5 s, up to 1 each',
    ])
  })
})
