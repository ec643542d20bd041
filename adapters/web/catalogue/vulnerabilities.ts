import { type Api, findKnownVulnerabilities, type KnownVulnerability } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { CONSOLE, type ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, count, note, time } from '../parts/text.ts'
import { excerpt } from './labels.ts'

const SHOWN = 10

/** CVEs of products that go by the names of an API and its vendor: the exploited ones first. */
export async function vulnerabilitiesSection(
  { app }: ViewedRequest,
  api: Pick<Api, 'name' | 'vendor'>,
): Promise<Html> {
  const named = { name: api.name, vendorName: api.vendor.name }
  const known = await findKnownVulnerabilities(app.vulnerabilities, { api: named, limit: SHOWN })
  const heading = html`<h2 id="vulnerabilities">Known vulnerabilities</h2>`
  if (known.count === 0) {
    return html`${heading}<p class="soft">No CVE names a product of “${api.vendor.name}” like this one. That says nothing of how safe it is.</p>`
  }
  const { exploited } = known
  return html`${heading}
${note(html`<strong>Unconfirmed:</strong> ${count(known.count)} ${known.count === 1 ? 'CVE names' : 'CVEs name'} a product that is called like this API or its vendor${exploited > 0 ? html`, ${count(exploited)} of them known to be exploited` : ''}. Which version the vendor runs is not known.`, exploited > 0 ? 'bad' : 'warn')}
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
    { title: 'Published', isTight: true, cell: ({ publishedAt }) => time(publishedAt) },
    { title: 'What', cell: ({ description }) => excerpt(description, 160) },
  ],
  rows: known.found,
})}`
}
