import type { Page, PageResult, ViewedRequest } from '../page.ts'
import { answerBom } from './bom-download.ts'
import { answerCompare } from './compare-page.ts'
import { answerEndpoints } from './endpoints-page.ts'
import { answerGroups } from './groups-page.ts'
import { answerHistory } from './history-page.ts'
import { answerList } from './list-page.ts'
import { answerMatch } from './match-form.ts'
import type { ScanKind } from './paths.ts'
import { answerPlaces } from './places-page.ts'
import { answerRemove, answerRemoveForm } from './remove-page.ts'
import { answerReview } from './review-form.ts'
import { answerSubmit, answerSubmitForm } from './submit-page.ts'
import { answerVendor } from './vendor-form.ts'

type Given = Pick<Page, 'method' | 'path' | 'access' | 'handle' | 'maxBodyBytes'>
type ScanAnswer = (request: ViewedRequest, kind: ScanKind) => PageResult | Promise<PageResult>

/** Limit of the whole form; the file can be slightly smaller. */
const MAX_UPLOAD_BYTES = 32 * 1024 * 1024

/** Pages of scanned projects and networks, with their usages and review decisions. */
export const scansPages: readonly Page[] = [
  page({ method: 'GET', path: '/scans', access: 'read', handle: answerList }),
  page({ method: 'GET', path: '/scans/submit', access: 'read', handle: answerSubmit }),
  page({
    method: 'POST',
    path: '/scans/submit',
    access: 'ingest',
    handle: answerSubmitForm,
    maxBodyBytes: MAX_UPLOAD_BYTES,
  }),
  ...(['project', 'network'] as const).flatMap(toPages),
  page({ method: 'GET', path: '/scans/networks/:id/places', access: 'read', handle: answerPlaces }),
]

function toPages(kind: ScanKind): readonly Page[] {
  const path = `/scans/${kind}s/:id`
  const get = (end: string, answer: ScanAnswer, access: Page['access'] = 'read') =>
    page({ method: 'GET', path: path + end, access, handle: (request) => answer(request, kind) })
  const post = (end: string, answer: ScanAnswer, access: Page['access']) =>
    page({ method: 'POST', path: path + end, access, handle: (request) => answer(request, kind) })
  return [
    get('', answerGroups),
    get('/endpoints', answerEndpoints),
    get('/history', answerHistory),
    get('/compare', answerCompare),
    get('/bom', answerBom),
    get('/remove', answerRemove, 'ingest'),
    post('/remove', answerRemoveForm, 'ingest'),
    post('/review', answerReview, 'review'),
    post('/match', answerMatch, 'read'),
    post('/vendor', answerVendor, 'import'),
  ]
}

function page(given: Given): Page {
  return { ...given, section: 'scans' }
}
