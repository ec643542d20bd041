import type { Finding } from '../../code-scanner/model/finding.ts'
import { type SarifResult, toSarifLog, writeSarifLog } from '../../shared/sarif.ts'
import { compareCodePoints } from '../../shared/text.ts'
import { createBaseline, getUsageName, type ScanFailure, toExploitedReason } from './judge.ts'
import type { ProjectReport, ReportedApi, ReportedHost } from './project-report.ts'
import { type ReportResult, SARIF_RULES, toBaselineState, toPackageResults } from './sarif-rules.ts'
import type { StoredUsage } from './stored-uses.ts'
import type { ReportedUsage } from './uses.ts'

/** Whose report it is, and who made it. */
export interface SarifAbout {
  readonly projectName: string
  readonly tool: { readonly name: string; readonly version: string }
  /** What was known before: each result gets its state against it; none has one without. */
  readonly baseline?: readonly StoredUsage[] | undefined
  /** Failures of `checkReport`: the results that they are about are errors. */
  readonly failures?: readonly ScanFailure[] | undefined
}

/**
 * A report as a SARIF 2.1.0 log with one run: one result for each file and API, or host of no single
 * catalogued API, of whose uses some are not approved, with the other locations in the file as
 * related locations; one for each API without terms, and one for each with known exploited CVEs.
 * Files are relative to `%SRCROOT%`, the scanned folder. The fingerprint of a result does not depend
 * on lines, nor on what else is found.
 *
 * @example
 * ```ts
 * import { toSarif } from 'api-discovery/scans'
 *
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * const sarif = toSarif(report, { projectName: 'storefront', tool })
 * ```
 */
export function toSarif(report: ProjectReport, about: SarifAbout) {
  return toSarifLog(toContent(report, about))
}

/**
 * Writes that log in chunks of UTF-8; a part of it is in memory at a time.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { writeSarif } from 'api-discovery/scans'
 *
 * const tool = { name: 'storefront-ci', version: '1.0.0' }
 * await writeFile('scan.sarif', writeSarif(report, { projectName: 'storefront', tool }))
 * ```
 */
export function writeSarif(report: ProjectReport, about: SarifAbout): AsyncIterable<Uint8Array> {
  return writeSarifLog(toContent(report, about))
}

function toContent(report: ProjectReport, about: SarifAbout) {
  const { projectName, tool } = about
  return {
    rules: SARIF_RULES,
    results: toResults(report, about),
    id: `${tool.name}/${projectName}/`,
    tool,
    fingerprint: 'apiUse/v1',
  }
}

function toResults(
  report: ProjectReport,
  { baseline: known, failures = [] }: SarifAbout,
): readonly SarifResult[] {
  const isKnown = known && createBaseline(known)
  const failed = new Set(failures.map(({ check, subject }) => `${check} ${subject}`))
  const results = [
    ...report.apis.flatMap((api) => [...toApiUsageResults(api), ...toApiResults(api)]),
    ...report.hosts.flatMap(toHostResults),
    ...report.vulnerablePackages.flatMap(toPackageResults),
    ...report.ownClients.map(toOwnClientResult),
  ]
  // SARIF 3.27.24: either every result has `baselineState`, or none does.
  return results.map((found) => {
    const { usages, baseline, ...result } = found
    return {
      ...result,
      ...(isFailed(found, failed) && { level: 'error' }),
      ...(isKnown && { baseline: baseline ?? toBaselineState(usages.map(isKnown)) }),
    }
  })
}

/** Whether a check failed because of what a result is about. */
function isFailed({ rule, subject, usages }: ReportResult, failed: ReadonlySet<string>): boolean {
  if (rule === 'api-without-terms') return failed.has(`no-terms ${subject}`)
  return usages
    .map(getUsageName)
    .some((use) => failed.has(`unapproved ${use}`) || failed.has(`new ${use}`))
}

/** Related locations of one result. */
const MAX_RELATED = 20
/** Endpoints that a message names, and that the properties of a result list. */
const MAX_NAMED = 3
const MAX_LISTED = 20

function toApiUsageResults({ name, vendorName, uses }: ReportedApi): readonly ReportResult[] {
  return groupByFile(uses).map((usages) => ({
    ...toUsage(usages, 'warning'),
    rule: 'unapproved-api',
    text: `${toUsageText(toSubject({ name, vendorName }), usages)} ${toDecisionText(usages)}`,
    subject: toSubject({ name, vendorName }),
    usages,
    properties: { apiName: name, vendorName, ...toProperties(usages) },
  }))
}

function toHostResults({
  host,
  vendorName,
  uses,
  candidates,
}: ReportedHost): readonly ReportResult[] {
  const shown = vendorName === undefined ? host : `${host} (${vendorName})`
  return groupByFile(uses).map((usages) => ({
    ...toUsage(usages, candidates ? 'warning' : 'note'),
    rule: candidates ? 'unapproved-api' : 'unmatched-host',
    text: candidates
      ? `${toUsageText(shown, usages)} It is of one of these APIs: ${candidates.join(', ')}. ${toDecisionText(usages)}`
      : `${toUsageText(shown, usages)} The catalogue has no API of this host.${toRefusal(usages)}`,
    subject: host,
    usages,
    properties: {
      host,
      ...(vendorName === undefined ? {} : { vendorName }),
      ...(candidates && { candidates }),
      ...toProperties(usages),
    },
  }))
}

function toOwnClientResult({
  file,
  line,
  column,
  host,
  vendorName,
  ...rest
}: Finding): ReportResult {
  const subject = vendorName ?? host
  return {
    rule: 'own-client',
    level: 'note',
    text: `This project implements the client of ${subject}.`,
    location: { file, line, column },
    related: [],
    subject,
    usages: [],
    properties: { host, ...(rest.package !== undefined && { packages: [rest.package] }) },
  }
}

/** A use with its locations in one file. */
type Usage = ReportedUsage

/** The uses that are not approved, file by file; in each file, refused ones first. */
function groupByFile(uses: readonly ReportedUsage[]): readonly (readonly Usage[])[] {
  const files = new Map<string, Usage[]>()
  const open = uses.filter(({ approval }) => approval !== 'yes')
  const refusedFirst = open.toSorted((a, b) => Number(isRefused(b)) - Number(isRefused(a)))
  for (const use of refusedFirst) {
    for (const file of new Set(use.places.map((place) => place.file))) {
      const usages = files.get(file) ?? []
      files.set(file, usages)
      usages.push({ ...use, places: use.places.filter((place) => place.file === file) })
    }
  }
  return [...files.values()]
}

function isRefused({ approval }: Pick<ReportedUsage, 'approval'>): boolean {
  return approval === 'no'
}

/** The location of a result: the first one in the file; the others are related locations. */
function toUsage(usages: readonly Usage[], level: 'warning' | 'note') {
  const all = usages
    .flatMap((usage) => usage.places.map((place) => ({ ...place, text: getUsageName(usage) })))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const [first, ...others] = all
  return {
    level: usages.some(isRefused) ? ('error' as const) : level,
    location: first && { file: first.file, line: first.line, column: first.column },
    related: others.slice(0, MAX_RELATED),
  }
}

/** `This file uses Payments (Acme): GET https://… and 2 more endpoints, in 25 places (21 are listed).` */
function toUsageText(subject: string, usages: readonly Usage[]): string {
  const named = usages.slice(0, MAX_NAMED).map(toUsageName)
  const more = usages.length - named.length
  const places = usages.reduce((sum, usage) => sum + usage.places.length, 0)
  const listed = MAX_RELATED + 1
  return [
    `This file uses ${subject}: ${named.join(', ')}`,
    more > 0 ? ` and ${toCount(more, 'more endpoint')}` : '',
    places > 1 ? `, in ${places} places` : '',
    places > listed ? ` (${listed} are listed)` : '',
    '.',
  ].join('')
}

/** Names a use with the environments that the code may choose instead. */
function toUsageName(usage: Usage): string {
  const { alternatives = [] } = usage
  return `${getUsageName(usage)}${alternatives.map((url) => ` or ${url}`).join('')}`
}

function toDecisionText(usages: readonly Usage[]): string {
  const refused = usages.filter(isRefused).length
  if (refused === 0) return usages.length === 1 ? 'It is not approved.' : 'They are not approved.'
  return toRefusal(usages).trim()
}

/** Names what was refused, with the reason of the first one; empty where nothing was. */
function toRefusal(usages: readonly Usage[]): string {
  const refused = usages.filter(isRefused)
  const [first] = refused
  if (!first) return ''
  const who = usages.length === 1 ? 'It' : getUsageName(first)
  const more = refused.length > 1 ? ` and ${refused.length - 1} more` : ''
  const verb = refused.length > 1 ? 'were' : 'was'
  const reason = first.reason === '' ? '' : `: ${first.reason.replace(/\.$/, '')}`
  return ` ${who}${more} ${verb} rejected${reason}.`
}

function toProperties(usages: readonly Usage[]) {
  const packages = new Set(usages.flatMap((usage) => usage.packages))
  return {
    endpoints: usages
      .slice(0, MAX_LISTED)
      .map(({ url, method, host, approval, endpointId, places, alternatives }) => ({
        url,
        host,
        approval,
        ...(method === undefined ? {} : { method }),
        ...(endpointId === undefined ? {} : { endpointId }),
        places: places.length,
        ...(alternatives === undefined ? {} : { alternatives }),
      })),
    endpointCount: usages.length,
    ...(packages.size === 0 ? {} : { packages: [...packages].slice(0, MAX_LISTED) }),
  }
}

function toSubject({ name, vendorName }: Pick<ReportedApi, 'name' | 'vendorName'>): string {
  return `${name} (${vendorName})`
}

function toCount(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function toApiResults(api: ReportedApi): readonly ReportResult[] {
  const { name, vendorName, terms, exploited = [] } = api
  const [place, ...others] = api.uses
    .flatMap(({ places }) => places)
    .sort((a, b) => compareCodePoints(a.file, b.file) || a.line - b.line || a.column - b.column)
  if (!place) return []
  const base = {
    location: place,
    related: others.slice(0, MAX_RELATED),
    subject: toSubject(api),
    usages: api.uses,
    properties: { apiName: name, vendorName },
  }
  const results: ReportResult[] = []
  if (terms.length === 0) {
    const text = `${base.subject} is used, of which no terms are known.`
    results.push({ ...base, rule: 'api-without-terms', level: 'warning', text })
  }
  if (exploited.length > 0) {
    const text = `${base.subject} is used: ${toExploitedReason(exploited)}.`
    const properties = { ...base.properties, cves: exploited }
    results.push({
      ...base,
      rule: 'known-exploited-vulnerability',
      level: 'error',
      text,
      properties,
    })
  }
  return results
}
