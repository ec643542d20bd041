import { describe, expect, it } from 'vitest'
import { type FittedTable, printFittedTable, shortenPath } from '../../adapters/cli/fitted-table.ts'
import { createProcessIo, wrapNote } from '../../adapters/cli/io.ts'

/** Prints a table of hosts on a terminal with this number of columns. */
function printLines(
  columns: number | undefined,
  rows: FittedTable['rows'],
  more: Partial<FittedTable> = {},
) {
  const results: string[] = []
  const io = {
    ...createProcessIo(),
    result: (line: string) => void results.push(line),
    terminal: columns === undefined ? undefined : { columns, hasColors: false },
  }
  printFittedTable(io, {
    headings: ['HOST', 'DOMAIN', 'VENDOR', 'FIRST'],
    rows,
    dropped: [1, 2],
    cutAtStart: [0, 3],
    ...more,
  })
  return results.join('\n').split('\n').slice(1)
}

const SHORT = ['api.acme.io', 'acme.io', 'Acme', '  src/a.ts:7']
const LONG = ['x'.repeat(50), 'y'.repeat(40), 'Acme', `${'packages/'.repeat(9)}src/a.ts:7`]

describe('a table on a terminal', () => {
  it('is complete if it fits a narrow terminal', () => {
    expect(printLines(42, [SHORT])).toEqual(['api.acme.io  acme.io  Acme     src/a.ts:7'])
  })

  it('drops columns, then truncates cells, if it does not fit', () => {
    expect(printLines(52, [SHORT, LONG])).toEqual([
      `${'api.acme.io'.padEnd(26)}  src/a.ts:7`,
      `…${'x'.repeat(24)}  …${'packages/'.repeat(9).slice(-14)}src/a.ts:7`,
    ])
    expect(printLines(60, [LONG])[0]).toMatch(/^…x+ {2}Acme +…/)
    expect(printLines(90, [LONG])[0]).toContain('yyy')
  })

  it('formats cells for the width of their column, and truncates others to preferred widths', () => {
    const cell = (width: number) => (width < 50 ? 'short' : 'y'.repeat(50))
    const rows = [['x'.repeat(30), 'a.ts:1', cell, '7']]
    expect(printLines(60, rows, { preferred: [30, 8, 8, 8], dropped: [] })).toEqual([
      `${'x'.repeat(30)}  a.ts:1  short   7`,
    ])
    expect(printLines(undefined, rows)[0]).toContain('y'.repeat(50))
  })

  it('drops columns as long as others do not have their preferred widths', () => {
    const shown = (preferred: readonly number[]) => printLines(109, [LONG], { preferred })[0]
    expect(shown([50, 8, 4, 42])).toMatch(/^x{50} {2}Acme +\S+s\/src\/a\.ts:7$/)
    expect(shown([50, 8, 4, 30])).toMatch(/^x{50} {2}y{5,}… {2}Acme +\S+s\/src\/a\.ts:7$/)
  })

  it('is complete without a terminal', () => {
    const whole = LONG.with(2, 'Acme  ').join('  ')
    expect(printLines(undefined, [LONG])).toEqual([whole])
  })
})

it.each([
  [40, 'internal/shop/orders/client.go:7'],
  [31, 'internal/…/orders/client.go:7'],
  [27, 'internal/…/client.go:7'],
  [16, '…/client.go:7'],
  [9, '…ent.go:7'],
])('a path is shortened to %i characters at its middle', (length, short) => {
  expect(shortenPath('internal/shop/orders/client.go:7', length)).toBe(short)
})

it('notes are wrapped between words, with their indentation', () => {
  expect(wrapNote('Add it to .api-discovery.yaml: see the guide', 20)).toBe(
    'Add it to\n.api-discovery.yaml:\nsee the guide',
  )
  expect(wrapNote('  src/a-long-name.ts:3 {}/v1 and more', 24)).toBe(
    '  src/a-long-name.ts:3\n{}/v1 and more',
  )
  expect(wrapNote('one two', undefined)).toBe('one two')
})
