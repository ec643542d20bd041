import { COLUMN_GAP, formatTable, type Io, measureTableWidth, toPrintable, truncate } from './io.ts'

/** A text, or a function that formats it for a width in characters. */
export type FittedCell = string | ((width: number) => string)

/** A table that can be narrowed to a terminal. Columns are numbered from 0. */
export interface FittedTable {
  readonly headings: readonly FittedCell[]
  readonly rows: readonly (readonly FittedCell[])[]
  /** Columns to drop: the first below 110 characters, the others below 90; undefined drops none. */
  readonly dropped: readonly (number | undefined)[]
  /** Columns whose cells are truncated at the start because their end matters more. */
  readonly cutAtStart?: readonly number[]
  /** A column whose cells are never truncated. */
  readonly uncut?: number
}

/** Terminal widths below which a table that does not fit drops the first, second, third column. */
const DROP_BELOW_COLUMNS = [110, 90, 90] as const

/** Minimum column width, in characters. */
const MIN_COLUMN_WIDTH = 8

/**
 * Prints a table that fits the terminal: drops columns, then truncates the widest cells. Without a
 * terminal, prints all cells in full.
 */
export function printFittedTable(io: Io, table: FittedTable): void {
  const columns = io.terminal?.columns
  const formatCells = (toWidth: (column: number) => number) =>
    [table.headings, ...table.rows].map((row) =>
      row.map((cell, column) =>
        toPrintable(typeof cell === 'string' ? cell : cell(toWidth(column))),
      ),
    )
  const all = formatCells(() => Number.POSITIVE_INFINITY)
  if (columns === undefined) {
    const [headings = [], ...rows] = all
    io.result(formatTable(headings, rows))
    return
  }
  const widths = table.headings.map((_, column) =>
    measureTableWidth(
      [''],
      all.map((row) => [row[column] ?? '']),
    ),
  )
  for (const [index, width] of DROP_BELOW_COLUMNS.entries()) {
    const column = table.dropped[index]
    if (columns < width && column !== undefined && countExcessCharacters(widths, columns) > 0) {
      widths[column] = 0
    }
  }
  narrowColumns(widths, columns, table.uncut)
  const [headings = [], ...rows] = formatCells((column) => widths[column] ?? 0).map((row) =>
    row.flatMap((cell, column) => {
      const width = widths[column] ?? cell.length
      if (width === 0) return []
      return table.cutAtStart?.includes(column) ? truncateStart(cell, width) : truncate(cell, width)
    }),
  )
  io.result(formatTable(headings, rows))
}

/** Counts the characters by which columns exceed the terminal. A column of width 0 is dropped. */
function countExcessCharacters(widths: readonly number[], columns: number): number {
  const shown = widths.filter((width) => width > 0)
  return shown.reduce((sum, width) => sum + width, (shown.length - 1) * COLUMN_GAP) - columns
}

/** Narrows the widest column until all fit or it reaches the minimum width. */
function narrowColumns(widths: number[], columns: number, uncut: number | undefined): void {
  for (let over = countExcessCharacters(widths, columns); over > 0; over -= 1) {
    const cut = widths.map((width, column) => (column === uncut ? 0 : width))
    const width = Math.max(...cut)
    if (width <= MIN_COLUMN_WIDTH) return
    widths[cut.indexOf(width)] = width - 1
  }
}

/** Truncates a string at its start to at most `length` characters, including an ellipsis. */
function truncateStart(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `…${characters.slice(1 - length).join('')}`
}
