import { type Api, findKnownVulnerabilities, type KnownVulnerability } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, formatNumber, note, timeElement } from '../parts/text.ts'
import { createExcerpt } from './labels.ts'

const MAX_SHOWN_CVES = 10

/** Renders CVEs of products with the names of an API or its vendor, known exploited ones first. */
export async function vulnerabilitiesSection(
  { app }: ViewedRequest,
  api: Pick<Api, 'name' | 'vendor'>,
): Promise<Html> {
  const named = { name: api.name, vendorName: api.vendor.name }
  const known = await findKnownVulnerabilities(app.vulnerabilities, {
    api: named,
    limit: MAX_SHOWN_CVES,
  })
  const heading = html`<h2 id="vulnerabilities">Known vulnerabilities</h2>`
  if (known.count === 0) {
    return html`${heading}<p class="soft">No CVE mentions a product of “${api.vendor.name}” with a similar name. This does not mean that the API is secure.</p>`
  }
  const { exploited } = known
  return html`${heading}
${note(html`<strong>Unconfirmed:</strong> ${formatNumber(known.count)} ${known.count === 1 ? 'CVE mentions' : 'CVEs mention'} a product named like this API or its vendor${exploited > 0 ? html`, ${formatNumber(exploited)} of them known exploited` : ''}. The version that the vendor runs is unknown.`, exploited > 0 ? 'bad' : 'warn')}
${table({
  caption: known.count > known.found.length ? `The first ${known.found.length}` : 'All of them',
  columns: [
    {
      title: 'CVE',
      isHead: true,
      cell: ({ id, isExploited }: KnownVulnerability) =>
        html`<a href="${CONSOLE}/vulnerabilities/${id}">${id}</a>${isExploited ? html` ${badge('Exploited', 'worst')}` : ''}`,
    },
    { title: 'Product', cell: ({ vendor, product }) => `${vendor} ${product}` },
    { title: 'Score', isNumber: true, cell: ({ metric }) => metric?.score.toFixed(1) ?? '–' },
    { title: 'Published', isTight: true, cell: ({ publishedAt }) => timeElement(publishedAt) },
    { title: 'Description', cell: ({ description }) => createExcerpt(description, 160) },
  ],
  rows: known.found,
})}`
}
