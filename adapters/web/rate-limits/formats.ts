import type { JobState } from '../../../core/jobs/index.ts'
import type { ListedRun, RateLimit, Verdict } from '../../../core/rate-limits/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import { badge, formatNumber, type Tone } from '../parts/text.ts'

const VERDICTS: Readonly<Record<Verdict['verdict'], readonly [title: string, tone: Tone]>> = {
  protected: ['Protected', 'good'],
  partly: ['Partly protected', 'warn'],
  unprotected: ['Unprotected', 'bad'],
  inconclusive: ['Inconclusive', 'plain'],
}

const STATES: Readonly<Record<JobState, readonly [title: string, tone: Tone]>> = {
  queued: ['Queued', 'plain'],
  running: ['Running', 'plain'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  aborted: ['Aborted', 'warn'],
}

/** Returns a badge with the verdict, or “none” without a result. */
export function verdictBadge(verdict: Verdict['verdict'] | undefined): Html {
  if (!verdict) return html`<span class="soft">none</span>`
  const [title, tone] = VERDICTS[verdict]
  return badge(title, tone)
}

/** Returns a badge with the state of a run. */
export function stateBadge(run: Pick<ListedRun, 'state' | 'isStopped'>): Html {
  const [title, tone] = STATES[run.state]
  return badge(run.isStopped && isOpen(run) ? `${title}, stopping` : title, tone)
}

/** Whether the run is queued or running. */
export function isOpen({ state }: Pick<ListedRun, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** Formats the progress: `12 of at most 60 requests`. */
export function formatProgress({ sent, budget }: Pick<ListedRun, 'sent' | 'budget'>): string {
  return `${formatNumber(sent)} of at most ${formatNumber(budget.requests)} requests`
}

/** Formats a limit: `10 calls in 4 s`; undefined without a limit. */
export function formatRateLimit(limit: RateLimit | undefined): string | undefined {
  if (!limit) return undefined
  const calls = limit.calls === 1 ? '1 call' : `${formatNumber(limit.calls)} calls`
  return limit.windowMs === undefined
    ? `${calls} per window of unknown length`
    : `${calls} in ${formatSeconds(limit.windowMs)}`
}

/** Formats a duration in seconds: `2.1 s`. */
export function formatSeconds(ms: number): string {
  return `${formatNumber(Math.round(ms / 100) / 10)} s`
}
