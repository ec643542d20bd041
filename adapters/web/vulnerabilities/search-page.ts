import { ServiceError } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import {
  type CveHit,
  type CveResults,
  countVersions,
  decodeEntities,
  splitPackageUrl,
  type YearCompleteness,
  type YearCount,
} from '../../../core/vulnerabilities/index.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { barChart } from '../parts/chart.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { table } from '../parts/table.ts'
import { emptyState, formatNumber, note, timeElement } from '../parts/text.ts'
import { filterForm, SEARCH_PATH } from './filter-form.ts'
import { nothingLoaded } from './nothing-loaded.ts'
import { type ParsedSearch, parseSearch, SEVERITIES, toLinkQuery } from './parse-search.ts'
import { formatPercent, HIGH_EPSS, severityBadge, urgencyBadges } from './severity.ts'

const PAGE_SIZE = 25

/** Renders the search: filters, results (newest first) and a chart of them. */
export async function renderSearchPage(request: ViewedRequest): Promise<PageResult> {
  const { query: params } = request
  const parsed = parseSearch(params)
  const [found, { rejected, completeness }] = await Promise.all([
    runSearch(request, parsed),
    request.app.vulnerabilities.status(),
  ])
  const omitted = parsed.query.includesRejected ? 0 : rejected
  const left = parsed.isNarrowed ? undefined : omitted
  const errors =
    found.error === undefined ? parsed.errors : new Map([...parsed.errors, ['q', found.error]])
  const body = html`<h1>Vulnerabilities</h1>
<p class="lead">CVE records of NVD, with CISA’s known exploited vulnerabilities and EPSS scores. <a href="${SEARCH_PATH}/vendors">Browse vendors and products</a></p>
${filterForm(params, { ...parsed, errors })}
<section id="results" aria-label="Results">
${errors.size > 0 ? note(describeErrors(errors), 'bad') : ''}
${found.results ? renderResults(request, { found: found.results, hits: found.hits, rejected: left }) : ''}
</section>
${parsed.isNarrowed ? '' : completenessSection(completeness)}`
  return { kind: 'page', title: 'Vulnerabilities', body, ...(errors.size > 0 && { status: 400 }) }
}

function describeErrors(errors: ReadonlyMap<string, string>): string {
  const each = [...errors].map(([name, message]) => {
    const [stem = '', end] = name.split('_')
    return `${FIELD_NAMES[stem] ?? stem}${end ? ` ${end}` : ''} ${message}`
  })
  return `Some filters are invalid: ${each.join('; ')}.`
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  q: 'the term',
  cwe: 'the weakness',
  score: 'CVSS',
  epss: 'EPSS score',
  percentile: 'EPSS percentile',
}

interface SearchOutcome {
  readonly results?: CveResults
  readonly hits: readonly CveHit[]
  /** Why the term is invalid. */
  readonly error?: string
}

async function runSearch(
  { app, query }: ViewedRequest,
  parsed: ParsedSearch,
): Promise<SearchOutcome> {
  const hits: CveHit[] = []
  if (parsed.errors.size > 0) return { hits }
  try {
    const results = await app.vulnerabilities.search({
      ...parsed.query,
      page: { page: parsePageNumber(query), size: PAGE_SIZE },
      isExtended: true,
      countsYears: true,
    })
    for await (const batch of results.hits) hits.push(...batch)
    return { results, hits }
  } catch (error) {
    const isTerm = error instanceof ServiceError && error.code === 'invalid_input'
    if (!isTerm) throw error
    return { hits, error: error.issues[0]?.message ?? error.message }
  }
}

function renderResults(
  { query: params, command }: ViewedRequest,
  options: {
    readonly found: CveResults
    readonly hits: readonly CveHit[]
    /**
     * Number of records that are excluded because they are rejected; undefined if filters are set.
     */
    readonly rejected: number | undefined
  },
): Html {
  const { found, hits, rejected } = options
  if (found.count === 0) {
    return rejected === undefined ? nothingFound(params) : nothingLoaded(command)
  }
  const query = toLinkQuery(params)
  const download = (format: string) => {
    const link = new URLSearchParams(query)
    link.set('format', format)
    return `${SEARCH_PATH}/download?${link}`
  }
  const { years = [] } = found
  return html`<div role="status"><h2>${formatNumber(found.count)} ${found.count === 1 ? 'record' : 'records'}${rejected === 0 ? ' in all' : ''}</h2>${rejected ? rejectedNote(found.count + rejected, rejected) : ''}</div>
<p class="row">Download all ${formatNumber(found.count)}: <a href="${download('csv')}" download>CSV</a> <a href="${download('json')}" download>JSON</a></p>
${hits.length === 0 ? renderPageNotFound(SEARCH_PATH, query) : html`<ul class="hits">${hits.map(hitItem)}</ul>`}
${pager({ path: SEARCH_PATH, query, page: parsePageNumber(params), pageSize: PAGE_SIZE, total: found.count })}
${yearChart(years, query)}`
}

function rejectedNote(all: number, rejected: number): Html {
  const are = rejected === 1 ? 'is rejected and not shown' : 'are rejected and not shown'
  return html`<p class="soft">${formatNumber(all)} in all: ${formatNumber(rejected)} of them ${are}. <a href="${SEARCH_PATH}?rejected=yes">Show all</a></p>`
}

function nothingFound(params: URLSearchParams): Html {
  return emptyState(
    'No results',
    html`<p role="status">Remove a word or a filter to broaden the search. <a href="${SEARCH_PATH}">Clear all filters</a></p>
${adviseProductSearch(params)}`,
  )
}

/** Links to the same search by product instead of package. */
function adviseProductSearch(params: URLSearchParams): Html {
  const url = splitPackageUrl(params.get('purl')?.trim() ?? '')
  if (!url) return html``
  const query = toLinkQuery(params)
  query.delete('purl')
  const { namespace, name } = url
  const product = namespace.startsWith('@') ? `${namespace}/${name}` : name
  query.set('product', product)
  if (url.version !== '') query.set('version', url.version)
  return html`<p>Few CVE records name packages. <a href="${SEARCH_PATH}?${query}">Search for the product ${product} ${url.version}</a></p>`
}

/** Limit on the years that are shown, the newest first. */
const MAX_YEARS = 10

/** Renders how many records of each year name a product, have configurations or a score. */
function completenessSection(years: readonly YearCompleteness[]): Html {
  if (years.length === 0) return html``
  const share = (count: number, { records }: YearCompleteness) =>
    html`${formatNumber(count)} <span class="soft">(${Math.floor((count / records) * 100)} %)</span>`
  return html`<h2>How complete the records are</h2>
<p>Since April 2026, NVD analyses few records itself. The others list the products that their reporters state.</p>
${table({
  caption: `Records by year of publication, without rejected ones${years.length > MAX_YEARS ? `; the last ${MAX_YEARS} years` : ''}`,
  columns: [
    { title: 'Year', isHead: true, cell: (of: YearCompleteness) => of.year },
    { title: 'Records', cell: ({ records }) => formatNumber(records) },
    { title: 'With a product', cell: (of) => share(of.withProduct, of) },
    { title: 'With NVD’s analysis', cell: (of) => share(of.withConfigurations, of) },
    { title: 'With a score', cell: (of) => share(of.withScore, of) },
    { title: 'With neither product nor score', cell: (of) => share(of.withNeither, of) },
  ],
  rows: years.toReversed().slice(0, MAX_YEARS),
})}`
}

/** Renders a search result: severity, description and affected product. */
function hitItem(hit: CveHit): Html {
  const { extended, named } = hit
  if (!extended) return html``
  const { record, epss } = extended
  // The cast is safe: the core wrote the line.
  const line = JSON.parse(hit.line) as Readonly<Record<'vendor' | 'product' | 'version', string>>
  const { vendor, product, version } = named ?? line
  const more = countVersions(record, { vendor, product }) - 1
  const versions = `${version}${more > 0 ? ` (+${more} more)` : ''}`
  const affected = [vendor, product, version === '-' ? '-' : versions]
    .filter((part) => part !== '-')
    .join(' ')
  return html`<li><h3><a href="${SEARCH_PATH}/${record.id}">${record.id}</a></h3>
<p>${severityBadge(record.metrics[0])}${urgencyBadges(extended)}</p>
<p>${shortenDescription(record.descriptions[0]?.text ?? '') || 'No description.'}</p>
<p class="soft">${affected ? html`<span class="mono">${affected}</span> · ` : ''}Published ${timeElement(record.publishedAt)}${epss && epss.score < HIGH_EPSS ? ` · EPSS ${formatPercent(epss.score)}` : ''}</p></li>\n`
}

/** Shortens a description to `MAX_LENGTH` code units, at a space if possible. */
function shortenDescription(text: string): string {
  const plain = decodeEntities(text).replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_LENGTH) return plain
  const cut = plain.slice(0, MAX_LENGTH)
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[\ud800-\udbff]$/, '')}…`
}

const MAX_LENGTH = 280

/**
 * Renders the results by year of publication and severity. Each row of the table links to its year.
 */
function yearChart(years: readonly YearCount[], query: URLSearchParams): Html {
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
