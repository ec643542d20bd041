import type { KeptScan } from '../../../core/index.ts'
import { isKnownTime } from '../../../core/shared/dates.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { time } from '../parts/text.ts'

/** `2026-03-14 08:00`, or that it is not known. */
export function knownTime(ms: number): Html {
  return isKnownTime(ms) ? time(ms) : html`<span class="soft">unknown</span>`
}

type Times = Pick<KeptScan, 'startedAt' | 'receivedAt'>

/** When a scan began; where its clock was not set, when it was received. */
export function startTime({ startedAt, receivedAt }: Times): Html {
  if (isKnownTime(startedAt)) return time(startedAt)
  return html`${time(receivedAt)} <span class="soft">(received; the capture has no time)</span>`
}

/** The time by which a scan is placed among others. */
export function toScanTime({ startedAt, receivedAt }: Times): number {
  return isKnownTime(startedAt) ? startedAt : receivedAt
}
