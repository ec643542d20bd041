import type { CveRecord, CveReference, CveWeakness, CvssMetric, CvssVersion } from '../records.ts'
import {
  type PackedConfiguration,
  packConfigurations,
  unpackConfigurations,
} from './configurations.ts'
import {
  type PackedReport,
  type PackedSsvc,
  packReported,
  packSsvc,
  packVector,
  unpackReported,
  unpackSsvc,
  unpackVector,
} from './packed-members.ts'

/**
 * Packs the data that a record's line does not contain: JSON without member names, with common
 * strings as numbers.
 */
export function packDetail(record: CveRecord): string {
  /** In the order of their numbers. */
  const names: Names = new Map()
  const { descriptions, exploited, reported, ssvc } = record
  const reports = reported && packReported(reported, (source) => toSourceNumber(names, source))
  const assessment = ssvc && packSsvc(ssvc, (source) => toSourceNumber(names, source))
  const packed: PackedDetail = [
    packListed(STATUSES, record.status),
    toSourceNumber(names, record.source),
    record.isRejected ? 1 : 0,
    record.publishedAt,
    record.modifiedAt,
    descriptions.flatMap(({ language, text }, index) =>
      index === 0 ? [language] : [language, text],
    ),
    packMetrics(names, record.metrics),
    record.weaknesses.flatMap(({ source, isPrimary, id }) => [
      toSourceNumber(names, source) * 2 + (isPrimary ? 1 : 0),
      id,
    ]),
    packConfigurations(record.configurations),
    packReferences(names, record.references),
    record.tags,
    [...names.keys()],
  ]
  if (!exploited && !reports && !assessment) return JSON.stringify(packed)
  const { name, addedOn, dueOn, action } = exploited ?? {}
  const known = exploited ? [name, addedOn, dueOn, action] : 0
  return JSON.stringify([...packed, known, reports ?? 0, assessment ?? 0])
}

/** Restores the record from the result of `packDetail` and its line. */
export function unpackDetail(
  detail: string,
  line: { readonly id: string; readonly description: string },
): CveRecord {
  // The cast is safe: only `packDetail` writes it.
  const packed = JSON.parse(detail) as PackedDetail
  const [status, source, isRejected, publishedAt, modifiedAt, descriptions] = packed
  const [, , , , , , metrics, weaknesses, configurations, references, tags, names] = packed
  const [exploited = 0, reported = 0, ssvc = 0] = packed.slice(
    LISTED,
  ) as unknown as Partial<AddedDetail>
  const toSource = (number: number) => fromSourceNumber(names, number)
  return {
    id: line.id,
    source: fromSourceNumber(names, source),
    status: unpackListed(STATUSES, status),
    isRejected: isRejected === 1,
    publishedAt,
    modifiedAt,
    descriptions: unpackDescriptions(descriptions, line.description),
    metrics: unpackMetrics(names, metrics),
    weaknesses: unpackWeaknesses(names, weaknesses),
    configurations: unpackConfigurations(configurations),
    references: unpackReferences(names, references),
    tags,
    ...(reported !== 0 && { reported: unpackReported(reported, toSource) }),
    ...(ssvc !== 0 && { ssvc: unpackSsvc(ssvc, toSource) }),
    ...(exploited !== 0 && { exploited: unpackExploited(exploited) }),
  }
}

function unpackExploited([name, addedOn, dueOn, action]: PackedExploited): CveRecord['exploited'] {
  return { name, addedOn, dueOn, action }
}

/** Number of members that every packed detail has. */
const LISTED = 12

/** Members that some have; 0 is a missing one. */
type AddedDetail = readonly [
  exploited: PackedExploited | 0,
  reported: readonly PackedReport[] | 0,
  ssvc: PackedSsvc | 0,
]

type PackedExploited = readonly [name: string, addedOn: string, dueOn: string, action: string]

type PackedDetail = readonly [
  status: string | number,
  source: number,
  isRejected: 0 | 1,
  publishedAt: number,
  modifiedAt: number,
  /** Languages and texts in turn, without the first text, which is in the line. */
  descriptions: readonly string[],
  /**
   * For each metric: version and type, source, score, severity (0 for the usual one) and vector.
   */
  metrics: readonly (string | number)[],
  /** For each weakness: source and type, ID. */
  weaknesses: readonly (string | number)[],
  configurations: readonly PackedConfiguration[],
  /** For each reference: source, URL (or the index of an earlier reference with it) and tags. */
  references: readonly (string | number | readonly string[])[],
  tags: readonly string[],
  /** Sources that are not in `SOURCES`. */
  names: readonly string[],
  ...added: (PackedExploited | readonly PackedReport[] | PackedSsvc | 0)[],
]

/** Sources that are not in `SOURCES`. Their numbers follow those of `SOURCES`. */
type Names = Map<string, number>

// The order of these lists is part of the format.
const STATUSES = [
  'Analyzed',
  'Modified',
  'Deferred',
  'Awaiting Analysis',
  'Undergoing Analysis',
  'Received',
  'Rejected',
]
const SOURCES = [
  'nvd@nist.gov',
  'cve@mitre.org',
  'af854a3a-2127-422b-91ae-364da2661108',
  '134c704f-9b21-4f2e-91b3-4a467353bcc0',
]
const VERSIONS: readonly CvssVersion[] = ['2.0', '3.0', '3.1', '4.0']
/** Each is stored as one letter, from `a` on. */
const TAGS = [
  'Third Party Advisory',
  'Vendor Advisory',
  'Patch',
  'VDB Entry',
  'Exploit',
  'Mailing List',
  'Issue Tracking',
  'Release Notes',
  'US Government Resource',
  'Product',
  'Broken Link',
  'Permissions Required',
  'Mitigation',
  'Not Applicable',
  'Technical Description',
  'URL Repurposed',
  'Tool Signature',
  'Press/Media Coverage',
]
const HTTPS = 'https://'

function packListed(known: readonly string[], text: string): string | number {
  const index = known.indexOf(text)
  return index < 0 ? text : index
}

function unpackListed(known: readonly string[], packed: string | number): string {
  return typeof packed === 'string' ? packed : (known[packed] ?? '')
}

function toSourceNumber(names: Names, source: string): number {
  const known = SOURCES.indexOf(source)
  if (known >= 0) return known
  const index = names.get(source) ?? names.size
  names.set(source, index)
  return SOURCES.length + index
}

function fromSourceNumber(names: readonly string[], number: number): string {
  return SOURCES[number] ?? names[number - SOURCES.length] ?? ''
}

function unpackDescriptions(packed: readonly string[], first: string): CveRecord['descriptions'] {
  const [language, ...more] = packed
  if (language === undefined) return []
  const descriptions = [{ language, text: first }]
  for (let at = 0; at < more.length; at += 2) {
    descriptions.push({ language: more[at] ?? '', text: more[at + 1] ?? '' })
  }
  return descriptions
}

function packMetrics(names: Names, metrics: readonly CvssMetric[]): readonly (string | number)[] {
  const packed: (string | number)[] = []
  for (const { version, source, isPrimary, score, severity, vector } of metrics) {
    packed.push(
      VERSIONS.indexOf(version) * 2 + (isPrimary ? 1 : 0),
      toSourceNumber(names, source),
      score,
      severity === toDefaultSeverity(version, score) ? 0 : severity,
      packVector(version, vector),
    )
  }
  return packed
}

function unpackMetrics(
  names: readonly string[],
  packed: readonly (string | number)[],
): readonly CvssMetric[] {
  const metrics: CvssMetric[] = []
  for (let at = 0; at < packed.length; at += 5) {
    const kind = Number(packed[at])
    const version = VERSIONS[kind >> 1] ?? '2.0'
    const score = Number(packed[at + 2])
    const severity = packed[at + 3]
    metrics.push({
      version,
      source: fromSourceNumber(names, Number(packed[at + 1])),
      isPrimary: kind % 2 === 1,
      score,
      severity: typeof severity === 'string' ? severity : toDefaultSeverity(version, score),
      vector: unpackVector(version, String(packed[at + 4])),
    })
  }
  return metrics
}

/** Returns the severity that the guides of CVSS and NVD assign to a score. */
function toDefaultSeverity(version: CvssVersion, score: number): string {
  if (version === '2.0') return score < 4 ? 'LOW' : score < 7 ? 'MEDIUM' : 'HIGH'
  if (score === 0) return 'NONE'
  if (score < 4) return 'LOW'
  return score < 7 ? 'MEDIUM' : score < 9 ? 'HIGH' : 'CRITICAL'
}

function unpackWeaknesses(
  names: readonly string[],
  packed: readonly (string | number)[],
): readonly CveWeakness[] {
  const weaknesses: CveWeakness[] = []
  for (let at = 0; at < packed.length; at += 2) {
    const kind = Number(packed[at])
    const source = fromSourceNumber(names, kind >> 1)
    weaknesses.push({ source, isPrimary: kind % 2 === 1, id: String(packed[at + 1]) })
  }
  return weaknesses
}

function packReferences(names: Names, references: readonly CveReference[]): PackedDetail[9] {
  const packed: (string | number | readonly string[])[] = []
  const seen = new Map<string, number>()
  for (const { url, source, tags } of references) {
    const earlier = seen.get(url)
    if (earlier === undefined) seen.set(url, packed.length / 3)
    packed.push(toSourceNumber(names, source), earlier ?? packUrl(url), packTags(tags))
  }
  return packed
}

function unpackReferences(
  names: readonly string[],
  packed: PackedDetail[9],
): readonly CveReference[] {
  const references: CveReference[] = []
  for (let at = 0; at < packed.length; at += 3) {
    const url = packed[at + 1]
    const tags = packed[at + 2]
    references.push({
      source: fromSourceNumber(names, Number(packed[at])),
      url: typeof url === 'number' ? (references[url]?.url ?? '') : unpackUrl(String(url)),
      tags: Array.isArray(tags) ? tags : unpackTags(String(tags)),
    })
  }
  return references
}

/** Most URLs have the same scheme, which is omitted. Other URLs are stored after a space. */
function packUrl(url: string): string {
  return url.startsWith(HTTPS) && url[HTTPS.length] !== ' ' ? url.slice(HTTPS.length) : ` ${url}`
}

function unpackUrl(packed: string): string {
  return packed[0] === ' ' ? packed.slice(1) : HTTPS + packed
}

function packTags(tags: readonly string[]): string | readonly string[] {
  let letters = ''
  for (const tag of tags) {
    const index = TAGS.indexOf(tag)
    if (index < 0) return tags
    letters += String.fromCharCode(97 + index)
  }
  return letters
}

function unpackTags(letters: string): readonly string[] {
  return Array.from(letters, (letter) => TAGS[letter.charCodeAt(0) - 97] ?? '')
}
