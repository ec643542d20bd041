import type { CountedScan, ShownUsageGroup, UsedApi } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { StoredScan } from '../../../core/storage.ts'
import { toApiPath } from '../catalogue/links.ts'
import { IMPORTS_PATH } from '../imports/paths.ts'
import type { PageRequest, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { badge, formatNumber } from '../parts/text.ts'
import { formatUsageCount, renderGroupApproval, toGroupName } from './group-labels.ts'
import { toScanPath } from './paths.ts'
import { REVIEW_FORM, renderGroupForm } from './review-forms.ts'
import { renderKnownTime } from './times.ts'
import {
  renderApiBadges,
  renderCodeLocation,
  renderDecision,
  renderEndpointCell,
  renderRole,
  renderUsageCheckbox,
} from './usage-list.ts'
import { getViewCount, toGroupParameter, toViewQuery, type UsageView } from './usage-view.ts'

/** Content of the table. */
export interface GroupList {
  readonly counted: CountedScan
  readonly view: UsageView
  readonly page: number
  readonly groups: readonly ShownUsageGroup[]
  readonly apis: ReadonlyMap<number, UsedApi>
  /** Selected groups and usage positions; undefined if the viewer may not review. */
  readonly selected:
    | { readonly groups: ReadonlySet<string>; readonly uses: ReadonlySet<string> }
    | undefined
}

/** Renders one row per API, vendor or domain, with expandable endpoints and forms. */
export function renderGroupTable(request: ViewedRequest, list: GroupList): Html {
  const { counted, groups, selected } = list
  const isProject = counted.scan.kind === 'project'
  const hasPackages = groups.some((group) => listPackages(group).length > 0)
  const titles = [
    ...(selected ? [html`<span class="unseen">Select</span>`] : []),
    'API, vendor or domain',
    'Hosts',
    isProject ? 'Endpoints' : 'Hosts and URLs',
    ...(isProject
      ? [...(hasPackages ? ['Packages'] : []), 'First location']
      : ['Flows', 'Last seen']),
    'Approval',
  ]
  const numbers = new Set(['Endpoints', 'Hosts and URLs', 'Flows'])
  const caption = isProject ? 'APIs that this project uses' : 'APIs and hosts of this network'
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table role="table" class="groups${hasPackages ? ' with-packages' : ''}">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${titles.map(
    (title) =>
      html`<th scope="col" role="columnheader"${typeof title === 'string' && numbers.has(title) ? html` class="number"` : ''}>${title}</th>`,
  )}</tr></thead>
${groups.map((group, index) => renderGroupRows(request, { list, group, index, columns: titles.length, hasPackages }))}
</table></div>`
}

interface GroupRow {
  readonly list: GroupList
  readonly group: ShownUsageGroup
  readonly index: number
  readonly columns: number
  readonly hasPackages: boolean
}

function renderGroupRows(request: ViewedRequest, row: GroupRow): Html {
  const { list, group, columns, hasPackages } = row
  const { counted, view, selected, apis } = list
  const { apiId, belongsTo, rows, shown } = group
  const api = apiId === undefined ? undefined : apis.get(apiId)
  const name = toGroupName(belongsTo, api)
  const isProject = counted.scan.kind === 'project'
  const listed = getViewCount(group, view.show)
  const text = toGroupParameter(group)
  const [first] = shown
  return html`<tbody role="rowgroup"><tr role="row">${
    selected
      ? html`<td role="cell" class="tight" data-title="Select"><input type="checkbox" form="${REVIEW_FORM}" name="group" value="${text}" aria-label="Select ${name}"${selected.groups.has(text) ? html` checked` : ''}></td>`
      : ''
  }<th scope="row" role="rowheader">${renderNameCell(group, { name, api })}</th>
<td role="cell" class="hosts" data-title="Hosts">${renderHosts(group)}</td>
<td role="cell" class="number" data-title="${isProject ? 'Endpoints' : 'Hosts and URLs'}"><a href="${toEndpointsPath(list, group)}">${formatNumber(listed)}</a></td>
${
  isProject
    ? html`${hasPackages ? html`<td role="cell" data-title="Packages">${renderPackages(group)}</td>` : ''}<td role="cell" data-title="First location">${first ? renderCodeLocation(first, 0) : ''}</td>`
    : html`<td role="cell" class="number" data-title="Flows">${formatNumber(rows)}</td><td role="cell" class="tight" data-title="Last seen">${renderKnownTime(Math.max(0, ...shown.map(({ lastAt }) => lastAt)))}</td>`
}
<td role="cell" data-title="Approval">${renderGroupApproval(group)}</td></tr>
<tr role="row" class="more"><td role="cell" colspan="${columns}">${renderGroupDetails(request, { ...row, name, listed })}</td></tr></tbody>\n`
}

function renderNameCell(
  { isNew, role }: ShownUsageGroup,
  { name, api }: { readonly name: string; readonly api: UsedApi | undefined },
): Html {
  const isNewText = isNew > 0 ? html` ${badge(`${formatNumber(isNew)} new`, 'warn')}` : ''
  const added = html`${isNewText}${renderRole(role)}`
  if (api) {
    return html`<a href="${toApiPath(api)}">${name}</a>${added}<br><span class="soft row">${renderApiBadges(api)}</span>`
  }
  return html`${name}${added}`
}

const SHOWN_HOSTS = 2

function getUrlHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function renderHosts({ shown, usages }: ShownUsageGroup): Html {
  const names = [
    ...new Set(
      shown.flatMap(({ host, alternatives }) => [host || [], alternatives.map(getUrlHost)].flat()),
    ),
  ]
  const hasMore = names.length > SHOWN_HOSTS || usages > shown.length
  return html`${names.slice(0, SHOWN_HOSTS).map((name, index) => html`${index > 0 ? html`<br>` : ''}<code>${name}</code>`)}${hasMore && names.length > 1 ? ' …' : ''}`
}

const SHOWN_PACKAGES = 3

function listPackages({ shown }: ShownUsageGroup): readonly string[] {
  return [...new Set(shown.flatMap((use) => use.packages))]
}

function renderPackages(group: ShownUsageGroup): Html {
  const names = listPackages(group)
  return html`${names.slice(0, SHOWN_PACKAGES).map((name) => html`<code>${name}</code> `)}${names.length > SHOWN_PACKAGES ? '…' : ''}`
}

/** Returns the path of the page with the endpoints of a group. */
function toEndpointsPath({ counted, view }: GroupList, group: ShownUsageGroup): string {
  return `${toScanPath(counted.scan)}/endpoints?${toViewQuery({ ...view, group })}`
}

function renderGroupDetails(
  request: ViewedRequest,
  {
    list,
    group,
    index,
    name,
    listed,
  }: GroupRow & { readonly name: string; readonly listed: number },
): Html {
  const { counted, view, page, selected } = list
  const { scan } = counted
  const { shown, usages, belongsTo } = group
  const canImport = request.viewer.caller.scopes.has('import')
  const isNext = belongsTo?.kind === 'vendor' || belongsTo?.kind === 'domain'
  return html`<details><summary>${formatUsageCount(scan.kind, usages)}${isNext ? ', not in the catalogue: next steps' : ''}<span class="unseen"> of ${name}</span></summary>
<ul class="plain uses">${shown.map((use) => html`<li>${selected ? renderUsageCheckbox(use, selected.uses) : ''} ${renderEndpointCell({ ...use, isNew: use.isNew })} ${renderDecision(use)} ${scan.kind === 'project' ? renderCodeLocation(use, use.foundIn.length - 1) : html`<span class="soft">${formatNumber(use.rows)} ${use.rows === 1 ? 'flow' : 'flows'}</span>`}</li>`)}</ul>
${usages > shown.length ? html`<p><a href="${toEndpointsPath({ ...list, view: { ...view, show: 'all' } }, group)}">Show all ${formatNumber(usages)}</a></p>` : ''}
${
  selected && listed > 0
    ? renderGroupForm(request, {
        ...{ scan, list: 'groups', view, page, group, name, endpoints: listed },
        id: `reason-${index}`,
        canBeIgnored: belongsTo !== undefined,
      })
    : ''
}${belongsTo && canImport ? renderNextSteps(request, { scan, group, name, index }) : ''}</details>`
}

/** Renders the next steps for hosts without a catalogued API. */
function renderNextSteps(
  { formToken }: PageRequest,
  options: {
    readonly scan: StoredScan
    readonly group: ShownUsageGroup
    readonly name: string
    /** Position of the group on the page. */
    readonly index: number
  },
): Html | string {
  const { scan, group, name, index } = options
  const { belongsTo, shown } = group
  if (belongsTo?.kind !== 'vendor' && belongsTo?.kind !== 'domain') return ''
  const host = shown.find((use) => /^[\w.-]+$/.test(use.host))?.host
  const query = new URLSearchParams({
    ...(belongsTo.kind === 'vendor' ? { vendor: name } : {}),
    ...(host ? { base_url: `https://${host}` } : {}),
  })
  const id = `vendor-${index}`
  return html`<p>Is it an API with an OpenAPI description? <a href="${IMPORTS_PATH}/new?${query}">Import its description<span class="unseen"> (${name})</span></a></p>
${
  belongsTo.kind === 'domain' && name.includes('.')
    ? postForm({
        action: `${toScanPath(scan)}/vendor`,
        formToken,
        content: html`<input type="hidden" name="domain" value="${name}">
<p class="row group-review"><label for="${id}">Vendor of ${name}</label>
<input id="${id}" name="vendor" type="text" maxlength="200" required autocomplete="off">
<button class="second">Add vendor</button></p>
<p class="soft">Adds the vendor to the catalogue, with the homepage https://${name}. The hosts of this domain then belong to the vendor in every scan.</p>`,
      })
    : ''
}`
}
