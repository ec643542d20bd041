import {
  type Api,
  type CveRecord,
  findNamedApis,
  type ScansUsingApi,
  toRecordProducts,
} from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import type { ViewedRequest } from '../page.ts'
import { formatNumber, note } from '../parts/text.ts'
import { toScanPath } from '../scans/paths.ts'

/** Limits on the APIs that are listed and the products that are compared. */
const MAX_APIS = 10
const MAX_PRODUCTS = 100

/** Lists the catalogued APIs that match a record by name, and the account's scans that use them. */
export async function affectedApisSection(
  { app, viewer }: ViewedRequest,
  record: CveRecord,
): Promise<Html> {
  const { listed, others } = toRecordProducts(record)
  const products = [...listed, ...others].slice(0, MAX_PRODUCTS)
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
        app.scans.findScansUsingApi(account, id),
      ])
      return { api, uses }
    }),
  )
  const isUsed = shown.some(({ uses }) => uses.projects.length + uses.networks.length > 0)
  return html`<h2>In your catalogue</h2>
${note(
  html`<p>${isUsed ? 'It may affect an API that you use.' : 'It may affect a catalogued API that none of your scans uses.'} The match is by vendor and product name only, so it is unconfirmed: compare the versions.</p>`,
  isUsed ? 'bad' : 'warn',
)}
<ul>${shown.map(({ api, uses }) => affectedApiItem(api, uses))}</ul>
${touched.length > MAX_APIS ? html`<p>${formatNumber(touched.length - MAX_APIS)} more are not shown.</p>` : ''}`
}

function affectedApiItem(api: Api, { projects, networks }: ScansUsingApi): Html {
  const scans = [
    ...projects.map(({ scan: { id, name } }) =>
      renderLink(toScanPath({ kind: 'project', id }), name),
    ),
    ...networks.map(({ scan: { instanceId: id, networkName } }) =>
      renderLink(toScanPath({ kind: 'network', id }), networkName || id),
    ),
  ]
  const shown = scans.slice(0, MAX_APIS)
  const rest = scans.length - shown.length
  return html`<li>${renderLink(toApiPath(api), api.name)} of ${api.vendor.name}${
    shown.length > 0
      ? html`, used by ${shown.map((scan, index) => html`${index > 0 ? ', ' : ''}${scan}`)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`
      : ', not used in any of your scans'
  }</li>`
}

function renderLink(path: string, text: string): Html {
  return html`<a href="${path}">${text}</a>`
}
