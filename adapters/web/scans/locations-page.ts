import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, note } from '../parts/text.ts'
import { toScanPath } from './paths.ts'
import { getScanTitle, renderScanHead } from './scan-head.ts'

/** Maximum number of looked up addresses. */
const MAX_ADDRESSES = 500
/** Number of addresses listed with each location. */
const SHOWN_ADDRESSES = 5

interface LocationRow {
  readonly city: string
  readonly country: string
  readonly isp: string
  readonly addresses: string[]
  uses: number
  rows: number
}

/** Geolocations of a network's remote addresses. */
export async function renderLocationsPage(request: ViewedRequest): Promise<PageResult> {
  const { app, params, viewer } = request
  const { account } = viewer.caller
  const counted = await app.scans.getCounted(account, { kind: 'network', id: params.id ?? '' })
  const { scan } = counted
  const found = await app.scans.listAddresses(account, { scan, limit: MAX_ADDRESSES })
  const places = new Map<string, LocationRow>()
  for (const { address, usages, rows } of found.addresses) {
    const { city = '', country = '', isp = '' } = app.scans.findGeolocation(address) ?? {}
    const key = JSON.stringify([city, country, isp])
    const place = places.get(key) ?? { city, country, isp, addresses: [], uses: 0, rows: 0 }
    places.set(key, place)
    place.addresses.push(address)
    place.uses += usages
    place.rows += rows
  }
  const rows = [...places.values()].sort((a, b) => b.rows - a.rows)
  const isUnknown = rows.every(({ city, country, isp }) => !city && !country && !isp)
  const body = html`${renderScanHead(counted, { tab: 'places' })}
${found.total > MAX_ADDRESSES ? note(`Includes the ${MAX_ADDRESSES} addresses with the most flows, of ${formatNumber(found.total)}.`) : ''}
${rows.length > 0 && isUnknown ? note(html`No locations found. Private addresses have none. For other addresses, start the service with a geolocation database: <code>${request.command} serve --geoip FILE</code>`) : ''}
${
  rows.length === 0
    ? emptyState(
        'No addresses were captured.',
        html`<p><a href="${toScanPath(scan)}">Back to the scan</a></p>`,
      )
    : table<LocationRow>({
        caption: 'Locations, by the last address of each host',
        rows,
        columns: [
          {
            title: 'Country',
            isHead: true,
            cell: ({ country }) => country || badge('unknown'),
          },
          { title: 'City', cell: ({ city }) => city || html`<span class="soft">unknown</span>` },
          { title: 'ISP', cell: ({ isp }) => isp || html`<span class="soft">unknown</span>` },
          { title: 'Hosts and URLs', isNumber: true, cell: ({ uses }) => formatNumber(uses) },
          { title: 'Flows', isNumber: true, cell: (place) => formatNumber(place.rows) },
          {
            title: 'Addresses',
            cell: ({ addresses }) =>
              html`${addresses.slice(0, SHOWN_ADDRESSES).map((address) => html`<code>${address}</code> `)}${addresses.length > SHOWN_ADDRESSES ? `and ${formatNumber(addresses.length - SHOWN_ADDRESSES)} more` : ''}`,
          },
        ],
      })
}`
  return { kind: 'page', title: `Locations of ${getScanTitle(scan)}`, body }
}
