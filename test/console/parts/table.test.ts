import { describe, expect, test } from 'vitest'
import { type Column, table } from '../../../adapters/web/parts/table.ts'

interface Row {
  readonly name: string
  readonly size: number
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', isHead: true, cell: ({ name }) => name },
  {
    title: 'Size',
    isNumber: true,
    sortValue: ({ size }) => size,
    cell: ({ size }) => `${size} KB`,
  },
  { title: 'Select', isTight: true, isUnsorted: true, cell: () => 'x' },
]
const ROWS: readonly Row[] = [
  { name: 'One', size: 1 },
  { name: '<Two>', size: 20 },
]

describe('A table', () => {
  test('is one for screen readers where its rows are drawn as cards, which name their cells', () => {
    const { text } = table({ caption: 'Files', columns: COLUMNS, rows: ROWS })
    expect(text).toContain('<div class="scroll" tabindex="0" role="region" aria-label="Files">')
    expect(text).toContain('<table role="table">\n<caption>Files</caption>')
    expect(text).toContain(
      '<tr role="row"><th scope="row" role="rowheader">&lt;Two&gt;</th><td role="cell" data-title="Size" class="number" data-value="20">20 KB</td><td role="cell" data-title="Select" class="tight">x</td></tr>',
    )
  })

  test('reads out the caption alone where a heading says the same', () => {
    const { text } = table({ caption: 'Files', hasHeading: true, columns: COLUMNS, rows: ROWS })
    expect(text).toContain('<caption class="unseen">Files</caption>')
  })

  test('is sorted by what can be, where there is more than one row', () => {
    const sorted = ({ text }: { readonly text: string }) =>
      [...text.matchAll(/class="sort">([^<]+)/g)].map(([, title]) => title)
    const of = (rows: readonly Row[]) => table({ caption: 'Files', columns: COLUMNS, rows })
    expect(sorted(of(ROWS))).toEqual(['Name', 'Size'])
    expect(sorted(of(ROWS.slice(1)))).toEqual([])
    expect(of(ROWS.slice(1)).text).toContain('<th scope="col" role="columnheader">Name</th>')
  })
})
