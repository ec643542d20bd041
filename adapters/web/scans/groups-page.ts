import { SPEC_VERSIONS } from '../../../core/boms/index.ts'
import { PROBLEM_TYPES } from '../../../core/http/problems.ts'
import { ServiceError } from '../../../core/index.ts'
import type { CountedScan, ShownUsageGroup } from '../../../core/scans/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { foldName } from '../../../core/shared/text.ts'
import type { StoredScan } from '../../../core/storage.ts'
import { GUIDES_PATH } from '../guides/guide-list.ts'
import { IMPORTS_PATH } from '../imports/paths.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pollingAttributes } from '../parts/live.ts'
import { pager, parsePageNumber } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { emptyState, formatNumber, note } from '../parts/text.ts'
import { renderDoneNote, renderReviewError } from './done-note.ts'
import { formatUsageCount } from './group-labels.ts'
import { renderGroupTable } from './group-table.ts'
import { renderEmptyList, renderViewTabs } from './list-views.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import {
  type ReviewDraft,
  renderReviewBar,
  renderSelectAll,
  renderWholeForm,
} from './review-forms.ts'
import {
  getScanTitle,
  renderScanFacts,
  renderScanHead,
  renderScanSummary,
  renderStaleNote,
} from './scan-head.ts'
import { renderStartTime } from './times.ts'
import {
  getViewCount,
  readView,
  toGroupParameter,
  toViewQuery,
  type UsageView,
} from './usage-view.ts'

const PAGE_SIZE = 50
/** Number of usages listed in a group's row. */
const SHOWN_USAGES = 5

/** Renders the usages of a scan: one row per API, vendor or domain, unreviewed ones first. */
export function renderGroups(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  return renderGroupsPage(request, { kind, query: request.query })
}

/** Shows the page again after an invalid review. */
export async function renderGroupsPage(
  request: ViewedRequest,
  options: {
    readonly kind: ScanKind
    readonly query: URLSearchParams
    readonly draft?: ReviewDraft
  },
): Promise<PageResult> {
  const { app, viewer, params } = request
  const { account, scopes } = viewer.caller
  const { kind, query, draft } = options
  const counted = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  const { scan } = counted
  const view = { ...readView(query), group: undefined }
  const page = parsePageNumber(query)
  const totals = await app.scans.countUsageGroups(account, scan)
  const listed = await app.scans.listUsageGroups(account, {
    ...{ scan, view: view.show, page, size: PAGE_SIZE, uses: SHOWN_USAGES },
  })
  // APIs that only builds, examples and tests use are last.
  const isOther = ({ role }: ShownUsageGroup) => Number(role !== 'production')
  const groups = listed.toSorted((a, b) => isOther(a) - isOther(b))
  const apis = await app.scans.readUsedApis(groups.flatMap(({ apiId }) => apiId ?? []))
  const mayReview = scopes.has('review')
  const selected = { groups: new Set(draft?.groups), uses: new Set(draft?.uses) }
  const table = renderGroupTable(request, {
    ...{ counted, view, page, groups, apis },
    selected: mayReview ? selected : undefined,
  })
  const path = toScanPath(scan)
  const total = totals[view.show]
  const select = renderSelectAll({
    onPage: groups.length,
    rows: total,
    kind,
    uses: getViewCount(counted.counts, view.show),
  })
  const list = html`${table}${
    mayReview
      ? renderReviewBar(request, {
          ...{ scan, list: 'groups', view, page, draft },
          listed: html`${groups.map((group) => html`<input type="hidden" name="listed_group" value="${toGroupParameter(group)}">`)}`,
        })
      : html`<p class="soft">To review, you need the scope <code>review</code>.</p>`
  }`
  const body = html`${renderScanHead(counted, { tab: 'apis' })}
${await renderDoneNote(request, { scan, query })}${renderReviewError(draft)}${renderStaleNote(counted, request)}${renderRunningNote(scan)}
${renderScanSummary(counted, totals.all)}
<div class="list-head">${renderViewTabs(path, { view, figure: (show) => totals[show] })}${mayReview && groups.length > 0 ? select : ''}</div>
<div id="apis">${groups.length === 0 ? renderNoGroups(counted, { view, total }) : list}</div>
${pager({ path, query: toViewQuery(view), page, pageSize: PAGE_SIZE, total, anchor: 'apis' })}
<div class="columns"><section class="panel" aria-labelledby="facts"><h2 id="facts">Scan details</h2>${renderScanFacts(counted)}</section>
<section class="panel" aria-labelledby="bom"><h2 id="bom">Bill of materials</h2>${renderBomLinks(scan)}</section></div>
${mayReview ? renderWholeForm(request, { scan, view }) : ''}
${kind === 'network' ? await renderBatches(request, scan) : ''}
${scopes.has('ingest') ? html`<p><a href="${path}/remove">Remove this scan</a></p>` : ''}`
  return { kind: 'page', title: getScanTitle(scan), body, ...(draft && { status: draft.status }) }
}

/** Scans stored by earlier releases have usages without groups. */
function renderNoGroups(
  counted: CountedScan,
  { view, total }: { readonly view: UsageView; readonly total: number },
): Html {
  const { scan, counts } = counted
  const path = toScanPath(scan)
  if (total > 0 || counts.usages === 0 || view.show !== 'all') {
    return renderEmptyList(counted, { path, total })
  }
  return emptyState(
    `An earlier release stored this scan: its ${formatUsageCount(scan.kind, counts.usages)} are not grouped yet.`,
    html`<p>Match it to the catalogue again, or show the <a href="${path}/endpoints">endpoints</a>.</p>`,
  )
}

const SHOWN_BATCHES = 20

/** Reports that a scanner is running, and links to reload. With scripts, reloads itself. */
function renderRunningNote(scan: StoredScan): Html | string {
  if (scan.status !== 'running') return ''
  const path = toScanPath(scan)
  return html`<div id="progress"${pollingAttributes({ path, id: 'progress', seconds: 5 })}>${note(
    html`Scan running since ${renderStartTime(scan)}: ${formatNumber(scan.rows)} ${scan.rows === 1 ? 'flow' : 'flows'} so far. <a href="${path}">Reload</a>`,
  )}</div>`
}

/** Batches received from a network scanner. */
async function renderBatches({ app, viewer }: ViewedRequest, scan: StoredScan): Promise<Html> {
  const found = await app.scans.listBatches(viewer.caller.account, { scan, limit: SHOWN_BATCHES })
  return html`<details><summary>${formatNumber(found.total)} ${found.total === 1 ? 'batch' : 'batches'} received</summary>
${table({
  caption: found.total > SHOWN_BATCHES ? `The last ${SHOWN_BATCHES} batches` : 'Batches',
  rows: found.parts,
  columns: [
    { title: 'Batch', isHead: true, cell: ({ part }) => formatNumber(part + 1) },
    { title: 'Flows', isNumber: true, cell: ({ rows }) => formatNumber(rows) },
    { title: 'In the catalogue', isNumber: true, cell: ({ matched }) => formatNumber(matched) },
  ],
})}</details>`
}

/** Renders links to the BOM of a scan in every format. */
function renderBomLinks(scan: StoredScan): Html {
  const path = `${toScanPath(scan)}/bom`
  const links = (format: string, name: string) =>
    html`<li>CycloneDX ${name}: ${SPEC_VERSIONS.map(
      (version) =>
        html`<a href="${path}?format=${format}&amp;spec_version=${version}" aria-label="CycloneDX ${version}, ${name}" download>${version}</a> `,
    )}</li>`
  return html`<ul>${links('cyclonedx-json', 'JSON')}${links('cyclonedx-xml', 'XML')}
<li><a href="${path}" download>Service format (JSON)</a>, streamed for scans of any size</li></ul>
<p>Guide: <a href="${GUIDES_PATH}/boms">Create and compare BOMs</a></p>`
}

/**
 * Adds the vendor of a domain to the catalogue, with the domain as its homepage. Then matches the
 * scan again, so that hosts of the domain belong to the vendor.
 */
export async function handleVendor(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const { app, form, params, viewer } = request
  const { account } = viewer.caller
  const { scan } = await app.scans.getCounted(account, { kind, id: params.id ?? '' })
  try {
    const domain = form.text('domain').toLowerCase()
    const homepage = `https://${domain}/`
    if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain) || !URL.canParse(homepage)) {
      throw new ServiceError('invalid_input', 'Invalid domain: must be a host name')
    }
    const name = form.text('vendor').trim()
    const vendor = await request.call('createVendor', { body: { name, homepage } })
    await app.scans.rematch(account, scan)
    const owner = `1${vendor.name}`
    const group = await app.scans.findUsageGroup(account, {
      scan,
      group: { apiId: undefined, owner },
    })
    const query = new URLSearchParams({ done: group ? 'vendor' : 'no-vendor', of: owner })
    return { kind: 'redirect', to: `${toScanPath(scan)}?${query}` }
  } catch (error) {
    if (!(error instanceof ServiceError) || PROBLEM_TYPES[error.code].status >= 500) throw error
    const message = await explainVendorError(request, error)
    const draft = {
      status: PROBLEM_TYPES[error.code].status,
      error: html`Cannot add the vendor: ${message}`,
      ...{ uses: [], groups: [], reason: '' },
    }
    return renderGroupsPage(request, { kind, query: new URLSearchParams(), draft })
  }
}

async function explainVendorError(
  request: ViewedRequest,
  error: ServiceError,
): Promise<Html | string> {
  const issue = error.issues[0]
  if (issue) return `the name ${issue.message}`
  return (error.code === 'conflict' && (await explainExistingVendor(request))) || error.message
}

/** A vendor has a single homepage: hosts of further domains require the description of an API. */
async function explainExistingVendor(request: ViewedRequest): Promise<Html | undefined> {
  const { form } = request
  const name = form.text('vendor').trim()
  const { vendors } = await request.call('searchVendors', { q: name, page: 1, size: 1 })
  const [found] = vendors
  if (found === undefined || foldName(found.name) !== foldName(name)) return undefined
  const query = new URLSearchParams({ vendor: found.name })
  return html`"${found.name}" is already in the catalogue, ${found.homepage ? html`with the homepage ${found.homepage}` : 'without a homepage'}, and a vendor has one homepage. To assign hosts of ${form.text('domain')} to it, <a href="${IMPORTS_PATH}/new?${query}">import the description of an API</a> that names them as its servers.`
}
