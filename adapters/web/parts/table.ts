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
  /** There is nothing to sort by: boxes, buttons. */
  readonly isUnsorted?: boolean
  /** The column names the row. */
  readonly isHead?: boolean
}

/**
 * A table that scrolls by itself where it is too wide. The caption is needed: it says what it lists.
 * It is only read out where a heading above says the same. On a phone each row is a card of its own;
 * the roles say to screen readers that it is a table there too.
 */
export function table<Row>(given: {
  readonly caption: unknown
  readonly hasHeading?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}): Html {
  const { caption, hasHeading, columns, rows } = given
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table role="table">
<caption${hasHeading ? html` class="unseen"` : ''}>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ title, isNumber, isTight, isUnsorted }) =>
      html`<th scope="col" role="columnheader"${isNumber ? html` class="number"` : isTight ? html` class="tight"` : ''}>${isUnsorted || rows.length < 2 ? title : html`<span class="unscripted-head">${title}</span><button type="button" class="sort">${title}</button>`}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((column) => cell(column, row))}</tr>\n`)}</tbody>
</table></div>`
}

function cell<Row>(column: Column<Row>, row: Row): Html {
  const { title, isNumber, isTight, sortValue, isHead } = column
  const name = isNumber ? html` class="number"` : isTight ? html` class="tight"` : ''
  const value = sortValue ? html` data-value="${sortValue(row)}"` : ''
  const content = column.cell(row)
  return isHead
    ? html`<th scope="row" role="rowheader"${name}${value}>${content}</th>`
    : html`<td role="cell" data-title="${title}"${name}${value}>${content}</td>`
}
