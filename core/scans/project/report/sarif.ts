import { type SarifResult, toSarifLog, writeSarifLog } from '../../../shared/sarif.ts'
import { toExploitedReason, toUseName } from './judge.ts'
import type { ProjectReport, ReportedApi } from './project-report.ts'
import { SARIF_RULES, type SarifRuleId } from './sarif-rules.ts'
import type { ReportedUse } from './uses.ts'

/** Whose report it is, and who made it. */
export interface SarifAbout {
  readonly projectName: string
  readonly tool: { readonly name: string; readonly version: string }
}

/**
 * A report as a SARIF 2.1.0 log with one run: a result for each place of a use that is not
 * approved, one for each API without terms and each with known exploited CVEs. Files are relative
 * to `%SRCROOT%`, the scanned folder. A result has the same fingerprint wherever in its file it is.
 */
export function toSarif(report: ProjectReport, about: SarifAbout) {
  return toSarifLog(toContent(report, about))
}

/** Writes that log in chunks of UTF-8; a part of it is in memory at a time. */
export function writeSarif(report: ProjectReport, about: SarifAbout): AsyncIterable<Uint8Array> {
  return writeSarifLog(toContent(report, about))
}

function toContent(report: ProjectReport, { projectName, tool }: SarifAbout) {
  return {
    rules: SARIF_RULES,
    results: toResults(report),
    id: `${tool.name}/${projectName}/`,
    tool,
    fingerprint: 'apiUse/v1',
  }
}

function toResults(report: ProjectReport): readonly Result[] {
  return [
    ...report.apis.flatMap((api) => [
      ...api.uses.flatMap((use) => toUseResults(use, toUnapproved(api, use))),
      ...toApiResults(api),
    ]),
    ...report.hosts.flatMap((host) =>
      host.uses.flatMap((use) => toUseResults(use, toUnmatched(host.vendorName, use))),
    ),
  ]
}

/** A result of this report. */
interface Result extends SarifResult {
  readonly rule: SarifRuleId
}

type About = Pick<Result, 'rule' | 'level' | 'text' | 'properties'>

/** Other places that are told with an API. */
const MAX_RELATED = 20

function toUseResults(use: ReportedUse, about: About): readonly Result[] {
  if (use.approval === 'yes') return []
  return use.places.map((place) => ({ ...about, place, related: [], subject: toUseName(use) }))
}

function toUnapproved({ name, vendorName }: ReportedApi, use: ReportedUse): About {
  const refused = use.reason === '' ? 'was refused' : `was refused: ${use.reason}`
  const decision = use.approval === 'no' ? refused : 'nobody has approved'
  return {
    rule: 'unapproved-api',
    level: use.approval === 'no' ? 'error' : 'warning',
    text: `${toUseName(use)} of ${name} (${vendorName}) is used, which ${decision}.`,
    properties: { ...toProperties(use), apiName: name, vendorName },
  }
}

function toUnmatched(vendorName: string | undefined, use: ReportedUse): About {
  const vendor = vendorName === undefined ? '' : ` of ${vendorName}`
  return {
    rule: 'unmatched-host',
    level: use.approval === 'no' ? 'error' : 'note',
    text: `${toUseName(use)}${vendor} is used, of which the catalogue has no API.`,
    properties: { ...toProperties(use), ...(vendorName === undefined ? {} : { vendorName }) },
  }
}

function toProperties({ url, method, host, approval, endpointId }: ReportedUse) {
  return {
    url,
    host,
    approval,
    ...(method === undefined ? {} : { method }),
    ...(endpointId === undefined ? {} : { endpointId }),
  }
}

function toApiResults(api: ReportedApi): readonly Result[] {
  const { name, vendorName, terms, exploited = [] } = api
  const [place, ...others] = api.uses
    .flatMap(({ places }) => places)
    .sort((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column)
  if (!place) return []
  const base = {
    place,
    related: others.slice(0, MAX_RELATED),
    subject: `${name} (${vendorName})`,
    properties: { apiName: name, vendorName },
  }
  const results: Result[] = []
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
