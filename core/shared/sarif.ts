import { hash53 } from './ids.ts'
import { toRows, writeDocument } from './json-document.ts'

/** How grave a result is (SARIF 2.1.0, 3.27.10). */
export type SarifLevel = 'error' | 'warning' | 'note'

/** How a result differs from the baseline (3.27.24). */
export type SarifBaselineState = 'new' | 'unchanged' | 'updated'

/** What results can be about (3.49). */
export interface SarifRule {
  readonly id: string
  /** In PascalCase, letters alone. */
  readonly name: string
  readonly level: SarifLevel
  readonly title: string
  readonly text: string
  readonly help: string
  readonly tags: readonly string[]
}

/** A place in a file; without a line, the whole file. */
export interface SarifPlace {
  /** Path below the folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line?: number | undefined
  /** From 1, in UTF-16 units. */
  readonly column?: number | undefined
}

/** Another location of a result. */
export interface SarifRelatedPlace extends SarifPlace {
  /** What is there, where it differs from the result. */
  readonly text?: string | undefined
}

/** A result before it is written. */
export interface SarifResult {
  /** Id of its rule. */
  readonly rule: string
  readonly level: SarifLevel
  readonly text: string
  /** Undefined where it is in no file: then it is at what it is about. */
  readonly place: SarifPlace | undefined
  /** Other places of the same. */
  readonly related: readonly SarifRelatedPlace[]
  /** What it is about, whatever the place. */
  readonly subject: string
  /** Why it was accepted, where somebody did (3.35). */
  readonly accepted?: string | undefined
  /** All results of a log have it, or none has. */
  readonly baseline?: SarifBaselineState | undefined
  readonly properties: Readonly<Record<string, unknown>>
}

/** What a log is made of; results in any order. */
export interface SarifContent {
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** `automationDetails.id`: logs with another one do not replace each other. */
  readonly id: string
  readonly tool: { readonly name: string; readonly version: string }
  /** Name and version of how results are told apart: `apiUse/v1`. */
  readonly fingerprint: string
}

/**
 * A SARIF 2.1.0 log with one run, results by place. Files are relative to `%SRCROOT%`, the scanned
 * folder. A result has the same fingerprint wherever in its file it is.
 */
export function toSarifLog(content: SarifContent) {
  const toWire = createWriter(content)
  return toLog(content, content.results.toSorted(compareResults).map(toWire))
}

/** Writes that log in chunks of UTF-8; a part of it is in memory at a time. */
export function writeSarifLog(content: SarifContent): AsyncIterable<Uint8Array> {
  const rows = toRows(content.results.toSorted(compareResults), createWriter(content))
  return writeDocument(toLog(content, rows))
}

function toLog<Results>({ id, tool, rules }: SarifContent, results: Results) {
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
            rules: rules.map(toRule),
          },
        },
        automationDetails: { id },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: 'The folder that was scanned.' } },
        },
        results,
      },
    ],
  }
}

function toRule({ id, name, level, title, text, help, tags }: SarifRule) {
  return {
    id,
    name,
    shortDescription: { text: toMessage(title) },
    fullDescription: { text: toMessage(text) },
    help: { text: toMessage(help) },
    defaultConfiguration: { level },
    properties: { tags },
  }
}

function createWriter({ rules, results, fingerprint: name }: SarifContent) {
  const fingerprint = createFingerprints()
  const isSuppressing = results.some(({ accepted }) => accepted !== undefined)
  return (result: SarifResult) => {
    const { rule, level, text, place, related, subject, accepted, baseline, properties } = result
    return {
      ruleId: rule,
      ruleIndex: rules.findIndex(({ id }) => id === rule),
      level,
      message: { text: toMessage(text) },
      locations: [place ? toLocation(place) : toLogicalLocation(subject)],
      ...(related.length > 0 ? { relatedLocations: related.map(toRelatedLocation) } : {}),
      // A name that a variable holds is none that a declaration of types can tell.
      partialFingerprints: Object.fromEntries([[name, fingerprint(result)]]),
      ...(baseline === undefined ? {} : { baselineState: baseline }),
      // All results have them or none has (3.27.23).
      ...(isSuppressing ? { suppressions: toSuppressions(accepted) } : {}),
      properties,
    }
  }
}

function toSuppressions(accepted: string | undefined) {
  if (accepted === undefined) return []
  return [{ kind: 'external', status: 'accepted', justification: accepted }]
}

function toLocation({ file, line, column }: SarifPlace) {
  const uri = file.split('/').map(encodeSegment).join('/')
  const artifactLocation = { uri, uriBaseId: '%SRCROOT%' }
  if (line === undefined) return { physicalLocation: { artifactLocation } }
  const region = { startLine: line, ...(column === undefined ? {} : { startColumn: column }) }
  return { physicalLocation: { artifactLocation, region } }
}

function toRelatedLocation({ text, ...place }: SarifRelatedPlace, id: number) {
  return {
    id,
    ...toLocation(place),
    ...(text === undefined ? {} : { message: { text: toMessage(text) } }),
  }
}

/** What is in no file is found by its name (3.33). */
function toLogicalLocation(subject: string) {
  return { logicalLocations: [{ fullyQualifiedName: subject, kind: 'resource' }] }
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
function createFingerprints(): (result: SarifResult) => string {
  const seen = new Map<string, number>()
  return ({ rule, subject, place }) => {
    const key = JSON.stringify([rule, subject, place?.file])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return toHex(`${key} ${count}`)
  }
}

function toHex(text: string): string {
  return [1, 2].map((seed) => hash53(text, seed).toString(16).padStart(14, '0')).join('')
}

function compareResults(a: SarifResult, b: SarifResult): number {
  return (
    compare(a.place?.file ?? '', b.place?.file ?? '') ||
    (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
    (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
    compare(a.rule, b.rule) ||
    compare(a.subject, b.subject)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
