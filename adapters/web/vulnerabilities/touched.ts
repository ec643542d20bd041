import {
  type Api,
  type CveRecord,
  findNamedApis,
  type ScanUses,
  toAffectedProducts,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { ViewedRequest } from '../page.ts'
import { count, note } from '../parts/text.ts'
import { toScanPath } from '../scans/paths.ts'

/** APIs that are told of at the most, and products that are looked at. */
const MAX_APIS = 10
const MAX_PRODUCTS = 100

/** Which catalogued APIs a record may touch, by their names, and who of the account uses them. */
export async function touchedSection(
  { app, viewer }: ViewedRequest,
  record: CveRecord,
): Promise<Html> {
  const products = toAffectedProducts(record.configurations).slice(0, MAX_PRODUCTS)
  if (products.length === 0) return html``
  const facts = await app.catalogue.listFacts()
  const named = facts.map(({ id, name, vendor }) => ({ id, name, vendorName: vendor.name }))
  const touched = findNamedApis(named, products)
  if (touched.length === 0) return html``
  const { account } = viewer.caller
  const shown = await Promise.all(
    touched.slice(0, MAX_APIS).map(async ({ id }) => {
      const [api, uses] = await Promise.all([
        app.catalogue.getApi(String(id)),
        app.scans.findUses(account, id),
      ])
      return { api, uses }
    }),
  )
  const isUsed = shown.some(({ uses }) => uses.projects.length + uses.networks.length > 0)
  return html`<h2>In your catalogue</h2>
${note(
  html`<p>${isUsed ? 'It may touch an API that you use.' : 'It may touch a catalogued API, which none of your scans has found in use.'} It goes by the names of vendor and product alone, so it is unconfirmed: compare the versions.</p>`,
  isUsed ? 'bad' : 'warn',
)}
<ul>${shown.map(({ api, uses }) => touchedItem(api, uses))}</ul>
${touched.length > MAX_APIS ? html`<p>${count(touched.length - MAX_APIS)} more are not shown.</p>` : ''}`
}

function touchedItem(api: Api, { projects, networks }: ScanUses): Html {
  const scans = [
    ...projects.map(({ scan: { id, name } }) => link(toScanPath({ kind: 'project', id }), name)),
    ...networks.map(({ scan: { instanceId: id, networkName } }) =>
      link(toScanPath({ kind: 'network', id }), networkName || id),
    ),
  ]
  const shown = scans.slice(0, MAX_APIS)
  const rest = scans.length - shown.length
  return html`<li>${link(toApiPath(api), api.name)} of ${api.vendor.name}${
    shown.length > 0
      ? html`, used by ${shown.map((scan, index) => html`${index > 0 ? ', ' : ''}${scan}`)}${rest > 0 ? ` and ${count(rest)} more` : ''}`
      : ', in none of your scans'
  }</li>`
}

function link(path: string, text: string): Html {
  return html`<a href="${path}">${text}</a>`
}
