import { sortMetrics } from '../cvss.ts'
import type {
  CveConfiguration,
  CveNode,
  CveRecord,
  CveReference,
  CveWeakness,
  CvssMetric,
} from '../records.ts'
import {
  createFieldError,
  expectArray,
  expectObject,
  expectOptionalString,
  expectString,
  expectStrings,
  type Fields,
} from './json-fields.ts'
import {
  parseCpeMatch,
  parseDescriptions,
  parseFlag,
  parseOperator,
  parseScore,
  parseTimeField,
} from './nvd-fields.ts'

/**
 * Converts an item, with a valid ID, of a legacy NVD JSON 1.1 feed. Its scores and weaknesses are
 * NVD's own, and therefore primary. Throws a `ServiceError` with code `invalid_input` that names
 * the field.
 */
export function fromNvd1(item: Fields, id: string): CveRecord {
  const cve = expectObject(item.cve, 'cve')
  const meta = expectObject(cve.CVE_data_meta, 'CVE_data_meta')
  const descriptions = parseDescriptions(
    getMember(cve.description, 'description_data'),
    'description',
  )
  return {
    id,
    source: expectOptionalString(meta.ASSIGNER, 'ASSIGNER'),
    status: '',
    isRejected: REJECTIONS.some((start) => descriptions[0]?.text.startsWith(start)),
    publishedAt: parseTimeField(item.publishedDate, 'publishedDate'),
    modifiedAt: parseTimeField(item.lastModifiedDate, 'lastModifiedDate'),
    descriptions,
    metrics: parseNvd1Metrics(item.impact),
    weaknesses: parseNvd1Weaknesses(getMember(cve.problemtype, 'problemtype_data')),
    configurations: expectArray(getMember(item.configurations, 'nodes'), 'nodes').map(
      parseNvd1Configuration,
    ),
    references: expectArray(getMember(cve.references, 'reference_data'), 'references').map(
      parseNvd1Reference,
    ),
    tags: [],
    exploited: undefined,
  }
}

/** Source of scores and weaknesses: the feed does not name one. */
const NVD = 'nvd@nist.gov'
/** Prefixes of rejected descriptions, the only sign of a rejection. NVD has used both. */
const REJECTIONS = ['** REJECT **', 'Rejected reason:']
/** NVD itself nests one level deep. */
const MAX_NODE_DEPTH = 20

function getMember(value: unknown, name: string): unknown {
  return value === undefined ? undefined : expectObject(value, name)[name]
}

function parseNvd1Metrics(value: unknown): readonly CvssMetric[] {
  const impact = value === undefined ? {} : expectObject(value, 'impact')
  const metrics: CvssMetric[] = []
  if (impact.baseMetricV3 !== undefined) {
    const data = expectObject(expectObject(impact.baseMetricV3, 'baseMetricV3').cvssV3, 'cvssV3')
    const version = data.version
    if (version !== '3.0' && version !== '3.1')
      throw createFieldError('cvssV3.version', '3.0 or 3.1')
    metrics.push({ version, ...parseNvd1Score(data, data.baseSeverity) })
  }
  if (impact.baseMetricV2 !== undefined) {
    const metric = expectObject(impact.baseMetricV2, 'baseMetricV2')
    const data = expectObject(metric.cvssV2, 'cvssV2')
    metrics.push({ version: '2.0', ...parseNvd1Score(data, metric.severity) })
  }
  return sortMetrics(metrics)
}

function parseNvd1Score(data: Fields, severity: unknown): Omit<CvssMetric, 'version'> {
  return {
    source: NVD,
    isPrimary: true,
    score: parseScore(data.baseScore, 'baseScore'),
    severity: expectOptionalString(severity, 'severity').toUpperCase(),
    vector: expectOptionalString(data.vectorString, 'vectorString'),
  }
}

function parseNvd1Weaknesses(value: unknown): readonly CveWeakness[] {
  const weaknesses: CveWeakness[] = []
  for (const item of expectArray(value, 'problemtype')) {
    for (const description of expectArray(
      expectObject(item, 'problemtype').description,
      'problemtype',
    )) {
      const id = expectString(expectObject(description, 'problemtype').value, 'problemtype')
      weaknesses.push({ source: NVD, isPrimary: true, id })
    }
  }
  return weaknesses
}

function parseNvd1Configuration(value: unknown): CveConfiguration {
  return { operator: 'OR', isNegated: false, nodes: [parseNvd1Node(value, 0)] }
}

function parseNvd1Node(value: unknown, depth: number): CveNode {
  if (depth > MAX_NODE_DEPTH)
    throw createFieldError('children', `nested at most ${MAX_NODE_DEPTH} deep`)
  const node = expectObject(value, 'nodes')
  return {
    operator: parseOperator(node.operator, 'operator'),
    isNegated: parseFlag(node.negate, 'negate'),
    matches: expectArray(node.cpe_match, 'cpe_match').map((match) =>
      parseCpeMatch(match, 'cpe23Uri'),
    ),
    children: expectArray(node.children, 'children').map((child) =>
      parseNvd1Node(child, depth + 1),
    ),
  }
}

function parseNvd1Reference(value: unknown): CveReference {
  const reference = expectObject(value, 'references')
  return {
    url: expectString(reference.url, 'url'),
    source: expectOptionalString(reference.refsource, 'refsource'),
    tags: expectStrings(reference.tags, 'tags'),
  }
}
