import {
  joinDecisions,
  mergeUsages,
  type ProjectFindings,
  type ProjectReport,
  type ReportedApi,
  type ReportedHost,
  type ReportedUsage,
} from '../../core/scans/index.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { printFittedTable } from './fitted-table.ts'
import { formatCount, type Io, toPrintable } from './io.ts'

/** Maximum number of printed usages of one API. */
const MAX_PRINTED_USAGES = 5
/** Maximum number of printed wrappers. */
const MAX_PRINTED_WRAPPERS = 5
/** Maximum number of printed terms of one API. */
const MAX_PRINTED_TERMS = 3

/** Prints a report as text: APIs with their endpoints and code locations, then the other hosts. */
export function printProjectReport(io: Io, report: ProjectReport): void {
  const { apis } = report
  const ambiguous = report.hosts.filter(({ candidates }) => candidates)
  const hosts = report.hosts.filter(({ candidates }) => !candidates)
  if (apis.length > 0) {
    printFittedTable(io, {
      headings: ['API', 'VENDOR', 'ENDPOINTS', 'FILES', 'FOUND BY', 'APPROVAL', 'TERMS'],
      rows: apis.flatMap(formatApiRows),
      // The least important first.
      dropped: [4, 1],
      // The end of a path is its most specific part.
      cutAtStart: [3],
    })
  }
  if (ambiguous.length > 0) {
    if (apis.length > 0) io.result('')
    printFittedTable(io, {
      headings: ['SHARED HOST', 'CANDIDATES', 'VENDOR', 'USAGES', 'LOCATION', 'APPROVAL'],
      rows: ambiguous.map((host) => {
        const [name, , ...rest] = formatHostRow(host)
        return [name, host.candidates?.join(', ') ?? '', ...rest]
      }),
      dropped: [3, 2],
      cutAtStart: [0, 4],
    })
  }
  if (hosts.length === 0) return
  if (apis.length + ambiguous.length > 0) io.result('')
  printFittedTable(io, {
    headings: ['UNCATALOGUED HOST', 'DOMAIN', 'VENDOR', 'USAGES', 'LOCATION', 'APPROVAL'],
    rows: hosts.map(formatHostRow),
    dropped: [1, 2],
    cutAtStart: [0, 1, 4],
  })
}

/** Prints totals in one line, and advice if nothing was found. */
export function printScanSummary(
  io: Io,
  summary: {
    readonly found: ProjectFindings
    readonly seconds: number
    /** Whether to explain how to match hosts to APIs. */
    readonly hasHint: boolean
  },
): void {
  const { found, seconds, hasHint } = summary
  const { files, skipped, findings, unmatched, untold, unresolvedWrappers } = found
  const uses = mergeUsages(findings, joinDecisions([]))
  const reasons = Object.entries(skipped).map(([reason, number]) => `${number} ${reason}`)
  const left = reasons.length > 0 ? `, skipped: ${reasons.join(', ')}` : ''
  io.note(
    `${formatCount(uses.length, 'endpoint')} in ${formatCount(findings.length, 'location')}; ${formatCount(files, 'file')} read${left}; ${seconds.toFixed(1)} s.`,
  )
  if (untold.length > 0) {
    const calls = formatCount(untold.length, 'call')
    io.note(`${calls} to hosts that the scan could not resolve, not listed above: see --json.`)
  }
  for (const { row, calls, unresolved } of (unresolvedWrappers ?? []).slice(
    0,
    MAX_PRINTED_WRAPPERS,
  )) {
    const reason =
      calls === 0
        ? 'no call found'
        : `${unresolved} of ${formatCount(calls, 'call')} without a known host`
    io.note(`Wrapper ${toPrintable(row)} of the project file: ${reason}.`)
  }
  if (files === 0) {
    io.note(`No file was read: ${explainUnreadFiles(skipped)}.`)
  } else if (findings.length === 0) {
    io.note('No usages of third-party APIs were found.')
  } else if (hasHint && unmatched.length > 0) {
    io.note(
      'To match hosts to APIs, import their descriptions: api-discovery import FILE --create-vendors',
    )
  }
}

/** Explains why no file was read, and how to include the skipped files. */
function explainUnreadFiles(skipped: ProjectFindings['skipped']): string {
  const told = Object.entries(skipped)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, number]) => SKIP_EXPLANATIONS.get(reason) ?? `${number} ${reason}`)
  return told.length > 0 ? told.join('; ') : 'the folder is empty'
}

const SKIP_EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['ignored', 'files ignored by git are skipped; use --no-ignore to read them'],
  ['excluded', 'no file matches --include, or --exclude matches'],
  ['vendored', 'vendored folders are skipped unless --include names them'],
  ['generated', 'generated files are skipped unless --include names them'],
  ['unsupported', 'some file types are not supported'],
  ['link', 'links are not followed'],
])

function formatApiRows(api: ReportedApi): readonly (readonly string[])[] {
  const { name, version, vendorName, uses, files, via, approval, terms } = api
  const head = [
    [name, version].filter((text) => text !== '').join(' '),
    vendorName,
    formatCount(uses.length, 'endpoint'),
    formatCount(files, 'file'),
    via.join(', '),
    APPROVAL_LABELS[approval],
    formatTerms(terms),
  ]
  const hosts = new Set(uses.map(({ host }) => host))
  const shown = uses.slice(0, MAX_PRINTED_USAGES).map((use) => {
    const decided = approval === 'partly' || approval === 'no' ? APPROVAL_LABELS[use.approval] : ''
    return [
      '',
      '',
      `  ${formatUsageEndpoint(use, hosts.size > 1)}${formatAlternativeHosts([use])}`,
      formatLocations(use),
      '',
      decided,
      '',
    ]
  })
  const rest = uses.length - shown.length
  return [head, ...shown, ...(rest > 0 ? [['', '', `  … ${rest} more`, '', '', '', '']] : [])]
}

function formatHostRow({
  host,
  domain,
  vendorName,
  count: uses,
  ...rest
}: ReportedHost): readonly [string, string, ...string[]] {
  const [first] = rest.uses
  const place = first ? formatLocations({ ...first, places: first.places.slice(0, 1) }) : ''
  return [
    `${host}${formatAlternativeHosts(rest.uses)}`,
    domain,
    vendorName ?? '-',
    String(uses),
    place,
    APPROVAL_LABELS[rest.approval],
  ]
}

/** Formats an endpoint as `GET /v1/users/{}`, with its host if the API has several. */
function formatUsageEndpoint({ url, method, host }: ReportedUsage, withHost: boolean): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '')
  const path = /[/?].*$/s.exec(address)?.[0] ?? ''
  const shown = withHost || path === '' || path === '/' ? host + path : path
  return method === undefined ? shown : `${method.toUpperCase()} ${shown}`
}

/** Lists alternative hosts in the code: ` or production.acme.io`. */
function formatAlternativeHosts(uses: readonly ReportedUsage[]): string {
  const urls = uses.flatMap(({ alternatives = [] }) => alternatives)
  const hosts = new Set(urls.map((url) => URL.parse(url)?.host ?? url))
  return [...hosts].map((host) => ` or ${host}`).join('')
}

function formatLocations({ places }: Pick<ReportedUsage, 'places'>): string {
  const [first, ...others] = places
  if (!first) return ''
  return `${first.file}:${first.line}${others.length > 0 ? ` (+${others.length})` : ''}`
}

function formatTerms(terms: readonly string[]): string {
  if (terms.length === 0) return 'none known'
  const more = terms.length - MAX_PRINTED_TERMS
  return terms.slice(0, MAX_PRINTED_TERMS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
