import type { CallOutput, Contract } from '../../core/contract.ts'
import { NAME_WIDTH, renderTimelineBars, type TimelineRow } from './benchmark-bars.ts'
import { type Color, formatTable, type Io, paintText, toPrintable } from './io.ts'
import { wrapWords } from './vulnerability-text.ts'

/** The response of `getRateLimitResult`. */
export type TestResult = CallOutput<Contract['getRateLimitResult']>

type Extended = NonNullable<TestResult['extended']>

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
