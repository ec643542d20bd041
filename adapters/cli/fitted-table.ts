import { GAP, type Io, measureTable, shorten, toPrintable, toTable } from './io.ts'

/** A table that can be made narrower. Columns are told by their numbers, from 0. */
export interface FittedTable {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Two columns that go where a terminal is narrow, the first one first. */
  readonly dropped: readonly [number, number]
  /** Columns whose cells are cut at their start, as their ends tell more. */
  readonly cutAtStart?: readonly number[]
}

/** Terminals that are narrower lose a column of a table that does not fit. */
const NARROW = [110, 90] as const

/** No column is made narrower. */
const MIN_WIDTH = 8

/** Prints a table that fits a terminal: columns are dropped, then the widest cells cut. */
export function printTable(io: Io, table: FittedTable): void {
  const columns = io.terminal?.columns
  if (columns === undefined) {
    io.result(toTable(table.headings, table.rows))
    return
  }
  const all = [table.headings, ...table.rows].map((row) => row.map(toPrintable))
  const widths = table.headings.map((_, column) =>
    measureTable(
      [''],
      all.map((row) => [row[column] ?? '']),
    ),
  )
  for (const [index, width] of NARROW.entries()) {
    const column = table.dropped[index]
    if (columns < width && column !== undefined && countOver(widths, columns) > 0) {
      widths[column] = 0
    }
  }
  narrow(widths, columns)
  const [headings = [], ...rows] = all.map((row) =>
    row.flatMap((cell, column) => {
      const width = widths[column] ?? cell.length
      if (width === 0) return []
      return table.cutAtStart?.includes(column) ? shortenStart(cell, width) : shorten(cell, width)
    }),
  )
  io.result(toTable(headings, rows))
}

/** Characters that columns have too many; one without width is not shown. */
function countOver(widths: readonly number[], columns: number): number {
  const shown = widths.filter((width) => width > 0)
  return shown.reduce((sum, width) => sum + width, (shown.length - 1) * GAP) - columns
}

/** Makes the widest column narrower until all fit. */
function narrow(widths: number[], columns: number): void {
  for (let over = countOver(widths, columns); over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= MIN_WIDTH) return
    widths[widest] = width - 1
  }
}

/** At most so many characters, the first an ellipsis where some are left out. */
function shortenStart(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `…${characters.slice(1 - length).join('')}`
}
