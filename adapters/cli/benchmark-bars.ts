import type { TestResult } from './benchmark-text.ts'
import { type Color, paintText } from './io.ts'

/** Counts of a tenth of a second. */
export type TimelineRow = NonNullable<TestResult['extended']>['timeline'][number]

/** Width of the label column of bars and facts, in characters. */
export const NAME_WIDTH = 11

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
