import { type Html, html } from '../../../core/shared/html.ts'
import { formatNumber } from './text.ts'

/** Colours defined in console.css. Legend and table explain their meaning. */
export type ChartTone = 'bar' | 'low' | 'medium' | 'high' | 'critical' | 'none'

/** One series of values. */
export interface ChartSeries {
  readonly title: string
  readonly tone: ChartTone
  /** One value per label; negative and non-finite values are drawn as 0. */
  readonly values: readonly number[]
}

/** Content of a chart. */
export interface Chart {
  /** Unique on the page: element IDs are derived from it. */
  readonly id: string
  /** Title, for example `Vulnerabilities by year`. */
  readonly title: string
  /** Summary for screen readers. */
  readonly description: string
  /** Meaning of the labels, the first column header of the table: `Year`. */
  readonly labelTitle: string
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
  /** Number format; default: with thousands separators. */
  readonly format?: (value: number) => string
  /** Link of a label in the table; none by default. */
  readonly labelLink?: (label: string) => string
}

/** Draws bars with a data table. Several series are stacked from the bottom, in order. */
export function barChart(chart: Chart): Html {
  const { labels, series } = chart
  const sums = labels.map((_, at) =>
    series.reduce((sum, { values }) => sum + clampValue(values[at]), 0),
  )
  const { y, ticks } = createScale(sums)
  const step = (RIGHT - LEFT) / Math.max(1, labels.length)
  const width = Math.max(1, Math.min(56, step * 0.8))
  const columns = labels.map((label, at) => {
    const x = LEFT + step * (at + 0.5) - width / 2
    let below = 0
    const parts = series.map(({ title, tone, values }) => {
      const value = clampValue(values[at])
      if (value === 0) return ''
      const [from, to] = [y(below), y(below + value)]
      below += value
      return html`<rect class="${tone}" x="${roundCoordinate(x)}" y="${roundCoordinate(to)}" width="${roundCoordinate(width)}" height="${roundCoordinate(Math.max(0, from - to))}"><title>${label}, ${title}: ${formatValue(chart, value)}</title></rect>`
    })
    return html`${parts}`
  })
  const places = labels.map((_, at) => LEFT + step * (at + 0.5))
  return renderFigure(chart, html`${renderAxes({ ...chart, places, y, ticks })}${columns}`)
}

/**
 * Draws a line for each series over equidistant labels, with a data table. Lines also differ in
 * their dashes. A single label is drawn as dots.
 */
export function lineChart(chart: Chart): Html {
  const { labels, series } = chart
  const { y, ticks } = createScale(series.flatMap(({ values }) => values.map(clampValue)))
  const step = (RIGHT - LEFT) / Math.max(1, labels.length - 1)
  const places = labels.map((_, at) =>
    labels.length === 1 ? (LEFT + RIGHT) / 2 : LEFT + step * at,
  )
  const lines = series.map(({ title, tone, values }, index) => {
    const points = places.map(
      (x, at) => `${roundCoordinate(x)},${roundCoordinate(y(clampValue(values[at])))}`,
    )
    const [only = ''] = points
    const [x, top] = only.split(',')
    return points.length === 1
      ? html`<circle class="${tone}" cx="${x}" cy="${top}" r="4"><title>${title}: ${formatValue(chart, clampValue(values[0]))}</title></circle>`
      : html`<polyline class="${tone}" points="${points.join(' ')}"${dashes(index)}><title>${title}</title></polyline>`
  })
  return renderFigure(chart, html`${renderAxes({ ...chart, places, y, ticks })}${lines}`)
}

const DASHES = ['', '8 4', '2 4', '12 3 2 3']
const MAX_LABELS = 12
/** Approximate width of a character, and minimum gap between two labels. */
const CHARACTER = 6.5
const GAP = 12
/** Limit that keeps sums of values finite. */
const MAX_VALUE = 1e300

function renderFigure(chart: Chart, content: Html): Html {
  const { id, title, description, labels, series } = chart
  if (labels.length === 0 || series.length === 0) {
    return html`<p class="soft">${title}: no data yet.</p>`
  }
  return html`<figure class="plot"><figcaption>${title}</figcaption><div class="plot-scroll" tabindex="0" role="region" aria-label="${title}"><svg class="chart" role="img" viewBox="0 0 ${WIDTH} ${BOTTOM + 28}" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>
${content}
</svg></div><p class="soft plot-hint">Scroll sideways to see the whole chart.</p>
${series.length > 1 ? renderLegend(chart) : ''}${renderDataTable(chart)}</figure>`
}

function renderLegend({ series }: Chart): Html {
  return html`<ul class="legend">${series.map(
    ({ title, tone }) =>
      html`<li><svg class="chart swatch" viewBox="0 0 12 12" aria-hidden="true"><rect class="${tone}" width="12" height="12"/></svg> ${title}</li>`,
  )}</ul>`
}

function renderDataTable(chart: Chart): Html {
  const { title, labelTitle, labels, series, labelLink } = chart
  return html`<details><summary>Data table</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}: data table"><table>
<caption>${title}</caption>
<thead><tr><th scope="col">${labelTitle}</th>${series.map((each) => html`<th scope="col" class="number">${each.title}</th>`)}</tr></thead>
<tbody>${labels.map(
    (label, at) =>
      html`<tr><th scope="row">${labelLink ? html`<a href="${labelLink(label)}">${label}</a>` : label}</th>${series.map(({ values }) => html`<td class="number">${formatValue(chart, clampValue(values[at]))}</td>`)}</tr>\n`,
  )}</tbody></table></div></details>`
}

function renderAxes(options: {
  readonly labels: readonly string[]
  readonly places: readonly number[]
  readonly y: (value: number) => number
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}): Html {
  const { labels, places, y, ticks } = options
  const longest = Math.max(0, ...labels.map((label) => truncateLabel(label).length))
  const fitting = Math.min(MAX_LABELS, (RIGHT - LEFT) / (longest * CHARACTER + GAP))
  const every = Math.ceil(labels.length / fitting)
  // The last label is always shown; labels too close to it are omitted.
  const isShown = (at: number) => (labels.length - 1 - at) % every === 0
  return html`${ticks.map(
    ({ value, text }) =>
      html`<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${roundCoordinate(y(value))}" y2="${roundCoordinate(y(value))}"/><text x="${LEFT - 6}" y="${roundCoordinate(y(value) + 4)}" text-anchor="end">${text}</text>\n`,
  )}${labels.map((label, at) =>
    isShown(at)
      ? html`<text x="${roundCoordinate(places[at] ?? 0)}" y="${BOTTOM + 18}" text-anchor="middle">${truncateLabel(label)}</text>\n`
      : '',
  )}`
}

function dashes(index: number): Html {
  const dash = DASHES[index % DASHES.length]
  return dash ? html` stroke-dasharray="${dash}"` : html``
}

function formatValue({ format = formatNumber }: Chart, value: number): string {
  return format(value)
}

function truncateLabel(label: string): string {
  const characters = [...label]
  return characters.length > 12 ? `${characters.slice(0, 11).join('')}…` : label
}

function clampValue(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.min(value, MAX_VALUE) : 0
}

function roundCoordinate(value: number): number {
  return Math.round(value * 10) / 10
}

/** Plot area within the picture, in its units. */
const WIDTH = 720
const LEFT = 52
const RIGHT = 708
const TOP = 12
const BOTTOM = 212

/** The vertical axis, starting at 0. */
interface Scale {
  /** Vertical position of a value, from the top of the picture; between `TOP` and `BOTTOM`. */
  readonly y: (value: number) => number
  /** From 0 to the highest value or slightly above. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[]
}

const STEPS = 4

/** Creates a scale with round steps that covers all values; 0 to 4 if no value exceeds 0. */
export function createScale(values: readonly number[]): Scale {
  let top = 0
  for (const value of values) if (Number.isFinite(value) && value > top) top = value
  // Whole numbers need no fractional ticks.
  const least = values.every(Number.isInteger) ? 1 : 0
  const round = Math.max(least, toRoundStep(top / STEPS || 1))
  const step = least === 0 || Number.isInteger(round) ? round : 2 * round
  const count = Math.max(1, Math.ceil(top / step - 1e-9))
  const ticks = Array.from({ length: (top === 0 ? STEPS : count) + 1 }, (_, index) => {
    const value = index * step
    return { value, text: toShortNumber(value) }
  })
  const highest = ticks.at(-1)?.value || 1
  return {
    ticks,
    y: (value) => BOTTOM - (Math.min(Math.max(value, 0), highest) / highest) * (BOTTOM - TOP),
  }
}

/** Formats a number with at most three digits and a suffix: `1.5k`, `20M`. */
export function toShortNumber(value: number): string {
  if (value >= 1e15) return value.toExponential(0)
  for (const [size, letter] of SIZES) {
    if (value >= size) return `${toDigits(value / size)}${letter}`
  }
  return toDigits(value)
}

const SIZES = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Returns 1, 2, 2.5 or 5 times a power of ten, at least as large as `step`. */
function toRoundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step * (1 - 1e-9)) ?? 10
  return factor * power
}

function toDigits(value: number): string {
  return String(Number(value.toPrecision(3)))
}
