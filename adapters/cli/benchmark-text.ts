import type { CallOutput, Contract } from '../../core/contract.ts'
import { type Color, formatTable, type Io, paintText, toPrintable } from './io.ts'
import { wrapWords } from './vulnerability-text.ts'

/** The response of `getRateLimitResult`. */
export type TestResult = CallOutput<Contract['getRateLimitResult']>

type Extended = NonNullable<TestResult['extended']>

/** Counts of a tenth of a second. */
type TimelineRow = NonNullable<TestResult['extended']>['timeline'][number]

/**
 * Prints a test result as text: the verdict, the findings, and bars over time. On a terminal the
 * verdict is coloured, and lines are wrapped to its width.
 */
export function printTestResult(
  io: Io,
  answer: TestResult,
  options: { readonly hasTimeline: boolean },
): void {
  const { extended } = answer
  const columns = io.terminal && Math.min(io.terminal.columns, MAX_COLUMNS)
  const hasColors = io.terminal?.hasColors ?? false
  for (const line of wrapPrintable(answer.result, columns)) {
    io.result(hasColors ? paintVerdict(line, extended?.verdict) : line)
  }
  if (!extended) return
  io.result('')
  for (const [name = '', text = ''] of listRunFacts(extended, answer.test_case)) {
    const lines = wrapPrintable(text, columns && columns - NAME_WIDTH)
    io.result(`${name.padEnd(NAME_WIDTH)}${lines.join(`\n${''.padEnd(NAME_WIDTH)}`)}`)
  }
  const { timeline } = extended
  if (timeline.length === 0) return
  io.result('')
  for (const line of renderTimelineBars(timeline, { columns, hasColors })) io.result(line)
  if (!options.hasTimeline) return
  io.result('')
  io.result(formatTimelineTable(timeline))
}

/** Describes a pending run: `Run 1 is queued: at most 60 requests at 5 per second to …`. */
export function describePendingRun({ extended }: TestResult): string {
  if (!extended) return ''
  const { run, state, host, budget } = extended
  return `Run ${run} is ${state}: at most ${budget.requests} requests at ${budget.rate} per second to ${host}. Ctrl-C stops it.`
}

/** Maximum line width for readable text. */
const MAX_COLUMNS = 100

const VERDICT_COLORS: Readonly<Record<NonNullable<Extended['verdict']>, Color>> = {
  protected: 'green',
  partly: 'yellow',
  unprotected: 'red',
  inconclusive: 'magenta',
}

function wrapPrintable(text: string, columns: number | undefined): readonly string[] {
  const shown = toPrintable(text)
  return columns === undefined ? [shown] : wrapWords(shown, columns)
}

/** Colours the verdict, which is the first word of a result. */
function paintVerdict(line: string, verdict: Extended['verdict'] | undefined): string {
  if (!verdict) return line
  const color = VERDICT_COLORS[verdict]
  return line.replace(/^[A-Z][a-z]+(?=:)/, (text) =>
    text.toLowerCase() === verdict ? paintText({ text, color }) : text,
  )
}

function listRunFacts(extended: Extended, testCase: string): readonly (readonly string[])[] {
  const { run, state, started_at: begun, created_at: queued } = extended
  const waits = state === 'queued' ? `queued since ${queued}` : `${state}, queued ${queued}`
  return [
    [
      'Run',
      `${run}, ${begun === null || state === 'queued' ? waits : `${state}, started ${begun}`}`,
    ],
    ['Endpoint', `${extended.endpoint_id} at ${extended.host}`],
    ['Sent', testCase],
    ...listTestFindings(extended),
  ]
}

function listTestFindings({
  rate,
  payload,
  page,
  declared,
}: Extended): readonly (readonly string[])[] {
  if (!rate || !payload || !page) return []
  const rows = [['Limit', rate.summary ?? (rate.found ? 'found' : 'none found')]]
  rows.push(['Declared', describeDeclaredLimit(rate, declared?.limits ?? [])])
  if (rate.recovery_ms !== null)
    rows.push(['Recovery', `after ${formatMilliseconds(rate.recovery_ms)}`])
  if (payload.state !== 'untested') {
    const { largest_taken_bytes: taken, smallest_refused_bytes: refused } = payload
    const texts = [
      ...(taken === null ? [] : [`${formatBytes(taken)} accepted`]),
      ...(refused === null ? [] : [`${formatBytes(refused)} rejected`]),
    ]
    rows.push(['Payload', texts.join(', ')])
  }
  if (page.state !== 'untested') rows.push(['Page size', describePageSize(page)])
  return rows
}

function describeDeclaredLimit(
  { declared, comparison }: NonNullable<Extended['rate']>,
  limits: NonNullable<Extended['declared']>['limits'],
): string {
  if (!declared) return 'nothing'
  const same = limits.find(
    ({ calls, window_ms }) => calls === declared.calls && window_ms === declared.window_ms,
  )
  const source = same ? ` (${same.source})` : ''
  const more = limits.length > 1 ? ` and ${limits.length - 1} more` : ''
  const judged = comparison === null ? '' : `: ${COMPARISONS[comparison]}`
  return `${describeLimit(declared)}${source}${more}${judged}`
}

const COMPARISONS = {
  untried: 'not tested',
  kept: 'enforced',
  exceeded: 'not enforced',
} as const

const PAGE_SIZE_OUTCOMES = {
  bounded: 'rejected or ignored',
  followed: 'accepted',
  unknown: 'unknown',
  untested: 'not tested',
} as const

function describePageSize(page: NonNullable<Extended['page']>): string {
  const { parameter, asked, items, usual_items: usual } = page
  const what = [parameter ?? '', ...(asked === null ? [] : [asked])].join('=')
  const came = items === null || usual === null ? '' : `, ${items} items instead of ${usual}`
  return `${what}: ${PAGE_SIZE_OUTCOMES[page.state]}${came}`
}

function describeLimit(limit: {
  readonly calls: number
  readonly window_ms: number | null
}): string {
  const window = limit.window_ms === null ? '' : ` in ${formatMilliseconds(limit.window_ms)}`
  const count = limit.calls.toLocaleString('en-GB')
  return `${count} ${limit.calls === 1 ? 'call' : 'calls'}${window}`
}

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** Formats a duration in the largest unit of which it has at least two. */
function formatMilliseconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const unit = UNITS.find(([, size]) => ms >= 2 * size)
  return unit ? `${Math.round(ms / unit[1])} ${unit[0]}` : `${Math.round(ms / 100) / 10} s`
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${bytes / 1024 / 1024} MiB`
}

function formatTimelineTable(timeline: readonly TimelineRow[]): string {
  const formatLatency = (ms: number | null) => (ms === null ? '-' : `${ms} ms`)
  return formatTable(
    ['AT', 'SENT', 'OK', 'LIMITED', 'FAILED', 'P50', 'P99'],
    timeline.map((row) => [
      `${(row.at_ms / 1000).toFixed(1)} s`,
      row.sent,
      row.ok,
      row.limited,
      row.failed,
      formatLatency(row.p50_ms),
      formatLatency(row.p99_ms),
    ]),
  )
}

/** Width of the label column of bars and facts, in characters. */
const NAME_WIDTH = 11

/**
 * Renders one line of bars over time for each outcome that occurred, all on the same scale. A line
 * has at most 60 steps of equal duration, or fewer if the terminal is narrower.
 */
export function renderTimelineBars(
  timeline: readonly TimelineRow[],
  fit: { readonly columns?: number | undefined; readonly hasColors?: boolean } = {},
): readonly string[] {
  const { columns = Number.POSITIVE_INFINITY, hasColors = false } = fit
  const mostBars = Math.max(MIN_BARS, Math.min(MAX_BARS, columns - NAME_WIDTH))
  const endMs = Math.max(...timeline.map(({ at_ms }) => at_ms)) + STEP_MS
  const stepMs = STEPS_MS.find((step) => endMs / step <= mostBars) ?? endMs / mostBars
  const count = Math.ceil(endMs / stepMs)
  const sums = OUTCOMES.map(({ key }) => {
    const bars = Array.from({ length: count }, () => 0)
    for (const row of timeline) {
      const index = Math.min(count - 1, Math.max(0, Math.floor(row.at_ms / stepMs)))
      bars[index] = (bars[index] ?? 0) + row[key]
    }
    return bars
  })
  const most = Math.max(1, ...sums.flat())
  const lines = OUTCOMES.flatMap(({ name, color }, index) => {
    const bars = sums[index] ?? []
    if (bars.every((bar) => bar === 0)) return []
    const text = bars.map((bar) => renderBar(bar, most)).join('')
    return `${name.padEnd(NAME_WIDTH)}${hasColors ? paintBars(text, color) : text}`
  })
  return [
    ...lines,
    `${''.padEnd(NAME_WIDTH)}${count} ${count === 1 ? 'step' : 'steps'} of ${formatStepDuration(stepMs)}, up to ${most} each`,
  ]
}

const STEP_MS = 100
const MAX_BARS = 60
const MIN_BARS = 10
const STEPS_MS = [500, 1000, 2000, 5000, 10_000]
const BARS = '▁▂▃▄▅▆▇█'

const OUTCOMES = [
  { key: 'ok', name: 'Served', color: 'green' },
  { key: 'limited', name: 'Limited', color: 'yellow' },
  { key: 'failed', name: 'Failed', color: 'red' },
] as const

function renderBar(value: number, most: number): string {
  if (value === 0) return ' '
  return BARS[Math.max(0, Math.ceil((value / most) * BARS.length) - 1)] ?? ''
}

/** Paints runs of bars only: `paint` collapses spaces, which are time steps here. */
function paintBars(bars: string, color: Color): string {
  return bars.replace(/\S+/g, (text) => paintText({ text, color }))
}

function formatStepDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}
