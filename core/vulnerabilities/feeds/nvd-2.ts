import { isDay } from '../../shared/dates.ts'
import { orderMetrics } from '../cvss.ts'
import type {
  CveConfiguration,
  CveNode,
  CveRecord,
  CveReference,
  CveWeakness,
  CvssMetric,
  CvssVersion,
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
 * Converts the `cve` member of an item, with a valid id, of an NVD JSON 2.0 feed or API page.
 * Unknown members are ignored. Throws a `ServiceError` with code `invalid_input` that names the
 * field.
 */
export function fromNvd2(cve: Fields, id: string): CveRecord {
  const status = toOptionalText(cve.vulnStatus, 'vulnStatus')
  return {
    id,
    source: toOptionalText(cve.sourceIdentifier, 'sourceIdentifier'),
    status,
    isRejected: status === 'Rejected',
    publishedAt: toTime(cve.published, 'published'),
    modifiedAt: toTime(cve.lastModified, 'lastModified'),
    descriptions: toDescriptions(cve.descriptions, 'descriptions'),
    metrics: toMetrics(cve.metrics),
    weaknesses: toWeaknesses(cve.weaknesses),
    configurations: toList(cve.configurations, 'configurations').map(toConfiguration),
    references: toList(cve.references, 'references').map(toReference),
    tags: toTags(cve.cveTags),
    exploited: toExploited(cve),
  }
}

const METRICS: readonly (readonly [key: string, version: CvssVersion])[] = [
  ['cvssMetricV40', '4.0'],
  ['cvssMetricV31', '3.1'],
  ['cvssMetricV30', '3.0'],
  ['cvssMetricV2', '2.0'],
]

function toMetrics(value: unknown): readonly CvssMetric[] {
  if (value === undefined) return []
  const lists = toFields(value, 'metrics')
  const metrics: CvssMetric[] = []
  for (const [key, version] of METRICS) {
    for (const item of toList(lists[key], key)) {
      const metric = toFields(item, key)
      const data = toFields(metric.cvssData, 'cvssData')
      metrics.push({
        version,
        source: toOptionalText(metric.source, 'source'),
        isPrimary: metric.type === 'Primary',
        score: toScore(data.baseScore, 'baseScore'),
        // Outside the data in CVSS 2, inside it in later versions.
        severity: toOptionalText(
          data.baseSeverity ?? metric.baseSeverity,
          'baseSeverity',
        ).toUpperCase(),
        vector: toOptionalText(data.vectorString, 'vectorString'),
      })
    }
  }
  return orderMetrics(metrics)
}

function toWeaknesses(value: unknown): readonly CveWeakness[] {
  const weaknesses: CveWeakness[] = []
  for (const item of toList(value, 'weaknesses')) {
    const weakness = toFields(item, 'weaknesses')
    const source = toOptionalText(weakness.source, 'source')
    const isPrimary = weakness.type === 'Primary'
    for (const description of toList(weakness.description, 'weaknesses')) {
      const id = toText(toFields(description, 'weaknesses').value, 'weaknesses')
      weaknesses.push({ source, isPrimary, id })
    }
  }
  return weaknesses
}

function toConfiguration(value: unknown): CveConfiguration {
  const configuration = toFields(value, 'configurations')
  return {
    operator: toOperator(configuration.operator, 'operator'),
    isNegated: toFlag(configuration.negate, 'negate'),
    nodes: toList(configuration.nodes, 'nodes').map(toNode),
  }
}

function toNode(value: unknown): CveNode {
  const node = toFields(value, 'nodes')
  return {
    operator: toOperator(node.operator, 'operator'),
    isNegated: toFlag(node.negate, 'negate'),
    matches: toList(node.cpeMatch, 'cpeMatch').map((match) => toMatch(match, 'criteria')),
    children: [],
  }
}

function toReference(value: unknown): CveReference {
  const reference = toFields(value, 'references')
  return {
    url: toText(reference.url, 'url'),
    source: toOptionalText(reference.source, 'source'),
    tags: toTexts(reference.tags, 'tags'),
  }
}

function toTags(value: unknown): readonly string[] {
  const list = toList(value, 'cveTags')
  if (list.length === 0) return []
  return [...new Set(list.flatMap((item) => toTexts(toFields(item, 'cveTags').tags, 'tags')))]
}

function toExploited(cve: Fields): CveRecord['exploited'] {
  if (cve.cisaExploitAdd === undefined || cve.cisaExploitAdd === null) return undefined
  const addedOn = toText(cve.cisaExploitAdd, 'cisaExploitAdd')
  if (!isDay(addedOn)) throw wrongField('cisaExploitAdd', 'a day')
  const dueOn = toOptionalText(cve.cisaActionDue, 'cisaActionDue')
  if (dueOn !== '' && !isDay(dueOn)) throw wrongField('cisaActionDue', 'a day')
  return {
    name: toOptionalText(cve.cisaVulnerabilityName, 'cisaVulnerabilityName'),
    addedOn,
    dueOn,
    action: toOptionalText(cve.cisaRequiredAction, 'cisaRequiredAction'),
  }
}
