import type { StoredScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { pollingAttributes } from '../parts/live.ts'
import { table } from '../parts/table.ts'
import { formatNumber, note } from '../parts/text.ts'
import { toScanPath } from './paths.ts'
import { renderStartTime } from './times.ts'

const SHOWN_BATCHES = 20

/** Reports that a scanner is running, and links to reload. With scripts, reloads itself. */
export function renderRunningNote(scan: StoredScan): Html | string {
  if (scan.status !== 'running') return ''
  const path = toScanPath(scan)
  return html`<div id="progress"${pollingAttributes({ path, id: 'progress', seconds: 5 })}>${note(
    html`Scan running since ${renderStartTime(scan)}: ${formatNumber(scan.rows)} ${scan.rows === 1 ? 'flow' : 'flows'} so far. <a href="${path}">Reload</a>`,
  )}</div>`
}

/** Batches received from a network scanner. */
export async function renderBatches(
  { app, viewer }: ViewedRequest,
  scan: StoredScan,
): Promise<Html> {
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
