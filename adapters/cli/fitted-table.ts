import { COLUMN_GAP, formatTable, type Io, measureTableWidth, toPrintable, truncate } from './io.ts'

/** A text, or a function that formats it for a width in characters. */
export type FittedCell = string | ((width: number) => string)

/** A table that can be narrowed to a terminal. Columns are numbered from 0. */
export interface FittedTable {
  readonly headings: readonly FittedCell[]
  readonly rows: readonly (readonly FittedCell[])[]
  /** Columns to drop, in order, as long as the others do not have their preferred widths. */
  readonly dropped: readonly number[]
  /** Widths below which a column is only truncated if no other can be, by column; default 24. */
  readonly preferred?: readonly number[]
  /** Columns whose cells are truncated at the start because their end matters more. */
  readonly cutAtStart?: readonly number[]
}

/** Preferred column width by default, in characters. */
const PREFERRED_WIDTH = 24

/** Minimum column width, in characters. */
const MIN_COLUMN_WIDTH = 8

/**
 * Prints a table that fits the terminal: drops columns, then truncates the widest cells. Without a
 * terminal, prints all cells in full. Columns without any text are dropped.
 */
export function printFittedTable(io: Io, table: FittedTable): void {
  const columns = io.terminal?.columns ?? Number.POSITIVE_INFINITY
  const formatCells = (toWidth: (column: number) => number) =>
    [table.headings, ...table.rows].map((row) =>
      row.map((cell, column) =>
        toPrintable(typeof cell === 'string' ? cell : cell(toWidth(column))),
      ),
    )
  const all = formatCells(() => Number.POSITIVE_INFINITY)
  const widths = table.headings.map((_, column) =>
    measureTableWidth(
      [''],
      all.map((row) => [row[column] ?? '']),
    ),
  )
  const toPreferred = (column: number) => table.preferred?.[column] ?? PREFERRED_WIDTH
  for (const column of table.dropped) {
    const least = widths.map((width, at) => Math.min(width, toPreferred(at)))
    if (countExcessCharacters(least, columns) > 0) widths[column] = 0
  }
  narrowColumns(widths, columns, toPreferred)
  narrowColumns(widths, columns, () => MIN_COLUMN_WIDTH)
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

/** Narrows the widest column until all fit or all have their minimum width. */
function narrowColumns(
  widths: number[],
  columns: number,
  toMinWidth: (column: number) => number,
): void {
  for (let over = countExcessCharacters(widths, columns); over > 0; over -= 1) {
    const cut = widths.map((width, column) => (width > toMinWidth(column) ? width : 0))
    const width = Math.max(...cut)
    if (width === 0) return
    widths[cut.indexOf(width)] = width - 1
  }
}

/**
 * Shortens a path to at most `length` characters: it keeps the first folder, the name of the file
 * and the folders above it that fit.
 */
export function shortenPath(path: string, length: number): string {
  if (path.length <= length) return path
  const [first = '', ...rest] = path.split('/')
  for (const start of [`${first}/…`, '…']) {
    for (let from = 1; from < rest.length; from += 1) {
      const short = [start, ...rest.slice(from)].join('/')
      if (short.length <= length) return short
    }
  }
  return truncateStart(path, length)
}

/** Truncates a string at its start to at most `length` characters, including an ellipsis. */
function truncateStart(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `…${characters.slice(1 - length).join('')}`
}
