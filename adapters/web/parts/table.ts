import { type Html, html } from '../../../core/shared/html.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => unknown
  /** Right-aligned, with digits of equal width. */
  readonly isNumber?: boolean
  /** Never wrapped. */
  readonly isTight?: boolean
  /** Sort key for scripts; default: the cell's text. */
  readonly sortValue?: (row: Row) => string | number
  /** The column is not sortable: checkboxes, buttons. */
  readonly isUnsorted?: boolean
  /** The column contains the row header. */
  readonly isHead?: boolean
}

/**
 * Renders a table that scrolls if it is too wide. The caption describes its rows. If a heading
 * above has the same text, the caption is shown only to screen readers. On a phone each row is
 * rendered as a card; the roles preserve the table semantics.
 */
export function table<Row>(options: {
  readonly caption: unknown
  readonly hasHeading?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}): Html {
  const { caption, hasHeading, columns, rows } = options
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table role="table">
<caption${hasHeading ? html` class="unseen"` : ''}>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ title, isNumber, isTight, isUnsorted }) =>
      html`<th scope="col" role="columnheader"${isNumber ? html` class="number"` : isTight ? html` class="tight"` : ''}>${isUnsorted || rows.length < 2 ? title : html`<span class="unscripted-head">${title}</span><button type="button" class="sort">${title}</button>`}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((column) => renderCell(column, row))}</tr>\n`)}</tbody>
</table></div>`
}

function renderCell<Row>(column: Column<Row>, row: Row): Html {
  const { title, isNumber, isTight, sortValue, isHead } = column
  const name = isNumber ? html` class="number"` : isTight ? html` class="tight"` : ''
  const value = sortValue ? html` data-value="${sortValue(row)}"` : ''
  const content = column.cell(row)
  return isHead
    ? html`<th scope="row" role="rowheader"${name}${value}>${content}</th>`
    : html`<td role="cell" data-title="${title}"${name}${value}>${content}</td>`
}
