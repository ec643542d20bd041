import { orderMetrics } from '../cvss.ts'
import type {
  CveConfiguration,
  CveNode,
  CveRecord,
  CveReference,
  CveWeakness,
  CvssMetric,
} from '../records.ts'
import {
  type Fields,
  toFields,
  toList,
  toOptionalText,
  toText,
  toTexts,
  wrongField,
} from './fields.ts'
import { toDescriptions, toFlag, toMatch, toOperator, toScore, toTime } from './parts.ts'

/**
 * Converts an item, with a valid id, of a legacy NVD JSON 1.1 feed. Its scores and weaknesses are
 * NVD's own, and therefore primary. Throws a `ServiceError` with code `invalid_input` that names
 * the field.
 */
export function fromNvd1(item: Fields, id: string): CveRecord {
  const cve = toFields(item.cve, 'cve')
  const meta = toFields(cve.CVE_data_meta, 'CVE_data_meta')
  const descriptions = toDescriptions(toMember(cve.description, 'description_data'), 'description')
  return {
    id,
    source: toOptionalText(meta.ASSIGNER, 'ASSIGNER'),
    status: '',
    isRejected: REJECTIONS.some((start) => descriptions[0]?.text.startsWith(start)),
    publishedAt: toTime(item.publishedDate, 'publishedDate'),
    modifiedAt: toTime(item.lastModifiedDate, 'lastModifiedDate'),
    descriptions,
    metrics: toMetrics(item.impact),
    weaknesses: toWeaknesses(toMember(cve.problemtype, 'problemtype_data')),
    configurations: toList(toMember(item.configurations, 'nodes'), 'nodes').map(toConfiguration),
    references: toList(toMember(cve.references, 'reference_data'), 'references').map(toReference),
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

function toMember(value: unknown, name: string): unknown {
  return value === undefined ? undefined : toFields(value, name)[name]
}

function toMetrics(value: unknown): readonly CvssMetric[] {
  const impact = value === undefined ? {} : toFields(value, 'impact')
  const metrics: CvssMetric[] = []
  if (impact.baseMetricV3 !== undefined) {
    const data = toFields(toFields(impact.baseMetricV3, 'baseMetricV3').cvssV3, 'cvssV3')
    const version = data.version
    if (version !== '3.0' && version !== '3.1') throw wrongField('cvssV3.version', '3.0 or 3.1')
    metrics.push({ version, ...toScoring(data, data.baseSeverity) })
  }
  if (impact.baseMetricV2 !== undefined) {
    const metric = toFields(impact.baseMetricV2, 'baseMetricV2')
    const data = toFields(metric.cvssV2, 'cvssV2')
    metrics.push({ version: '2.0', ...toScoring(data, metric.severity) })
  }
  return orderMetrics(metrics)
}

function toScoring(data: Fields, severity: unknown): Omit<CvssMetric, 'version'> {
  return {
    source: NVD,
    isPrimary: true,
    score: toScore(data.baseScore, 'baseScore'),
    severity: toOptionalText(severity, 'severity').toUpperCase(),
    vector: toOptionalText(data.vectorString, 'vectorString'),
  }
}

function toWeaknesses(value: unknown): readonly CveWeakness[] {
  const weaknesses: CveWeakness[] = []
  for (const item of toList(value, 'problemtype')) {
    for (const description of toList(toFields(item, 'problemtype').description, 'problemtype')) {
      const id = toText(toFields(description, 'problemtype').value, 'problemtype')
      weaknesses.push({ source: NVD, isPrimary: true, id })
    }
  }
  return weaknesses
}

function toConfiguration(value: unknown): CveConfiguration {
  return { operator: 'OR', isNegated: false, nodes: [toNode(value, 0)] }
}

function toNode(value: unknown, depth: number): CveNode {
  if (depth > MAX_NODE_DEPTH) throw wrongField('children', `nested at most ${MAX_NODE_DEPTH} deep`)
  const node = toFields(value, 'nodes')
  return {
    operator: toOperator(node.operator, 'operator'),
    isNegated: toFlag(node.negate, 'negate'),
    matches: toList(node.cpe_match, 'cpe_match').map((match) => toMatch(match, 'cpe23Uri')),
    children: toList(node.children, 'children').map((child) => toNode(child, depth + 1)),
  }
}

function toReference(value: unknown): CveReference {
  const reference = toFields(value, 'references')
  return {
    url: toText(reference.url, 'url'),
    source: toOptionalText(reference.refsource, 'refsource'),
    tags: toTexts(reference.tags, 'tags'),
  }
}
