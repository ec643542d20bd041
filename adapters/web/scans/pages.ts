import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { handleBomDownload } from './bom-download.ts'
import { renderComparePage } from './compare-page.ts'
import { renderEndpoints } from './endpoints-page.ts'
import { renderGroups } from './groups-page.ts'
import { renderHistoryPage } from './history-page.ts'
import { renderScanListPage } from './list-page.ts'
import { renderLocationsPage } from './locations-page.ts'
import { renderPackagesPage } from './packages-page.ts'
import { type ScanKind, toScanPath } from './paths.ts'
import { handleRemove, renderRemovePage } from './remove-page.ts'
import { handleReview } from './review-form.ts'
import { handleSubmit, renderSubmit } from './submit-page.ts'
import { handleVendor } from './vendor-form.ts'

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
