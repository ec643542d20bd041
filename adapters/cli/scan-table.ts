import {
  type FindDecision,
  findUsageRole,
  joinApprovals,
  listServices,
  type ProjectFindings,
  type ProjectReport,
  type ReportedUsage,
  type UsageLocation,
  type UsageRole,
  type UsedService,
} from '../../core/scans/index.ts'
import { APPROVAL_LABELS } from './approval-labels.ts'
import { type FittedCell, printFittedTable, shortenPath } from './fitted-table.ts'
import { formatCount, type Io, toPrintable } from './io.ts'

/** Maximum number of rows of the first screen. */
const MAX_ROWS = 24
/** Number of rows that are reserved for each section. */
const MIN_SECTION_ROWS = 3
/** Maximum number of lines of a list below the table, on a terminal. */
const MAX_NAME_LINES = 10
/** Width of lists without a terminal, in characters. */
const DEFAULT_COLUMNS = 100
/** Maximum width of several hosts or purposes of a service, in characters. */
const MAX_NAMES_WIDTH = 30
/** Preferred widths of the columns. */
const PREFERRED_WIDTHS = [17, 14, 22, 10, 10, 6, 10, 29]
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
  const inTable = services.filter(({ role }) => TABLE_ROLES.has(role))
  const listed = inTable.length > 0 ? inTable : services.filter(({ role }) => role === 'test')
  const sections = SECTIONS.map(([heading, belongs]) => ({
    heading,
    services: listed.filter(belongs),
  }))
  const counts = allocateRows(sections.map((section) => section.services.length))
  const shown = new Set(sections.flatMap((section, at) => section.services.slice(0, counts[at])))
  const hasPurposes = [...shown].some(({ purposes }) => purposes.length > 0)
  const hasDecisions = [...shown].some(({ uses }) => joinApprovals(uses) !== 'unreviewed')
  const versions = toVersions(report)
  const columns = io.terminal?.columns ?? DEFAULT_COLUMNS
  const lines = sections.flatMap(({ heading, services }): readonly (readonly FittedCell[])[] => {
    const title = heading === UNCATALOGUED && !hasCatalogue ? THIRD_PARTY : heading
    const rows = services
      .filter((service) => shown.has(service))
      .map((service) => formatServiceRow(service, versions))
    return rows.length === 0 ? [] : [[''], [title, ...HEADINGS], ...rows]
  })
  const isEmpty = (column: number) =>
    (column === PURPOSE && !hasPurposes) || (column === APPROVAL && !hasDecisions)
  const [, headings, ...rows] = lines.map((row) =>
    row.map((cell, column) => (isEmpty(column) ? '' : cell)),
  )
  if (headings) {
    printFittedTable(io, {
      headings,
      rows,
      dropped: [5, 6, 4],
      preferred: PREFERRED_WIDTHS,
      // The end of a host is its most specific part.
      cutAtStart: [2],
    })
  }
  const lists = new Map<string, string[]>()
  for (const service of listed.filter((each) => !shown.has(each))) {
    const usedIn = service.roles.join(', ')
    lists.set(usedIn, [...(lists.get(usedIn) ?? []), service.name])
  }
  const maxLines = io.terminal ? MAX_NAME_LINES : Number.POSITIVE_INFINITY
  const print = (label: string, names: readonly string[]) => {
    for (const line of wrapNames(names, { label, columns, maxLines })) io.result(line)
  }
  for (const [usedIn, names] of lists) print(`… and ${names.length} more in ${usedIn}`, names)
  for (const { label, roles } of HOST_LISTS) {
    const rest = services.filter((each) => roles.includes(each.role) && !listed.includes(each))
    if (rest.length > 0) print(label, [...new Set(rest.flatMap(({ hosts }) => hosts))])
  }
}

/** Roles of the services in the table. */
const TABLE_ROLES: ReadonlySet<UsageRole> = new Set(['production', 'build', 'example'])

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

/** Lists of hosts below the table. */
const HOST_LISTS: readonly { readonly label: string; readonly roles: readonly UsageRole[] }[] = [
  { label: 'Only in tests', roles: ['test', 'generated'] },
  { label: 'Downloads of files', roles: ['download'] },
  { label: "This project's own hosts", roles: ['own-host'] },
]

/** Prints each service with its endpoints and their locations. */
export function printProjectDetails(io: Io, { found, report, decide }: PrintedScan): void {
  const versions = toVersions(report)
  const terms = new Map(report.apis.map((api) => [api.id, formatTerms(api.terms)]))
  const services = listServices(found.findings, { foldsHosts: false, decide })
  if (services.length === 0) return
  const roles = new Map(
    found.findings.map((each) => [toRoleKey(each.endpointUrl, each), findUsageRole(each)]),
  )
  const findRole = (url: string, place: UsageLocation) => {
    const role = roles.get(toRoleKey(url, place)) ?? 'production'
    return role === 'production' ? '' : role
  }
  printFittedTable(io, {
    headings: ['SERVICE', 'CONFIDENCE', 'USED IN', 'LOCATION', 'APPROVAL', 'TERMS'],
    rows: services.flatMap((service): readonly (readonly string[])[] => {
      const { apiId, uses, hosts, locations, files, certainty, confidence } = service
      const approval = joinApprovals(uses)
      const isMixed = approval === 'partly' || approval === 'no'
      return [
        [
          formatDetailedName(service, versions),
          `${certainty} ${confidence.toFixed(2)}`,
          service.roles.join(', '),
          `${formatCount(locations, 'usage')} in ${formatCount(files, 'file')}`,
          APPROVAL_LABELS[approval],
          apiId === undefined ? '' : (terms.get(apiId) ?? ''),
        ],
        ...uses.flatMap((use) =>
          use.places.map((place, index) => [
            index > 0 ? '' : `  ${formatUsageEndpoint(use, hosts)}${formatOthers(use)}`,
            index > 0 ? '' : use.confidence.toFixed(2),
            findRole(use.url, place),
            `${place.file}:${place.line}`,
            isMixed && index === 0 ? APPROVAL_LABELS[use.approval] : '',
            '',
          ]),
        ),
      ]
    }),
    dropped: [5, 4],
    cutAtStart: [3],
  })
  for (const line of CONFIDENCE_NOTES) io.note(line)
}

function toRoleKey(url: string, { file, line, column }: UsageLocation): string {
  return `${file}:${line}:${column} ${url}`
}

/** Measured: see the guide "Scanner inputs and outputs". */
const CONFIDENCE_NOTES = [
  'Confidence, read against the code of 31 projects: high (0.90 or more) was a',
  'real usage in 135 of 142 findings, medium (0.70 or more) in 18 of 22. Low is a',
  'guess, or a finding in a test.',
] as const

const HEADINGS: readonly string[] = [
  'PURPOSE',
  'HOST',
  'USED IN',
  'ENDPOINTS',
  'USAGES',
  'CONFIDENCE',
  'LOCATION',
  'APPROVAL',
]

/** Columns that are omitted if no service has a value. */
const PURPOSE = 1
const APPROVAL = 8

const UNCATALOGUED = 'NOT CATALOGUED'
/** Replaces `UNCATALOGUED` without a catalogue. */
const THIRD_PARTY = 'THIRD-PARTY API'

const SECTIONS: readonly (readonly [string, (service: UsedService) => boolean])[] = [
  ['CATALOGUED API', ({ apiId }) => apiId !== undefined],
  ['ONE OF', ({ apiId, candidates }) => apiId === undefined && candidates.length > 0],
  [UNCATALOGUED, ({ apiId, candidates }) => apiId === undefined && candidates.length === 0],
]

function toVersions({ apis }: ProjectReport): ReadonlyMap<number, string> {
  return new Map(apis.map(({ id, version }) => [id, version]))
}

function formatServiceRow(
  service: UsedService,
  versions: ReadonlyMap<number, string>,
): readonly FittedCell[] {
  const { apiId, name, vendorName, candidates, hosts, uses, endpoints, location } = service
  const allHosts = [...new Set([...hosts, ...uses.flatMap(listOtherHosts)])]
  const roles = service.roles.join(', ')
  const title = candidates.length > 0 ? candidates.join(', ') : (vendorName ?? name)
  return [
    apiId === undefined ? title : formatVersion(name, versions.get(apiId)),
    (width) => formatNames(service.purposes, width),
    (width) => formatNames(allHosts, width),
    (width) => (roles.length > width ? service.role : roles),
    endpoints > 0
      ? String(endpoints)
      : service.isOwnClient
        ? 'own client'
        : (service.evidence ?? '-'),
    String(service.locations),
    service.certainty,
    (width) => shortenPath(`${location.file}:${location.line}`, width),
    APPROVAL_LABELS[joinApprovals(uses)],
  ]
}

/** Formats as many names as fit, at least one, and the number of others. */
function formatNames(names: readonly string[], width: number): string {
  const formatFirst = (count: number) =>
    names.slice(0, count).join(', ') + (count < names.length ? ` (+${names.length - count})` : '')
  if (names.length === 0) return '-'
  let count = names.length
  while (count > 1 && formatFirst(count).length > Math.min(width, MAX_NAMES_WIDTH)) count -= 1
  return formatFirst(count)
}

function formatVersion(name: string, version = ''): string {
  return version === '' ? name : `${name} ${version}`
}

function formatDetailedName(service: UsedService, versions: ReadonlyMap<number, string>): string {
  const { apiId, name, vendorName, candidates, hosts, models = [] } = service
  const requested = models.length > 0 ? `, models ${models.join(', ')}` : ''
  if (apiId !== undefined) {
    return `${formatVersion(name, versions.get(apiId))} (${vendorName ?? 'unknown vendor'})${requested}`
  }
  const shown = hosts.length === 0 ? name : hosts.join(', ')
  if (candidates.length > 0) {
    return `${shown}: one of ${candidates.join(', ')}${requested}`
  }
  return `${shown}${vendorName === undefined || shown === vendorName ? '' : ` (${vendorName})`}${requested}`
}

/** Lists names below a label, in lines of at most `columns` characters. */
function wrapNames(
  names: readonly string[],
  options: { readonly label: string; readonly columns: number; readonly maxLines: number },
): readonly string[] {
  const lines: string[] = []
  let line = `${options.label}:`
  for (const [index, name] of names.map(toPrintable).entries()) {
    const word = index < names.length - 1 ? `${name},` : name
    if (line.length + word.length + 1 > options.columns) {
      if (lines.length === options.maxLines - 1) {
        lines.push(`  and ${names.length - index} more: add --verbose to list all`)
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
function formatUsageEndpoint(
  { url, method, host }: ReportedUsage,
  hosts: readonly string[],
): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '')
  const path = /[/?].*$/s.exec(address)?.[0] ?? ''
  const withHost = hosts.length > 1 || path === '' || path === '/'
  // Users set the host of what has none.
  const shown = hosts.length === 0 ? '{}' : withHost ? host + path : path
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
