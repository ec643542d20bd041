import { describe, expect, test } from 'vitest'
import {
  barChart,
  type Chart,
  createScale,
  lineChart,
  toShortNumber,
} from '../../../adapters/web/parts/chart.ts'

const CHART: Chart = {
  id: 'years',
  title: 'Records by year',
  description: 'Most are of 2024.',
  labelTitle: 'Year',
  labels: ['2023', '2024'],
  series: [
    { title: 'High', tone: 'high', values: [1, 3] },
    { title: 'Low', tone: 'low', values: [2, 0] },
  ],
}

/** Returns the numbers in the values of an attribute, in order. */
function readNumbers(html: string, attribute: string): readonly number[] {
  return [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].flatMap(([, text = '']) =>
    text.split(/[ ,]/).map(Number),
  )
}

describe('A chart', () => {
  test('says what it shows, in words and in a table of the same figures', () => {
    const { text } = barChart(CHART)
    expect(text).toContain('role="img"')
    expect(text).toContain('aria-labelledby="years-title years-desc"')
    expect(text).toContain('<title id="years-title">Records by year</title>')
    expect(text).toContain('<desc id="years-desc">Most are of 2024.</desc>')
    expect(text).toContain('<th scope="row">2024</th><td class="number">3</td><td class="number">0')
    expect(text).toContain('</svg> High</li>')
  })

  test('stacks bars upon each other, each as high as its figure', () => {
    const rects = [
      ...barChart(CHART).text.matchAll(
        /<rect class="(\w+)" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"><title>([^<]+)/g,
      ),
    ]
    expect(rects.map(([, tone, y, height, title]) => [tone, y, height, title])).toEqual([
      ['high', '145.3', '66.7', '2023, High: 1'],
      ['low', '12', '133.3', '2023, Low: 2'],
      ['high', '12', '200', '2024, High: 3'],
    ])
  })

  test('shows so many labels as stand beside each other, the last one always', () => {
    const shown = (labels: readonly string[]) => {
      const series = [{ title: 'High', tone: 'high' as const, values: labels.map(() => 1) }]
      const { text } = barChart({ ...CHART, labels, series })
      return [...text.matchAll(/text-anchor="middle">([^<]+)/g)].map(([, label]) => label)
    }
    const years = Array.from({ length: 10 }, (_, index) => `${2017 + index}`)
    expect(shown(years)).toEqual(years)
    const days = years.map((_, index) => `2026-03-${11 + index}`)
    expect(shown(days)).toEqual(days.filter((_, index) => index % 2 === 1))
  })

  test('draws lines that differ by more than their colours', () => {
    const { text } = lineChart(CHART)
    expect(text).toContain('<polyline class="high" points="52,145.3 708,12"><title>High')
    expect(text).toContain('<polyline class="low" points="52,78.7 708,212" stroke-dasharray="8 4">')
    expect(lineChart({ ...CHART, labels: ['2023'] }).text).toContain(
      '<circle class="high" cx="380"',
    )
  })

  test.each([
    ['nothing', []],
    ['zero', [0, 0]],
    ['one', [1]],
    ['fractions', [0.001, 0.0004]],
    ['less than nothing', [-5, 3]],
    ['no numbers', [Number.NaN, Number.POSITIVE_INFINITY, 2]],
    ['huge numbers', [Number.MAX_VALUE, 1e300, 1]],
    ['tiny numbers', [Number.MIN_VALUE, 0]],
    ['many numbers', Array.from({ length: 3000 }, (_, index) => index)],
  ])('stays within its picture for %s', (_, values) => {
    const labels = values.map((_, index) => `no. ${index}`)
    const series = [
      { title: 'Some', tone: 'bar' as const, values },
      { title: 'As many', tone: 'none' as const, values },
    ]
    for (const draw of [barChart, lineChart]) {
      const { text } = draw({ ...CHART, labels, series })
      for (const attribute of ['x', 'y', 'width', 'height', 'x1', 'y1', 'points', 'cx', 'cy']) {
        const outside = readNumbers(text, attribute).filter((each) => !(each >= 0 && each <= 720))
        expect(outside, attribute).toEqual([])
      }
      expect(text).not.toMatch(/NaN|Infinity|undefined/)
    }
  })

  test('says so where there is nothing to draw', () => {
    expect(barChart({ ...CHART, labels: [] }).text).toBe(
      '<p class="soft">Records by year: no data yet.</p>',
    )
  })

  test('writes names of others as text', () => {
    const { text } = barChart({ ...CHART, labels: ['<script>', '"&'] })
    expect(text).not.toContain('<script>')
    expect(text).toContain('&lt;script&gt;')
  })
})

describe('A scale', () => {
  test('has round ticks from 0 to above the highest value', () => {
    const ticks = (values: readonly number[]) => createScale(values).ticks.map(({ text }) => text)
    expect(ticks([])).toEqual(['0', '1', '2', '3', '4'])
    expect(ticks([1])).toEqual(['0', '1'])
    expect(ticks([3])).toEqual(['0', '1', '2', '3'])
    expect(ticks([10])).toEqual(['0', '5', '10'])
    expect(ticks([10.5])).toEqual(['0', '5', '10', '15'])
    expect(ticks([41_234])).toEqual(['0', '20k', '40k', '60k'])
    expect(ticks([0.5])).toEqual(['0', '0.2', '0.4', '0.6'])
  })

  test('writes numbers short', () => {
    expect([0, 999, 1000, 1250, 2_500_000, 7e9, 1e12, 1e20].map(toShortNumber)).toEqual([
      '0',
      '999',
      '1k',
      '1.25k',
      '2.5M',
      '7G',
      '1T',
      '1e+20',
    ])
  })
})
