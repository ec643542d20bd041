import { type Html, html } from '../../../core/shared/html.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => unknown
  /** Right-aligned, in figures of one width. */
  readonly isNumber?: boolean
  /** Never broken into lines. */
  readonly isTight?: boolean
  /** By what a script sorts; the cell's text when absent. */
  readonly sortValue?: (row: Row) => string | number
  /** The column names the row. */
  readonly isHead?: boolean
}

/** A table that scrolls by itself where it is too wide. The caption is needed: it says what it lists. */
export function table<Row>(given: {
  readonly caption: unknown
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}): Html {
  const { caption, columns, rows } = given
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map(
    ({ title, isNumber }) =>
      html`<th scope="col"${isNumber ? html` class="number"` : ''}><span class="unscripted-head">${title}</span><button type="button" class="sort">${title}</button></th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>\n`)}</tbody>
</table></div>`
}

function cell<Row>(column: Column<Row>, row: Row): Html {
  const { isNumber, isTight, sortValue, isHead } = column
  const name = isNumber ? html` class="number"` : isTight ? html` class="tight"` : ''
  const value = sortValue ? html` data-value="${sortValue(row)}"` : ''
  const content = column.cell(row)
  return isHead
    ? html`<th scope="row"${name}${value}>${content}</th>`
    : html`<td${name}${value}>${content}</td>`
}
