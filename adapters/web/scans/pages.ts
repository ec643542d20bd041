import { BOM_FORMATS, SPEC_VERSIONS } from '../../../core/boms/index.ts'
import { ServiceError } from '../../../core/index.ts'
import { html } from '../../../core/shared/html.ts'
import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { formatNumber, timeElement } from '../parts/text.ts'
import { renderEndpoints } from './endpoints-page.ts'
import { handleVendor, renderGroups } from './groups-page.ts'
import { renderComparePage, renderHistoryPage } from './history-pages.ts'
import { renderScanListPage } from './list-page.ts'
import { renderLocationsPage } from './locations-page.ts'
import { renderPackagesPage } from './packages-page.ts'
import { SCANS_PATH, type ScanKind, toScanPath } from './paths.ts'
import { handleReview } from './review-form.ts'
import { getScanTitle } from './scan-head.ts'
import { handleSubmit, renderSubmit } from './submit-page.ts'

type ScanPageOptions = Pick<Page, 'method' | 'path' | 'access' | 'handle' | 'maxBodyBytes'>
type ScanPageHandler = (request: ViewedRequest, kind: ScanKind) => PageResult | Promise<PageResult>

/** Limit of the whole form; the file can be slightly smaller. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024

/** Pages of scanned projects and networks, with their usages and review decisions. */
export const scansPages: readonly Page[] = [
  createScanPage({ method: 'GET', path: '/scans', access: 'read', handle: renderScanListPage }),
  createScanPage({ method: 'GET', path: '/scans/submit', access: 'read', handle: renderSubmit }),
  createScanPage({
    method: 'POST',
    path: '/scans/submit',
    access: 'ingest',
    handle: handleSubmit,
    maxBodyBytes: MAX_UPLOAD_BYTES,
  }),
  ...(['project', 'network'] as const).flatMap(createScanPages),
  createScanPage({
    method: 'GET',
    path: '/scans/networks/:id/places',
    access: 'read',
    handle: renderLocationsPage,
  }),
  createScanPage({
    method: 'GET',
    path: '/scans/projects/:id/packages',
    access: 'read',
    handle: renderPackagesPage,
  }),
]

function createScanPages(kind: ScanKind): readonly Page[] {
  const path = `/scans/${kind}s/:id`
  const get = (end: string, answer: ScanPageHandler, access: Page['access'] = 'read') =>
    createScanPage({
      method: 'GET',
      path: path + end,
      access,
      handle: (request) => answer(request, kind),
    })
  const post = (end: string, answer: ScanPageHandler, access: Page['access']) =>
    createScanPage({
      method: 'POST',
      path: path + end,
      access,
      handle: (request) => answer(request, kind),
    })
  return [
    get('', renderGroups),
    get('/endpoints', renderEndpoints),
    get('/history', renderHistoryPage),
    get('/compare', renderComparePage),
    get('/bom', handleBomDownload),
    get('/remove', renderRemovePage, 'ingest'),
    post('/remove', handleRemove, 'ingest'),
    post('/review', handleReview, 'review'),
    post('/match', handleMatch, 'read'),
    post('/vendor', handleVendor, 'import'),
  ]
}

function createScanPage(given: ScanPageOptions): Page {
  return { ...given, section: 'scans' }
}

/** Matches a scan to the current catalogue. */
async function handleMatch(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const name = { kind, id: request.params.id ?? '' }
  await request.app.scans.rematch(request.viewer.caller.account, name)
  return { kind: 'redirect', to: `${toScanPath(name)}?done=matched` }
}

/** Streams the BOM of a scan in the requested format. */
async function handleBomDownload(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const { app, params, query } = request
  const { account } = request.viewer.caller
  const asked = {
    format: query.get('format') ?? 'specification',
    version: query.get('spec_version') ?? '1.5',
  }
  const format = BOM_FORMATS.find((each) => each === asked.format)
  const version = SPEC_VERSIONS.find((each) => each === asked.version)
  if (!format || !version) {
    throw new ServiceError('invalid_input', 'Unknown BOM format')
  }
  const id = params.id ?? ''
  const shape = { format, version }
  const { body, mediaType } =
    kind === 'project'
      ? await app.boms.writeProject(account, { projectId: id, shape })
      : await app.boms.writeNetwork(account, { instanceId: id, shape })
  const ending =
    format === 'cyclonedx-xml' ? 'cdx.xml' : format === 'cyclonedx-json' ? 'cdx.json' : 'json'
  return { kind: 'file', name: `${id}.${ending}`, mediaType, body }
}

/** Renders the page to confirm the removal of a scan. */
async function renderRemovePage(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const { app, params, viewer, formToken } = request
  const name = { kind, id: params.id ?? '' }
  const { scan } = await app.scans.getCounted(viewer.caller.account, name)
  const path = toScanPath(scan)
  const body = html`<p class="crumbs"><a href="${SCANS_PATH}">Scans</a> › <a href="${path}">${getScanTitle(scan)}</a></p>
<h1>Remove scan</h1>
<p>Permanently removes the scan of ${getScanTitle(scan)} from ${timeElement(scan.startedAt)}, with its ${formatNumber(scan.rows)} ${kind === 'project' ? 'endpoints' : 'flows'} and their review decisions. Its other scans remain.</p>
${postForm({
  action: `${path}/remove`,
  formToken,
  content: html`<div class="row"><button class="danger">Remove scan</button> <a href="${path}">Cancel</a></div>`,
})}`
  return { kind: 'page', title: 'Remove scan', body }
}

/** Removes a scan. */
async function handleRemove(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const id = request.params.id ?? ''
  if (kind === 'project') await request.call('removeProjectScan', { project_id: id })
  else await request.call('removeNetworkScan', { instance_id: id })
  return { kind: 'redirect', to: `${SCANS_PATH}?done=removed` }
}
