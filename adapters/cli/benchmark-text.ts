import type { CallOutput, Contract } from '../../core/index.ts'
import { type Io, toPrintable, toTable } from './io.ts'

/** The answer of `getRateLimitResult`. */
export type TestAnswer = CallOutput<Contract['getRateLimitResult']>

type Extended = NonNullable<TestAnswer['extended']>
type Row = Extended['timeline'][number]

/** Prints a result for people: the verdict, what was seen, and a line of bars over the time. */
export function printResult(
  io: Io,
  answer: TestAnswer,
  options: { readonly hasTimeline: boolean },
): void {
  const { extended } = answer
  io.result(toPrintable(answer.result))
  if (!extended) return
  const facts = [
    ['Run', `${extended.run}, ${extended.state}, begun ${answer.datetime}`],
    ['Endpoint', `${extended.endpoint_id} at ${extended.host}`],
    ['Sent', answer.test_case],
    ...toFindings(extended),
  ]
  io.result('')
  for (const [name = '', text = ''] of facts) {
    io.result(`${name.padEnd(NAME_WIDTH)}${toPrintable(text)}`)
  }
  const { timeline } = extended
  if (timeline.length === 0) return
  io.result('')
  for (const line of toBars(timeline)) io.result(line)
  if (!options.hasTimeline) return
  io.result('')
  io.result(toTimelineTable(timeline))
}

/**
 * Bars over the time, a line for each outcome that there was: all with the same scale, and with at
 * most 60 steps of equal length.
 */
export function toBars(timeline: readonly Row[]): readonly string[] {
  const endMs = Math.max(...timeline.map(({ at_ms }) => at_ms)) + STEP_MS
  const stepMs = STEPS_MS.find((step) => endMs / step <= MAX_BARS) ?? endMs / MAX_BARS
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
  const lines = OUTCOMES.flatMap(({ name }, index) => {
    const bars = sums[index] ?? []
    if (bars.every((bar) => bar === 0)) return []
    return `${name.padEnd(NAME_WIDTH)}${bars.map((bar) => toBar(bar, most)).join('')}`
  })
  return [
    ...lines,
    `${''.padEnd(NAME_WIDTH)}${count} steps of ${tellMs(stepMs)}, up to ${most} each`,
  ]
}

const NAME_WIDTH = 11
const STEP_MS = 100
const MAX_BARS = 60
const STEPS_MS = [500, 1000, 2000, 5000, 10_000]
const BARS = '▁▂▃▄▅▆▇█'

const OUTCOMES = [
  { key: 'ok', name: 'Served' },
  { key: 'limited', name: 'Limited' },
  { key: 'failed', name: 'Failed' },
] as const

function toBar(value: number, most: number): string {
  if (value === 0) return ' '
  return BARS[Math.max(0, Math.ceil((value / most) * BARS.length) - 1)] ?? ''
}

function toFindings({ rate, payload, page, declared }: Extended): readonly (readonly string[])[] {
  if (!rate || !payload || !page) return []
  const found = rate.observed
    ? tellLimit(rate.observed)
    : rate.found
      ? 'of unknown size'
      : 'none met'
  const told = rate.declared ?? declared?.limits[0]
  const rows = [['Limit', `${found}; declared: ${told ? tellLimit(told) : 'none'}`]]
  if (rate.recovery_ms !== null) rows.push(['Recovery', `after ${tellMs(rate.recovery_ms)}`])
  if (payload.state !== 'untested') {
    const { largest_taken_bytes: taken, smallest_refused_bytes: refused } = payload
    const texts = [
      ...(taken === null ? [] : [`${taken} bytes taken`]),
      ...(refused === null ? [] : [`${refused} refused`]),
    ]
    rows.push(['Payload', `${payload.state}: ${texts.join(', ')}`])
  }
  if (page.state !== 'untested') rows.push(['Page size', `${page.state}: ${page.parameter ?? ''}`])
  return rows
}

function tellLimit(limit: { readonly calls: number; readonly window_ms: number | null }): string {
  const window = limit.window_ms === null ? '' : ` in ${tellMs(limit.window_ms)}`
  return `${limit.calls} ${limit.calls === 1 ? 'call' : 'calls'}${window}`
}

function tellMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`
}

function toTimelineTable(timeline: readonly Row[]): string {
  const tell = (ms: number | null) => (ms === null ? '-' : `${ms} ms`)
  return toTable(
    ['AT', 'SENT', 'OK', 'LIMITED', 'FAILED', 'P50', 'P99'],
    timeline.map((row) => [
      `${(row.at_ms / 1000).toFixed(1)} s`,
      row.sent,
      row.ok,
      row.limited,
      row.failed,
      tell(row.p50_ms),
      tell(row.p99_ms),
    ]),
  )
}
