import { isPlausibleTime } from '../../../core/shared/dates.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { StoredScan } from '../../../core/storage.ts'
import { timeElement } from '../parts/text.ts'

/** Renders a time: `2026-03-14 08:00`, or `unknown`. */
export function renderKnownTime(ms: number): Html {
  return isPlausibleTime(ms) ? timeElement(ms) : html`<span class="soft">unknown</span>`
}

type Times = Pick<StoredScan, 'startedAt' | 'receivedAt'>

/** Renders the start of a scan, or the time of receipt if the scanner's clock was not set. */
export function renderStartTime({ startedAt, receivedAt }: Times): Html {
  if (isPlausibleTime(startedAt)) return timeElement(startedAt)
  return html`${timeElement(receivedAt)} <span class="soft">(received; the capture has no time)</span>`
}

/** Returns the time by which scans are ordered. */
export function toScanTime({ startedAt, receivedAt }: Times): number {
  return isPlausibleTime(startedAt) ? startedAt : receivedAt
}
