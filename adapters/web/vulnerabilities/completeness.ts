import type { YearCompleteness } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { table } from '../parts/table.ts'
import { formatNumber } from '../parts/text.ts'

/** Limit on the years that are shown, the newest first. */
const MAX_YEARS = 10

/** Renders how many records of each year name a product, have configurations or a score. */
export function completenessSection(years: readonly YearCompleteness[]): Html {
  if (years.length === 0) return html``
  const share = (count: number, { records }: YearCompleteness) =>
    html`${formatNumber(count)} <span class="soft">(${Math.floor((count / records) * 100)} %)</span>`
  return html`<h2>How complete the records are</h2>
<p>Since April 2026, NVD analyses few records itself. The others list the products that their reporters state.</p>
${table({
  caption: `Records by year of publication, without rejected ones${years.length > MAX_YEARS ? `; the last ${MAX_YEARS} years` : ''}`,
  columns: [
    { title: 'Year', isHead: true, cell: (of: YearCompleteness) => of.year },
    { title: 'Records', cell: ({ records }) => formatNumber(records) },
    { title: 'With a product', cell: (of) => share(of.withProduct, of) },
    { title: 'With NVD’s analysis', cell: (of) => share(of.withConfigurations, of) },
    { title: 'With a score', cell: (of) => share(of.withScore, of) },
    { title: 'With neither product nor score', cell: (of) => share(of.withNeither, of) },
  ],
  rows: years.toReversed().slice(0, MAX_YEARS),
})}`
}
