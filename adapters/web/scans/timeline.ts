import type { StoredScan } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { formatNumber } from '../parts/text.ts'
import { toScanTime } from './times.ts'

const HEIGHT = 24
const STEP = 8

/**
 * Renders a small bar chart with a bar for each scan, newest on the right. Its description contains
 * the numbers.
 */
export function renderTimeline(options: {
  /** Unique on the page. */
  readonly id: string
  /** Newest first. */
  readonly scans: readonly Pick<StoredScan, 'rows' | 'startedAt' | 'receivedAt'>[]
  readonly kind: StoredScan['kind']
}): Html {
  const { id, kind } = options
  const scans = options.scans.toReversed()
  const most = Math.max(1, ...scans.map(({ rows }) => rows))
  const what = kind === 'project' ? 'endpoints' : 'flows'
  const words = scans.map((scan) => `${formatDay(toScanTime(scan))}: ${formatNumber(scan.rows)}`)
  return html`<svg class="chart timeline" role="img" viewBox="0 0 ${STEP * 12} ${HEIGHT}" aria-labelledby="${id} ${id}-desc"><title id="${id}">${formatNumber(scans.length)} ${scans.length === 1 ? 'scan' : 'scans'}</title><desc id="${id}-desc">${what} by scan: ${words.join('; ')}</desc>${scans.map(
    ({ rows }, index) => {
      const height = Math.max(1, Math.round((rows / most) * HEIGHT))
      const x = STEP * (12 - scans.length + index)
      return html`<rect class="bar" x="${x}" y="${HEIGHT - height}" width="${STEP - 2}" height="${height}"/>`
    },
  )}</svg>`
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
