import {
  type FindDecision,
  joinApprovals,
  listServices,
  type ProjectFindings,
  type ProjectReport,
  type ReportedUsage,
  type UsageRole,
  type UsedService,
} from '../../core/scans/index.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { printFittedTable } from './fitted-table.ts'
import { formatCount, type Io, toPrintable } from './io.ts'

/** Maximum number of rows of the first screen. */
const MAX_ROWS = 24
/** Number of rows that are reserved for each section. */
const MIN_SECTION_ROWS = 3
/** Maximum number of lines of a list below the table. */
const MAX_NAME_LINES = 5
/** Width of lists without a terminal, in characters. */
const DEFAULT_COLUMNS = 100
/** Maximum number of printed terms of one API. */
const MAX_PRINTED_TERMS = 3

/** A report with the findings it was built from. */
export interface PrintedScan {
  readonly found: ProjectFindings
  readonly report: ProjectReport
  readonly decide: FindDecision
  /** Whether the catalogue has APIs; without it, no service is called uncatalogued. */
  readonly hasCatalogue: boolean
}

/** Prints one screen: a row per API, vendor or domain, then the names of all others by role. */
export function printProjectReport(
  io: Io,
  { found, report, decide, hasCatalogue }: PrintedScan,
): void {
  const services = listServices(found.findings, { decide })
  const sections = SECTIONS.map(([heading, belongs]) => ({
    heading,
    services: services.filter(belongs),
  }))
  const counts = allocateRows(sections.map((section) => section.services.length))
  const shown = new Set(sections.flatMap((section, at) => section.services.slice(0, counts[at])))
  const hasDecisions = [...shown].some(({ uses }) => joinApprovals(uses) !== 'unreviewed')
  const versions = toVersions(report)
  const lines = sections.flatMap(({ heading, services }) => {
    const title = heading === UNCATALOGUED && !hasCatalogue ? THIRD_PARTY : heading
    const rows = services
      .filter((service) => shown.has(service))
      .map((service) => formatServiceRow(service, versions))
    return rows.length === 0 ? [] : [[''], [title, ...HEADINGS], ...rows]
  })
  const [, headings, ...rows] = lines.map((row) => (hasDecisions ? row : row.slice(0, -1)))
  if (headings) {
    printFittedTable(io, {
      headings,
      rows,
      dropped: [undefined, 3],
      // The end of a host or path is its most specific part.
      cutAtStart: [1, 5],
    })
  }
  const columns = io.terminal?.columns ?? DEFAULT_COLUMNS
  const rest = services.filter((service) => !shown.has(service))
  for (const { label, roles, listsHosts } of LISTS) {
    const listed = rest.filter(({ role }) => roles.includes(role))
    if (listed.length === 0) continue
    const names = listsHosts ? listed.flatMap(({ hosts }) => hosts) : listed.map(formatShortName)
    const options = { label: label.replace('%', String(listed.length)), columns }
    for (const line of wrapNames(names, options)) io.result(line)
  }
}

/** Divides the rows among sections: first the reserved rows, then the others in order. */
function allocateRows(sizes: readonly number[]): readonly number[] {
  const rows = sizes.map((size) => Math.min(size, MIN_SECTION_ROWS))
  let free = MAX_ROWS - rows.reduce((sum, count) => sum + count, 0)
  return rows.map((count, at) => {
    const more = Math.min(free, (sizes[at] ?? 0) - count)
    free -= more
    return count + more
  })
}

/** Lists below the table, of services without a row; `%` stands for their number. */
const LISTS: readonly {
  readonly label: string
  readonly roles: readonly UsageRole[]
  /** Whether to list hosts, without names of services. */
  readonly listsHosts?: true
}[] = [
  { label: '… and % more', roles: ['production'] },
  { label: 'Also in builds and CI', roles: ['build'] },
  { label: 'Also in examples and docs', roles: ['example'] },
  { label: 'Only in tests', roles: ['test', 'generated'], listsHosts: true },
  { label: 'Downloads of files', roles: ['download'], listsHosts: true },
  { label: "This project's own hosts", roles: ['own-host'], listsHosts: true },
]

/** Prints each service with its endpoints and their locations. */
export function printProjectDetails(io: Io, { found, report, decide }: PrintedScan): void {
  const versions = toVersions(report)
  const terms = new Map(report.apis.map((api) => [api.id, formatTerms(api.terms)]))
  const services = listServices(found.findings, { foldsHosts: false, decide })
  if (services.length === 0) return
  printFittedTable(io, {
    headings: ['SERVICE', 'CONFIDENCE', 'LOCATION', 'APPROVAL', 'TERMS'],
    rows: services.flatMap((service): readonly (readonly string[])[] => {
      const { apiId, uses, hosts, locations, files, certainty, confidence } = service
      const approval = joinApprovals(uses)
      const isMixed = approval === 'partly' || approval === 'no'
      return [
        [
          formatDetailedName(service, versions),
          `${certainty} ${confidence.toFixed(2)}`,
          `${formatCount(locations, 'usage')} in ${formatCount(files, 'file')}`,
          APPROVAL_LABELS[approval],
          apiId === undefined ? '' : (terms.get(apiId) ?? ''),
        ],
        ...uses.flatMap((use) =>
          use.places.map(({ file, line }, index) => [
            index > 0 ? '' : `  ${formatUsageEndpoint(use, hosts.length > 1)}${formatOthers(use)}`,
            index > 0 ? '' : use.confidence.toFixed(2),
            `${file}:${line}`,
            isMixed && index === 0 ? APPROVAL_LABELS[use.approval] : '',
            '',
          ]),
        ),
      ]
    }),
    dropped: [4, 3],
    cutAtStart: [2],
  })
  for (const line of CONFIDENCE_NOTES) io.note(line)
}

/** Measured: see the guide "Scanner inputs and outputs". */
const CONFIDENCE_NOTES = [
  'Confidence, read against the code of 31 projects: high (0.90 or more) was a real usage in 135 of',
  '142 findings, medium (0.70 or more) in 18 of 22. Low is a guess, or a finding in a test.',
] as const

const HEADINGS = ['HOST', 'ENDPOINTS', 'USAGES', 'CONFIDENCE', 'LOCATION', 'APPROVAL'] as const

const UNCATALOGUED = 'NOT CATALOGUED'
/** Replaces `UNCATALOGUED` without a catalogue. */
const THIRD_PARTY = 'THIRD-PARTY API'

const SECTIONS: readonly (readonly [string, (service: UsedService) => boolean])[] = [
  ['CATALOGUED API', ({ apiId, role }) => role === 'production' && apiId !== undefined],
  ['ONE OF', (service) => isUncatalogued(service) && service.candidates.length > 0],
  [UNCATALOGUED, (service) => isUncatalogued(service) && service.candidates.length === 0],
  ['BUILD AND CI', ({ role }) => role === 'build'],
  ['EXAMPLES AND DOCS', ({ role }) => role === 'example'],
]

function isUncatalogued({ role, apiId }: UsedService): boolean {
  return role === 'production' && apiId === undefined
}

function toVersions({ apis }: ProjectReport): ReadonlyMap<number, string> {
  return new Map(apis.map(({ id, version }) => [id, version]))
}

function formatServiceRow(
  service: UsedService,
  versions: ReadonlyMap<number, string>,
): readonly string[] {
  const { apiId, name, vendorName, candidates, hosts, uses, endpoints, location } = service
  const { isOwnClient } = service
  const [host = '', ...others] = hosts
  const title = candidates.length > 0 ? candidates.join(', ') : (vendorName ?? name)
  const alternatives = new Set(uses.flatMap(listOtherHosts).filter((each) => !hosts.includes(each)))
  const more = others.length + alternatives.size
  return [
    apiId === undefined ? title : formatVersion(name, versions.get(apiId)),
    more > 0 ? `${host} (+${more})` : host,
    endpoints > 0 ? String(endpoints) : isOwnClient ? 'own client' : 'library',
    String(service.locations),
    service.certainty,
    `${location.file}:${location.line}`,
    APPROVAL_LABELS[joinApprovals(uses)],
  ]
}

function formatVersion(name: string, version = ''): string {
  return version === '' ? name : `${name} ${version}`
}

function formatDetailedName(service: UsedService, versions: ReadonlyMap<number, string>): string {
  const { apiId, name, vendorName, candidates, hosts, models = [] } = service
  const usedIn = DETAILED_ROLES[service.role]
  const requested = (models.length > 0 ? `, models ${models.join(', ')}` : '') + usedIn
  if (apiId !== undefined) {
    return `${formatVersion(name, versions.get(apiId))} (${vendorName ?? 'unknown vendor'})${requested}`
  }
  if (candidates.length > 0) {
    return `${hosts.join(', ')}: one of ${candidates.join(', ')}${requested}`
  }
  return `${hosts.join(', ')}${vendorName === undefined ? '' : ` (${vendorName})`}${requested}`
}

const DETAILED_ROLES: Readonly<Record<UsageRole, string>> = {
  production: '',
  build: ', build and CI',
  example: ', examples and docs',
  test: ', tests',
  generated: ', generated code',
  download: ', download',
  'own-host': ', own host',
}

/** Formats a service as `Stripe (api.stripe.com)`; a domain is named by its host. */
function formatShortName({ name, hosts: [host = name, ...others] }: UsedService): string {
  const hosts = others.length > 0 ? `${host} and ${others.length} more` : host
  return host.endsWith(name) ? hosts : `${name} (${hosts})`
}

/** Lists names below a label, in lines of at most `columns` characters. */
function wrapNames(
  names: readonly string[],
  { label, columns }: { readonly label: string; readonly columns: number },
): readonly string[] {
  const lines: string[] = []
  let line = `${label}:`
  for (const [index, name] of names.map(toPrintable).entries()) {
    const word = index < names.length - 1 ? `${name},` : name
    if (line.length + word.length + 1 > columns) {
      if (lines.length === MAX_NAME_LINES - 1) {
        lines.push(`  and ${names.length - index} others: add --verbose to list all`)
        return lines
      }
      lines.push(line)
      line = ` ${word}`
    } else {
      line += ` ${word}`
    }
  }
  return [...lines, line]
}

/** Formats an endpoint as `GET /v1/users/{}`, with its host if the service has several. */
function formatUsageEndpoint({ url, method, host }: ReportedUsage, withHost: boolean): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '')
  const path = /[/?].*$/s.exec(address)?.[0] ?? ''
  const shown = withHost || path === '' || path === '/' ? host + path : path
  return method === undefined ? shown : `${method.toUpperCase()} ${shown}`
}

/** Lists alternative hosts in the code: ` or production.acme.io`. */
function formatOthers(use: ReportedUsage): string {
  return [...new Set(listOtherHosts(use))].map((host) => ` or ${host}`).join('')
}

function listOtherHosts({ alternatives = [] }: ReportedUsage): readonly string[] {
  return alternatives.map((url) => URL.parse(url)?.host ?? url)
}

function formatTerms(terms: readonly string[]): string {
  if (terms.length === 0) return 'none known'
  const more = terms.length - MAX_PRINTED_TERMS
  return terms.slice(0, MAX_PRINTED_TERMS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
