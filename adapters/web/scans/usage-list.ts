import type { CountedScan, ShownUsage, UsageRole, UsedApi } from '../../../core/scans/index.ts'
import { fromOwnerKey } from '../../../core/scans/owners.ts'
import { isPlausibleTime } from '../../../core/shared/dates.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatCodeLocation } from '../../../core/shared/text.ts'
import { CONSOLE } from '../page.ts'
import { type Column, table } from '../parts/table.ts'
import { badge, formatNumber, timeElement } from '../parts/text.ts'
import { toGroupName } from './group-labels.ts'
import { toScanPath } from './paths.ts'
import { REVIEW_FORM } from './review-forms.ts'
import { renderKnownTime } from './times.ts'
import { toViewQuery } from './usage-view.ts'

/** Content of a list of usages. */
export interface UsageList {
  readonly counted: CountedScan
  readonly usages: readonly ShownUsage[]
  readonly apis: ReadonlyMap<number, UsedApi>
  /** Positions of the selected usages; undefined if the viewer may not review. */
  readonly selected: ReadonlySet<string> | undefined
  findGeolocation(
    address: string,
  ): { readonly city: string; readonly country: string; readonly isp: string } | undefined
}

/** Renders a table of single usages. */
export function renderUsageList(list: UsageList): Html {
  const { counted, usages, selected } = list
  const isNetwork = counted.scan.kind === 'network'
  return table<ShownUsage>({
    caption: isNetwork ? 'Traffic' : 'Endpoints',
    hasHeading: true,
    rows: usages,
    columns: [
      ...(selected
        ? [
            {
              title: 'Select',
              isTight: true,
              isUnsorted: true,
              cell: (use: ShownUsage) => renderUsageCheckbox(use, selected),
            },
          ]
        : []),
      {
        title: isNetwork ? 'Host or URL' : 'Endpoint',
        isHead: true,
        cell: (use) => renderEndpointCell(use),
      },
      { title: 'Belongs to', cell: (use) => renderOwner(list, use) },
      { title: 'Decision', cell: renderDecision },
      ...(isNetwork ? networkColumns(list) : [{ title: 'In the code', cell: renderCodeLocations }]),
    ],
  })
}

function networkColumns(list: UsageList): readonly Column<ShownUsage>[] {
  return [
    { title: 'Flows', isTight: true, sortValue: ({ rows }) => rows, cell: renderFlowCounts },
    {
      title: 'Seen',
      isTight: true,
      sortValue: ({ firstAt }) => firstAt,
      cell: ({ firstAt, lastAt }) =>
        isPlausibleTime(lastAt) && firstAt !== lastAt
          ? html`${renderKnownTime(firstAt)}<br>${timeElement(lastAt)}`
          : renderKnownTime(lastAt),
    },
    { title: 'Location', cell: (use) => renderGeolocation(list, use) },
  ]
}

function renderOwner({ counted, apis }: UsageList, use: ShownUsage): Html {
  const api = use.apiId === undefined ? undefined : apis.get(use.apiId)
  const belongsTo = use.apiId === undefined ? fromOwnerKey(use.owner) : undefined
  const name = toGroupName(belongsTo, api)
  const query = toViewQuery({ show: 'all', group: use })
  return html`<a href="${toScanPath(counted.scan)}/endpoints?${query}">${name}</a>`
}

/** Renders badges with facts about an API. */
export function renderApiBadges(api: UsedApi): Html {
  const { vendorName, version, terms, vulnerabilities, exploited } = api
  return html`<span>${vendorName}${version === '' ? '' : ` ${version}`}</span>
${terms.length === 0 ? badge('no terms known', 'warn') : html`<span class="soft">Terms: ${terms.slice(0, 3).join(', ')}${terms.length > 3 ? ', …' : ''}</span>`}
${exploited.map((cve) => html`<a href="${CONSOLE}/vulnerabilities/${encodeURIComponent(cve)}">${badge(`exploited: ${cve}`, 'worst')}</a> `)}
${vulnerabilities > 0 ? badge(`${formatNumber(vulnerabilities)} ${vulnerabilities === 1 ? 'CVE' : 'CVEs'} by name`, 'bad') : ''}`
}

/** Renders the checkbox to select a usage. */
export function renderUsageCheckbox(use: ShownUsage, selected: ReadonlySet<string>): Html {
  const value = String(use.place)
  return html`<input type="checkbox" form="${REVIEW_FORM}" name="use" value="${value}" aria-label="Select ${use.method.toUpperCase()} ${use.subject}"${selected.has(value) ? html` checked` : ''}>`
}

/** Renders the method and URL of a usage, with notable properties. */
export function renderEndpointCell(use: ShownUsage): Html {
  const { method, subject, isNew, apiId, endpointId, alternatives, role } = use
  return html`${isNew ? html`${badge('new', 'warn')} ` : ''}${method ? html`<span class="method">${method}</span> ` : ''}<code>${subject}</code>${
    apiId !== undefined && endpointId === undefined && /:\/\/[^/]+\/./.test(subject)
      ? html` ${badge('endpoint not in the catalogue')}`
      : ''
  }${alternatives.map((url) => html` or <code>${url}</code>`)}${renderRole(role)}`
}

/** Renders the badge of usages outside production code. */
export function renderRole(role: UsageRole): Html | string {
  return role === 'production' ? '' : html` ${badge(role)}`
}

/** Renders the decision on a usage, with author, time and reason. */
export function renderDecision({ approval, reason, decision: { by, at } }: ShownUsage): Html {
  const word =
    approval === 'yes'
      ? badge('approved', 'good')
      : approval === 'no'
        ? badge('rejected', 'bad')
        : badge('unreviewed')
  return html`${word}${reason === '' ? '' : html`<br>${reason}`}${at === undefined ? '' : html`<br><span class="soft">${by}, ${timeElement(at)}</span>`}`
}

/** Renders the first location in the code, and the number of others: `src/app.ts:7 (+2)`. */
export function renderCodeLocation({ foundIn }: ShownUsage, more: number): Html {
  const [first] = foundIn
  if (!first) return html`<span class="soft">no location</span>`
  return html`<code>${formatCodeLocation(first)}</code>${more > 0 ? html` <span class="soft">(+${formatNumber(more)})</span>` : ''}`
}

const MAX_LOCATIONS = 100

function renderCodeLocations({ foundIn, packages, rows }: ShownUsage): Html {
  const shown = foundIn.slice(0, MAX_LOCATIONS)
  const places = foundIn.length
  return html`${
    places === 0
      ? html`<span class="soft">no location</span>`
      : html`<details><summary>${formatNumber(places)} ${places === 1 ? 'location' : 'locations'}</summary><ul>${shown.map(
          (found) =>
            html`<li><code>${formatCodeLocation(found)}${found.column === undefined ? '' : `:${found.column}`}</code></li>`,
        )}</ul>${places > MAX_LOCATIONS ? html`<p>and ${formatNumber(places - MAX_LOCATIONS)} more, all listed in the BOM</p>` : ''}</details>`
  }${packages.map((name) => html`<code>${name}</code> `)}${rows > 1 ? html`<p class="soft">submitted ${formatNumber(rows)} times; the first is shown</p>` : ''}`
}

/** Renders the number of flows by direction: `7 out, 1 in`. */
function renderFlowCounts({ rows, outgoing }: ShownUsage): Html {
  const incoming = rows - outgoing
  const words = [
    ...(outgoing > 0 ? [`${formatNumber(outgoing)} out`] : []),
    ...(incoming > 0 ? [`${formatNumber(incoming)} in`] : []),
  ]
  return html`${words.join(', ')}`
}

function renderGeolocation(list: UsageList, { address, port }: ShownUsage): Html {
  const found = address === '' ? undefined : list.findGeolocation(address)
  return html`${formatGeolocation(found)}<br><span class="soft">${address}${port === undefined ? '' : html` port ${port}`}</span>`
}

/** Formats a geolocation: `Tallinn, Estonia (Example ISP)`, or `unknown`. */
function formatGeolocation(
  found: { readonly city: string; readonly country: string; readonly isp: string } | undefined,
): Html {
  const words = [found?.city, found?.country].filter(Boolean).join(', ')
  if (!words && !found?.isp) return html`<span class="soft">unknown</span>`
  return html`${words || 'unknown'}${found?.isp ? ` (${found.isp})` : ''}`
}
