import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, emptyState, formatNumber, note } from '../parts/text.ts'
import { toScanPath } from './paths.ts'
import { scanHead, toTitle } from './scan-head.ts'

/** Maximum number of looked up addresses. */
const MOST = 500
/** Number of addresses listed with each location. */
const NAMED = 5

interface Place {
  readonly city: string
  readonly country: string
  readonly isp: string
  readonly addresses: string[]
  uses: number
  rows: number
}

/** Geolocations of a network's remote addresses. */
export async function answerPlaces(request: ViewedRequest): Promise<PageResult> {
  const { app, params, viewer } = request
  const { account } = viewer.caller
  const counted = await app.scans.getCounted(account, { kind: 'network', id: params.id ?? '' })
  const { scan } = counted
  const found = await app.scans.listAddresses(account, { scan, limit: MOST })
  const places = new Map<string, Place>()
  for (const { address, uses, rows } of found.addresses) {
    const { city = '', country = '', isp = '' } = app.scans.findPlace(address) ?? {}
    const key = JSON.stringify([city, country, isp])
    const place = places.get(key) ?? { city, country, isp, addresses: [], uses: 0, rows: 0 }
    places.set(key, place)
    place.addresses.push(address)
    place.uses += uses
    place.rows += rows
  }
  const rows = [...places.values()].sort((a, b) => b.rows - a.rows)
  const isUnknown = rows.every(({ city, country, isp }) => !city && !country && !isp)
  const body = html`${scanHead(counted, { tab: 'places' })}
${found.total > MOST ? note(`Includes the ${MOST} addresses with the most flows, of ${formatNumber(found.total)}.`) : ''}
${rows.length > 0 && isUnknown ? note(html`No locations found. Private addresses have none. For other addresses, start the service with a geolocation database: <code>${request.command} serve --geoip FILE</code>`) : ''}
${
  rows.length === 0
    ? emptyState(
        'No addresses were captured.',
        html`<p><a href="${toScanPath(scan)}">Back to the scan</a></p>`,
      )
    : table<Place>({
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
              html`${addresses.slice(0, NAMED).map((address) => html`<code>${address}</code> `)}${addresses.length > NAMED ? `and ${formatNumber(addresses.length - NAMED)} more` : ''}`,
          },
        ],
      })
}`
  return { kind: 'page', title: `Locations of ${toTitle(scan)}`, body }
}
