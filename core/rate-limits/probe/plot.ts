import { toTimestamp } from '../../shared/dates.ts'
import { type Html, html } from '../../shared/html.ts'
import type { Probe, ProbeRecord, TestResult } from '../records.ts'
import { describeTest } from './describe-test.ts'
import { findLimit, toSentAt } from './find-limit.ts'
import { formatMs } from './units.ts'

/** The run that a plot shows. */
export interface PlottedRun {
  /** Number of the run. */
  readonly id: number
  /** Short ID. */
  readonly endpoint: string
  /** Name and port. */
  readonly host: string
}

/**
 * Plots a run as SVG. The upper chart shows the completed requests per second (or longer step) by
 * outcome. The lower one shows the latency of each request at its scheduled time, on a logarithmic
 * axis. Marks the first refusal, the recovery, and the first larger body and page. The SVG has no
 * scripts or external references. It uses a light theme if styles are blocked, otherwise the
 * reader's colour scheme.
 */
export function renderPlot(result: TestResult, run: PlottedRun): string {
  const { records } = result.evidence
  const endMs = Math.max(1000, ...records.map(({ at, ms }) => at + ms))
  const title = `Rate-limit test: ${result.verdict.verdict}`
  const about = `Run ${run.id} of endpoint ${run.endpoint} at ${run.host}, ${toTimestamp(result.beganAt)}`
  const parts = [
    drawGrid(endMs),
    drawBars(records, endMs),
    drawLatencies(records, endMs),
    drawMarks(result, endMs),
    LEGEND.map(([kind, text], index) => drawLegend(kind, { text, x: LEFT + 300 + index * 105 })),
  ]
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="plot-title plot-desc" font-family="system-ui, sans-serif" font-size="12">
<title id="plot-title">${title}</title>
<desc id="plot-desc">${about}. ${describeTest(result)}. ${result.verdict.text}</desc>
<style>@media (prefers-color-scheme: dark) { .ground { fill: #0d1117 } .ink { fill: #e6edf3 } .halo { stroke: #0d1117 } .line { stroke: #3d444d } .mark { stroke: #e6edf3 } .ok { fill: #58a6ff } .limited { fill: #ffa657 } .failed { fill: #d2a8ff } }</style>
<rect class="ground" width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/>
<text class="ink" x="${LEFT}" y="24" font-size="15" fill="${INK}">${title}</text>
<text class="ink" x="${LEFT}" y="43" fill="${INK}">${about}</text>
${parts}
</svg>
`.text
}

type OutcomeKind = 'ok' | 'limited' | 'failed'

const WIDTH = 760
const HEIGHT = 534
const LEFT = 64
const RIGHT = 740
const BARS = { top: 138, bottom: 268 }
const TIMES = { top: 308, bottom: 484 }
/**
 * Y positions of the label above the bars and of the first mark's label; other marks follow below.
 */
const COUNTS_Y = 68
const MARKS_Y = 84
const MARK_STEP = 14
const INK = '#1f2328'
const GROUND = '#ffffff'
const FILLS = { ok: '#0969da', limited: '#bc4c00', failed: '#8250df' } as const
const LEGEND: readonly (readonly [OutcomeKind, string])[] = [
  ['ok', 'served'],
  ['limited', 'limited'],
  ['failed', 'failed'],
]

/**
 * Steps of the time axis, which has at most ten. Bars use the same steps, with at most 100 bars.
 */
const STEPS_MS = [1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000]

/** Ticks of the latency axis: milliseconds and label. */
const LATENCIES = [
  [1, '1 ms'],
  [10, '10 ms'],
  [100, '100 ms'],
  [1000, '1 s'],
  [10_000, '10 s'],
] as const

function drawGrid(endMs: number): readonly Html[] {
  const stepMs = STEPS_MS.find((step) => endMs / step <= 10) ?? endMs / 10
  const count = Math.floor(endMs / stepMs)
  const times = Array.from({ length: count + 1 }, (_, index) => index * stepMs)
  return [
    ...times.map(
      (ms) =>
        html`<text class="ink" x="${toTimeX(ms, endMs)}" y="${TIMES.bottom + 18}" text-anchor="middle" fill="${INK}">${ms / 1000}</text>`,
    ),
    drawLabel('seconds since the test began', { x: (LEFT + RIGHT) / 2, y: HEIGHT - 12 }),
    ...LATENCIES.map(([ms, text]) => drawLevel(toLatencyY(ms), text)),
    html`<text class="ink" x="${LEFT}" y="${TIMES.top - 10}" fill="${INK}">latency</text>`,
  ]
}

function drawBars(records: readonly ProbeRecord[], endMs: number): readonly Html[] {
  const stepMs = STEPS_MS.find((step) => endMs / step <= 100) ?? endMs / 100
  const steps = new Map<number, Record<OutcomeKind, number>>()
  for (const record of records) {
    const index = Math.floor((record.at + record.ms) / stepMs)
    const step = steps.get(index) ?? { ok: 0, limited: 0, failed: 0 }
    step[toOutcomeKind(record)] += 1
    steps.set(index, step)
  }
  const most = Math.max(
    1,
    ...[...steps.values()].map(({ ok, limited, failed }) => ok + limited + failed),
  )
  const scale = (BARS.bottom - BARS.top) / most
  const width = Math.max(1, toTimeX(stepMs, endMs) - LEFT - 1)
  const bars = [...steps].flatMap(([index, step]) => {
    let bottom = BARS.bottom
    return LEGEND.flatMap(([kind]) => {
      if (step[kind] === 0) return []
      const height = step[kind] * scale
      bottom -= height
      const x = toTimeX(index * stepMs, endMs)
      return [
        html`<rect class="${kind}" x="${x}" y="${roundToTenth(bottom)}" width="${roundToTenth(Math.min(width, RIGHT - x))}" height="${roundToTenth(height)}" fill="${FILLS[kind]}"/>`,
      ]
    })
  })
  const unit = stepMs === 1000 ? 'per second' : `per ${formatMs(stepMs)}`
  return [
    drawLevel(BARS.bottom, '0'),
    drawLevel(BARS.top, `${most}`),
    html`<text class="ink" x="${LEFT}" y="${COUNTS_Y}" fill="${INK}">completed requests ${unit}</text>`,
    ...bars,
  ]
}

/** Outcomes differ in shape as well as in colour, for accessibility. */
function drawLatencies(records: readonly ProbeRecord[], endMs: number): readonly Html[] {
  return records.map((record) =>
    drawShape(toOutcomeKind(record), { x: toTimeX(record.at, endMs), y: toLatencyY(record.ms) }),
  )
}

function drawShape(kind: OutcomeKind, { x, y }: { readonly x: number; readonly y: number }): Html {
  const paths = {
    ok: `M${x - 2.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z`,
    limited: `M${x} ${y - 4}l4 7h-8z`,
    failed: `M${x - 3} ${y - 3}h6v6h-6z`,
  }
  return html`<path class="${kind}" d="${paths[kind]}" fill="${FILLS[kind]}"/>`
}

interface Mark {
  readonly x: number
  readonly text: string
  /** Marks the start of a stage instead of behaviour of the target. */
  readonly isStage: boolean
}

/**
 * Draws the marks. Each label is on the wider side of its line. Rows are ordered so that few lines
 * cross a label.
 */
function drawMarks({ evidence }: TestResult, endMs: number): readonly Html[] {
  const found = findLimit(evidence)
  const firstOf = (stage: Probe['stage']) => evidence.records.find((each) => each.stage === stage)
  const refusal = found?.signal === 'slowed' ? 'first slow response' : 'first refusal'
  const marks = [
    { record: found?.refused[0], text: `${refusal},`, isStage: false },
    { record: found?.recovered, text: 'served again,', isStage: false },
    { record: firstOf('payload'), text: 'larger bodies from', isStage: true },
    { record: firstOf('page'), text: 'larger pages from', isStage: true },
  ].flatMap(({ record, text, isStage }): readonly Mark[] => {
    if (!record) return []
    const ms = toSentAt(record)
    return [{ x: toTimeX(ms, endMs), text: `${text} ${(ms / 1000).toFixed(1)} s`, isStage }]
  })
  const left = marks.filter((mark) => !isRight(mark)).sort((a, b) => a.x - b.x)
  const right = marks.filter(isRight).sort((a, b) => b.x - a.x)
  const rows = [...left, ...right].map((mark, row) => ({ mark, y: MARKS_Y + row * MARK_STEP }))
  return [...rows.map(drawMarkLine), ...rows.map(drawMarkText)]
}

function isRight({ x }: Mark): boolean {
  return x > (LEFT + RIGHT) / 2
}

interface MarkRow {
  readonly mark: Mark
  readonly y: number
}

function drawMarkLine({ mark: { x, isStage }, y }: MarkRow): Html {
  return html`<line class="mark" x1="${x}" y1="${y}" x2="${x}" y2="${TIMES.bottom}" stroke="${INK}" stroke-dasharray="${isStage ? '1 4' : '4 3'}"/>`
}

function drawMarkText({ mark, y }: MarkRow): Html {
  const isBefore = isRight(mark)
  return html`<text class="ink halo" x="${mark.x + (isBefore ? -4 : 4)}" y="${y + 4}" text-anchor="${isBefore ? 'end' : 'start'}" fill="${INK}" stroke="${GROUND}" stroke-width="4" paint-order="stroke">${mark.text}</text>`
}

function drawLevel(y: number, text: string): Html {
  return html`<line class="line" x1="${LEFT}" y1="${y}" x2="${RIGHT}" y2="${y}" stroke="#d1d9e0"/><text class="ink" x="${LEFT - 6}" y="${y + 4}" text-anchor="end" fill="${INK}">${text}</text>`
}

function drawLabel(text: string, at: { readonly x: number; readonly y: number }): Html {
  return html`<text class="ink" x="${at.x}" y="${at.y}" text-anchor="middle" fill="${INK}">${text}</text>`
}

function drawLegend(kind: OutcomeKind, entry: { readonly text: string; readonly x: number }): Html {
  return html`${drawShape(kind, { x: entry.x, y: 20 })}<text class="ink" x="${entry.x + 9}" y="24" fill="${INK}">${entry.text}</text>`
}

function toOutcomeKind({ outcome }: ProbeRecord): OutcomeKind {
  return outcome === 'ok' || outcome === 'limited' ? outcome : 'failed'
}

function toTimeX(ms: number, endMs: number): number {
  return roundToTenth(LEFT + (Math.max(0, ms) / endMs) * (RIGHT - LEFT))
}

function toLatencyY(ms: number): number {
  const share = Math.log10(Math.min(10_000, Math.max(1, ms))) / 4
  return roundToTenth(TIMES.bottom - share * (TIMES.bottom - TIMES.top))
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
