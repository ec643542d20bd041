import { type CveHit, type CveResults, ServiceError, splitPackageUrl } from '../../../core/index.ts'
import { type Html, html } from '../../../core/shared/html.ts'
import type { PageResult, ViewedRequest } from '../page.ts'
import { pager, parsePageNumber, renderPageNotFound } from '../parts/pager.ts'
import { emptyState, formatNumber, note } from '../parts/text.ts'
import { completenessSection } from './completeness.ts'
import { filterForm, SEARCH_PATH } from './filter-form.ts'
import { hitItem } from './hit.ts'
import { nothingLoaded } from './nothing-loaded.ts'
import { type ParsedSearch, parseSearch, toLinkQuery } from './parse-search.ts'
import { yearChart } from './year-chart.ts'

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
  query.set('product', url.name)
  if (url.version !== '') query.set('version', url.version)
  return html`<p>Few CVE records name packages. <a href="${SEARCH_PATH}?${query}">Search for the product ${url.name} ${url.version}</a></p>`
}
