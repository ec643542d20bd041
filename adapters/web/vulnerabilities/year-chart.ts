import type { YearCount } from '../../../core/index.ts'
import type { Html } from '../../../core/shared/html.ts'
import { barChart } from '../parts/chart.ts'
import { formatNumber } from '../parts/text.ts'
import { SEARCH_PATH } from './filter-form.ts'
import { SEVERITIES } from './parse-search.ts'

/**
 * Renders the results by year of publication and severity. Each row of the table links to its year.
 */
export function yearChart(years: readonly YearCount[], query: URLSearchParams): Html {
  const shown = fillYears(years)
  const total = (of: YearCount) => SEVERITIES.reduce((sum, { value }) => sum + of[value], 0)
  const most = shown.reduce((best, each) => (total(each) > total(best) ? each : best), EMPTY_YEAR)
  const span =
    shown.length === 1 ? `in ${shown[0]?.year}` : `${shown[0]?.year} to ${shown.at(-1)?.year}`
  const all = SEVERITIES.map(({ value, label }) => {
    return `${label.toLowerCase()} ${formatNumber(shown.reduce((sum, each) => sum + each[value], 0))}`
  })
  return barChart({
    id: 'years',
    title: 'By year of publication and severity',
    description: `Published ${span}, most in ${most.year} (${formatNumber(total(most))}). In all: ${all.join(', ')}.`,
    labelTitle: 'Year',
    labelLink(year) {
      const narrowed = new URLSearchParams(query)
      narrowed.set('year_from', year)
      narrowed.set('year_to', year)
      return `${SEARCH_PATH}?${narrowed}`
    },
    labels: shown.map(({ year }) => String(year)),
    series: SEVERITIES.toReversed().map(({ value, label }) => ({
      title: label,
      tone: value,
      values: shown.map((each) => each[value]),
    })),
  })
}

const EMPTY_YEAR: YearCount = { year: 0, none: 0, low: 0, medium: 0, high: 0, critical: 0 }
/** A gap of more years than this is not filled. */
const MAX_GAP_YEARS = 50

/** Adds the years without records between others. */
function fillYears(years: readonly YearCount[]): readonly YearCount[] {
  const filled: YearCount[] = []
  for (const each of years) {
    const before = filled.at(-1)?.year ?? each.year
    if (each.year - before <= MAX_GAP_YEARS) {
      for (let year = before + 1; year < each.year; year += 1) filled.push({ ...EMPTY_YEAR, year })
    }
    filled.push(each)
  }
  return filled
}
