import { hash53 } from '../../../shared/ids.ts'
import { toRows, writeDocument } from '../../../shared/json-document.ts'
import { toExploitedReason, toUseName } from './judge.ts'
import type { ProjectReport, ReportedApi } from './project-report.ts'
import { SARIF_RULES, type SarifLevel, type SarifRuleId } from './sarif-rules.ts'
import type { ReportedUse, UsePlace } from './uses.ts'

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
  const fingerprint = createFingerprints()
  const results = toResults(report).map((result) => toWire(result, fingerprint))
  return toLog(results, about)
}

/** Writes that log in chunks of UTF-8; a part of it is in memory at a time. */
export function writeSarif(report: ProjectReport, about: SarifAbout): AsyncIterable<Uint8Array> {
  const fingerprint = createFingerprints()
  const results = toRows(toResults(report), (result) => toWire(result, fingerprint))
  return writeDocument(toLog(results, about))
}

/** By place. */
function toResults(report: ProjectReport): readonly Result[] {
  return [
    ...report.apis.flatMap((api) => [
      ...api.uses.flatMap((use) => toUseResults(use, toUnapproved(api, use))),
      ...toApiResults(api),
    ]),
    ...report.hosts.flatMap((host) =>
      host.uses.flatMap((use) => toUseResults(use, toUnmatched(host.vendorName, use))),
    ),
  ].sort(compareResults)
}

function toLog<Results>(results: Results, { projectName, tool }: SarifAbout) {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            version: tool.version,
            semanticVersion: tool.version,
            rules: SARIF_RULES.map(({ id, name, level, title, text, help, tags }) => ({
              id,
              name,
              shortDescription: { text: title },
              fullDescription: { text },
              help: { text: help },
              defaultConfiguration: { level },
              properties: { tags },
            })),
          },
        },
        automationDetails: { id: `${tool.name}/${projectName}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: 'The folder that was scanned.' } },
        },
        results,
      },
    ],
  }
}

/** A result before it is written. */
interface Result {
  readonly rule: SarifRuleId
  readonly level: SarifLevel
  readonly text: string
  readonly place: UsePlace
  /** Other places of the same. */
  readonly related: readonly UsePlace[]
  /** What it is about, whatever the place. */
  readonly subject: string
  readonly properties: Readonly<Record<string, string | readonly string[]>>
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

function toWire(result: Result, fingerprint: (result: Result) => string) {
  const { rule, level, text, place, related, properties } = result
  return {
    ruleId: rule,
    ruleIndex: SARIF_RULES.findIndex(({ id }) => id === rule),
    level,
    message: { text: toMessage(text) },
    locations: [toLocation(place)],
    ...(related.length > 0
      ? { relatedLocations: related.map((each, id) => ({ id, ...toLocation(each) })) }
      : {}),
    partialFingerprints: { 'apiUse/v1': fingerprint(result) },
    properties,
  }
}

function toLocation({ file, line, column }: UsePlace) {
  const uri = file.split('/').map(encodeSegment).join('/')
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn: column },
    },
  }
}

/** Half a character, which a file's name may hold, cannot be encoded. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'))
}

/**
 * Plain text as SARIF has it (3.11.5): braces would be placeholders, brackets begin a link. What a
 * URL leaves open is shown as `*`.
 */
function toMessage(text: string): string {
  return text
    .replaceAll('{}', '*')
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&')
}

/** The line is left out, so that code can move; of the same in one file, it is the order that counts. */
function createFingerprints(): (result: Result) => string {
  const seen = new Map<string, number>()
  return ({ rule, subject, place }) => {
    const key = JSON.stringify([rule, subject, place.file])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return toHex(`${key} ${count}`)
  }
}

function toHex(text: string): string {
  return [1, 2].map((seed) => hash53(text, seed).toString(16).padStart(14, '0')).join('')
}

function compareResults(a: Result, b: Result): number {
  return (
    compare(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    compare(a.rule, b.rule) ||
    compare(a.subject, b.subject)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
