import type { CountedScan, ShownUse, UsedApi } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { toApiPath } from '../catalogue/links.ts'
import { CONSOLE } from '../page.ts'
import { table } from '../parts/table.ts'
import { badge, count, time } from '../parts/text.ts'
import { toScanPath } from './paths.ts'
import { toFigure, toViewQuery, type UseView } from './view.ts'

/** What the list of uses is drawn of. */
export interface UsesList {
  readonly counted: CountedScan
  readonly view: UseView
  readonly uses: readonly ShownUse[]
  readonly apis: ReadonlyMap<number, UsedApi>
  /** Places that are ticked; undefined where the viewer may not review. */
  readonly ticked: ReadonlySet<string> | undefined
  /** APIs of which all are ticked. */
  readonly tickedApis: ReadonlySet<string>
  findPlace(
    address: string,
  ): { readonly city: string; readonly country: string; readonly isp: string } | undefined
}

/** Uses API by API, in the order in which they come. */
export function usesList(given: UsesList): Html {
  const groups = new Map<string, ShownUse[]>()
  for (const use of given.uses) {
    const key = String(use.apiId ?? 'none')
    const group = groups.get(key)
    if (group) group.push(use)
    else groups.set(key, [use])
  }
  return html`${[...groups].map(([key, uses]) => group(given, { key, uses }))}`
}

function group(
  list: UsesList,
  { key, uses }: { readonly key: string; readonly uses: readonly ShownUse[] },
): Html {
  const { counted, view, apis, ticked } = list
  const id = key === 'none' ? undefined : Number(key)
  const api = id === undefined ? undefined : apis.get(id)
  const counts = counted.apis.find(({ apiId }) => apiId === id)
  const name =
    api?.name ?? (id === undefined ? 'Not in the catalogue' : 'No longer in the catalogue')
  const all = counts ? toFigure(counts, view.show) : uses.length
  const ofApi = toViewQuery({ ...view, apiId: id ?? 'none' })
  return html`<section class="use-group ${counted.scan.kind}" aria-labelledby="api-${key}">
<h3 id="api-${key}">${api ? html`<a href="${toApiPath(api)}">${name}</a>` : name}</h3>
<p class="row">${api ? apiBadges(api) : badge('unknown API', 'warn')}
${all > uses.length ? html`<a href="${toScanPath(counted.scan)}?${ofApi}#uses">Show all ${count(all)}</a>` : ''}${
  ticked === undefined || all === 1
    ? ''
    : html`<label class="tick"><input type="checkbox" name="api" value="${key}"${list.tickedApis.has(key) ? html` checked` : ''}> Select all ${count(all)}<span class="unseen"> of ${name}</span></label>`
}</p>
${useTable(list, { name, uses })}
</section>`
}

/** What is known of an API, in short words. */
export function apiBadges(api: UsedApi): Html {
  const { vendorName, version, terms, vulnerabilities, exploited } = api
  return html`<span>${vendorName}${version === '' ? '' : ` ${version}`}</span>
${terms.length === 0 ? badge('no terms known', 'warn') : html`<span class="soft">Terms: ${terms.slice(0, 3).join(', ')}${terms.length > 3 ? ', …' : ''}</span>`}
${exploited.map((cve) => html`<a href="${CONSOLE}/vulnerabilities/${encodeURIComponent(cve)}">${badge(`exploited: ${cve}`, 'worst')}</a> `)}
${vulnerabilities > 0 ? badge(`${count(vulnerabilities)} ${vulnerabilities === 1 ? 'CVE' : 'CVEs'} by name`, 'bad') : ''}`
}

function useTable(
  list: UsesList,
  { name, uses }: { readonly name: string; readonly uses: readonly ShownUse[] },
): Html {
  const { ticked, counted } = list
  const isNetwork = counted.scan.kind === 'network'
  return table<ShownUse>({
    caption: `${name}: ${isNetwork ? 'traffic' : 'endpoints'}`,
    hasHeading: true,
    rows: uses,
    columns: [
      ...(ticked
        ? [
            {
              title: 'Select',
              isTight: true,
              isUnsorted: true,
              cell: (use: ShownUse) => tick(use, ticked),
            },
          ]
        : []),
      { title: isNetwork ? 'Host or URL' : 'Endpoint', isHead: true, cell: (use) => endpoint(use) },
      { title: 'Decision', cell: decision },
      ...(isNetwork
        ? [
            { title: 'Flows', isNumber: true, cell: ({ rows }: ShownUse) => count(rows) },
            { title: 'Directions', isTight: true, cell: directions },
            {
              title: 'First and last seen',
              isTight: true,
              sortValue: ({ firstAt }: ShownUse) => firstAt ?? 0,
              cell: ({ firstAt, lastAt }: ShownUse) => html`${time(firstAt)}<br>${time(lastAt)}`,
            },
            { title: 'Place', cell: (use: ShownUse) => place(list, use) },
          ]
        : [{ title: 'In the code', cell: code }]),
    ],
  })
}

function tick(use: ShownUse, ticked: ReadonlySet<string>): Html {
  const value = String(use.place)
  return html`<input type="checkbox" name="use" value="${value}" aria-label="Select ${use.method.toUpperCase()} ${use.subject}"${ticked.has(value) ? html` checked` : ''}>`
}

/** Method and URL of a use, and what is notable about it. */
export function endpoint(use: ShownUse): Html {
  const { method, subject, isNew, apiId, endpointId } = use
  return html`${isNew ? html`${badge('new', 'warn')} ` : ''}${method ? html`<span class="method">${method}</span> ` : ''}<code>${subject}</code>${
    apiId !== undefined && endpointId === undefined && /:\/\/[^/]+\/./.test(subject)
      ? html` ${badge('endpoint not in the catalogue')}`
      : ''
  }${use.vendorName && apiId === undefined ? html` <span class="soft">${use.vendorName}</span>` : ''}`
}

/** What was decided on a use, by whom, when and why. */
export function decision({ approval, reason, decision: { by, at } }: ShownUse): Html {
  const word =
    approval === 'yes'
      ? badge('approved', 'good')
      : approval === 'no'
        ? badge('refused', 'bad')
        : badge('not reviewed')
  return html`${word}${reason === '' ? '' : html`<br>${reason}`}${at === undefined ? '' : html`<br><span class="soft">${by}, ${time(at)}</span>`}`
}

const MAX_PLACES = 100

function code({ foundIn, packages, rows }: ShownUse): Html {
  const shown = foundIn.slice(0, MAX_PLACES)
  const files = foundIn.length
  return html`${
    files === 0
      ? html`<span class="soft">not told</span>`
      : html`<details><summary>${count(files)} ${files === 1 ? 'place' : 'places'}</summary><ul>${shown.map(
          ({ file, line, column }) =>
            html`<li><code>${file}${line === undefined ? '' : `:${line}`}${column === undefined ? '' : `:${column}`}</code></li>`,
        )}</ul>${files > MAX_PLACES ? html`<p>and ${count(files - MAX_PLACES)} more: the bill of materials has all</p>` : ''}</details>`
  }${packages.map((name) => html`<code>${name}</code> `)}${rows > 1 ? html`<p class="soft">sent ${count(rows)} times; the first is shown</p>` : ''}`
}

function directions({ rows, outgoing }: ShownUse): Html {
  const incoming = rows - outgoing
  const words = [
    ...(outgoing > 0 ? [`${count(outgoing)} out`] : []),
    ...(incoming > 0 ? [`${count(incoming)} in`] : []),
  ]
  return html`${words.join(', ')}`
}

function place(list: UsesList, { address, port }: ShownUse): Html {
  const found = address === '' ? undefined : list.findPlace(address)
  return html`${toPlaceWords(found)}<br><span class="soft">${address}${port === undefined ? '' : html` port ${port}`}</span>`
}

/** `Tallinn, Estonia (Example ISP)`, or that it is not known. */
function toPlaceWords(
  found: { readonly city: string; readonly country: string; readonly isp: string } | undefined,
): Html {
  const words = [found?.city, found?.country].filter(Boolean).join(', ')
  if (!words && !found?.isp) return html`<span class="soft">not known</span>`
  return html`${words || 'not known'}${found?.isp ? ` (${found.isp})` : ''}`
}
