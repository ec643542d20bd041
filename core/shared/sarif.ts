import { hash53 } from './ids.ts'
import { toRows, writeDocument } from './json-document.ts'
import { compareCodePoints } from './text.ts'

/** Severity of a result (SARIF 2.1.0, 3.27.10). */
export type SarifLevel = 'error' | 'warning' | 'note'

/** Difference between a result and the baseline (3.27.24). */
export type SarifBaselineState = 'new' | 'unchanged' | 'updated'

/** A type of result (3.49). */
export interface SarifRule {
  readonly id: string
  /** Letters in PascalCase. */
  readonly name: string
  readonly level: SarifLevel
  readonly title: string
  readonly text: string
  readonly help: string
  readonly tags: readonly string[]
}

/** A position in a file; without a line, the whole file. */
export interface SarifLocation {
  /** Path relative to the folder, with `/`. */
  readonly file: string
  /** Starts at 1. */
  readonly line?: number | undefined
  /** Starts at 1, in UTF-16 units. */
  readonly column?: number | undefined
}

/** Another location of a result. */
export interface SarifRelatedLocation extends SarifLocation {
  /** Description, if it differs from the result's. */
  readonly text?: string | undefined
}

/** A result before conversion to SARIF. */
export interface SarifResult {
  /** ID of its rule. */
  readonly rule: string
  readonly level: SarifLevel
  readonly text: string
  /** Undefined if the result is in no file: its location is then its subject. */
  readonly location: SarifLocation | undefined
  /** Other locations of the same result. */
  readonly related: readonly SarifRelatedLocation[]
  /** What the result reports on, independent of the location. */
  readonly subject: string
  /** Reason for acceptance, if the result was accepted (3.35). */
  readonly accepted?: string | undefined
  /** Set for all results of a log or for none. */
  readonly baseline?: SarifBaselineState | undefined
  readonly properties: Readonly<Record<string, unknown>>
}

/** Input of a log; results in any order. */
export interface SarifContent {
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** `automationDetails.id`: only logs with the same ID replace each other. */
  readonly id: string
  readonly tool: { readonly name: string; readonly version: string }
  /** Name and version of the fingerprint algorithm: `apiUse/v1`. */
  readonly fingerprint: string
}

/**
 * Builds a SARIF 2.1.0 log with one run and results sorted by location. Files are relative to
 * `%SRCROOT%`, the scanned folder. The fingerprint of a result does not depend on its position in
 * the file.
 */
export function toSarifLog(content: SarifContent) {
  const toWire = createResultMapper(content)
  return buildSarifLog(content, content.results.toSorted(compareSarifResults).map(toWire))
}

/** Writes the log of `toSarifLog` in UTF-8 chunks, without building the whole text in memory. */
export function writeSarifLog(content: SarifContent): AsyncIterable<Uint8Array> {
  const rows = toRows(content.results.toSorted(compareSarifResults), createResultMapper(content))
  return writeDocument(buildSarifLog(content, rows))
}

function buildSarifLog<Results>({ id, tool, rules }: SarifContent, results: Results) {
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
            rules: rules.map(toReportingDescriptor),
          },
        },
        automationDetails: { id },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: 'The scanned folder.' } },
        },
        results,
      },
    ],
  }
}

function toReportingDescriptor({ id, name, level, title, text, help, tags }: SarifRule) {
  return {
    id,
    name,
    shortDescription: { text: escapeSarifMessage(title) },
    fullDescription: { text: escapeSarifMessage(text) },
    help: { text: escapeSarifMessage(help) },
    defaultConfiguration: { level },
    properties: { tags },
  }
}

function createResultMapper({ rules, results, fingerprint: name }: SarifContent) {
  const fingerprint = createFingerprints()
  const isSuppressing = results.some(({ accepted }) => accepted !== undefined)
  return (result: SarifResult) => {
    const { rule, level, text, location, related, subject, accepted, baseline, properties } = result
    return {
      ruleId: rule,
      ruleIndex: rules.findIndex(({ id }) => id === rule),
      level,
      message: { text: escapeSarifMessage(text) },
      locations: [location ? toLocation(location) : toLogicalLocation(subject)],
      ...(related.length > 0 ? { relatedLocations: related.map(toRelatedLocation) } : {}),
      // Declared types cannot express a computed member name.
      partialFingerprints: Object.fromEntries([[name, fingerprint(result)]]),
      ...(baseline === undefined ? {} : { baselineState: baseline }),
      // SARIF 3.27.23: either every result has `suppressions`, or none does.
      ...(isSuppressing ? { suppressions: toSuppressions(accepted) } : {}),
      properties,
    }
  }
}

function toSuppressions(accepted: string | undefined) {
  if (accepted === undefined) return []
  return [{ kind: 'external', status: 'accepted', justification: accepted }]
}

function toLocation({ file, line, column }: SarifLocation) {
  const uri = file.split('/').map(encodeSegment).join('/')
  const artifactLocation = { uri, uriBaseId: '%SRCROOT%' }
  if (line === undefined) return { physicalLocation: { artifactLocation } }
  const region = { startLine: line, ...(column === undefined ? {} : { startColumn: column }) }
  return { physicalLocation: { artifactLocation, region } }
}

function toRelatedLocation({ text, ...place }: SarifRelatedLocation, id: number) {
  return {
    id,
    ...toLocation(place),
    ...(text === undefined ? {} : { message: { text: escapeSarifMessage(text) } }),
  }
}

/** A result outside of files is identified by its name (3.33). */
function toLogicalLocation(subject: string) {
  return { logicalLocations: [{ fullyQualifiedName: subject, kind: 'resource' }] }
}

/** Replaces lone surrogates, which file names may contain: they cannot be encoded. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'))
}

/**
 * Escapes plain text for SARIF (3.11.5), in which braces are placeholders and brackets start a
 * link. Unresolved parts of a URL are shown as `*`.
 */
function escapeSarifMessage(text: string): string {
  return text
    .replaceAll('{}', '*')
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&')
}

/**
 * Excludes the line, so that code can move. Identical results in one file are numbered in order.
 */
function createFingerprints(): (result: SarifResult) => string {
  const seen = new Map<string, number>()
  return ({ rule, subject, location }) => {
    const key = JSON.stringify([rule, subject, location?.file])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return toFingerprintHex(`${key} ${count}`)
  }
}

function toFingerprintHex(text: string): string {
  return [1, 2].map((seed) => hash53(text, seed).toString(16).padStart(14, '0')).join('')
}

function compareSarifResults(a: SarifResult, b: SarifResult): number {
  return (
    compareCodePoints(a.location?.file ?? '', b.location?.file ?? '') ||
    (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
    (a.location?.column ?? 0) - (b.location?.column ?? 0) ||
    compareCodePoints(a.rule, b.rule) ||
    compareCodePoints(a.subject, b.subject)
  )
}
