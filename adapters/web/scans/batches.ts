import type { KeptScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { ViewedRequest } from '../page.ts'
import { livePart } from '../parts/live.ts'
import { table } from '../parts/table.ts'
import { count, note } from '../parts/text.ts'
import { toScanPath } from './paths.ts'
import { startTime } from './times.ts'

const SHOWN_BATCHES = 20

/** Says that a scanner is at work, and how to see more; asks again by itself where scripts run. */
export function running(scan: KeptScan): Html | string {
  if (scan.status !== 'running') return ''
  const path = toScanPath(scan)
  return html`<div id="progress"${livePart({ path, id: 'progress', seconds: 5 })}>${note(
    html`The scanner is at work since ${startTime(scan)}: ${count(scan.rows)} ${scan.rows === 1 ? 'flow' : 'flows'} so far. <a href="${path}">Load again</a>`,
  )}</div>`
}

/** The batches that a network scanner has sent. */
export async function batches({ app, viewer }: ViewedRequest, scan: KeptScan): Promise<Html> {
  const found = await app.scans.listParts(viewer.caller.account, { scan, limit: SHOWN_BATCHES })
  return html`<details><summary>${count(found.total)} ${found.total === 1 ? 'batch' : 'batches'} received</summary>
${table({
  caption: found.total > SHOWN_BATCHES ? `The last ${SHOWN_BATCHES} batches` : 'Batches',
  rows: found.parts,
  columns: [
    { title: 'Batch', isHead: true, cell: ({ part }) => count(part + 1) },
    { title: 'Flows', isNumber: true, cell: ({ rows }) => count(rows) },
    { title: 'In the catalogue', isNumber: true, cell: ({ matched }) => count(matched) },
  ],
})}</details>`
}
