import { html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { postForm } from '../parts/form.ts'
import { formatNumber, timeElement } from '../parts/text.ts'
import { SCANS_PATH, type ScanKind, toScanPath } from './paths.ts'
import { getScanTitle } from './scan-head.ts'

/** Renders the page to confirm the removal of a scan. */
export async function renderRemovePage(
  request: ViewedRequest,
  kind: ScanKind,
): Promise<PageResult> {
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
export async function handleRemove(request: ViewedRequest, kind: ScanKind): Promise<PageResult> {
  const id = request.params.id ?? ''
  if (kind === 'project') await request.call('removeProjectScan', { project_id: id })
  else await request.call('removeNetworkScan', { instance_id: id })
  return { kind: 'redirect', to: `${SCANS_PATH}?done=removed` }
}
