import { isDay } from '../../shared/dates.ts'
import { sortMetrics } from '../cvss.ts'
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
import { parseReportedProduct } from './reported-fields.ts'
import { parseSsvcAssessment, pickLatestSsvc } from './ssvc-fields.ts'

/**
 * Converts the `cve` member of an item, with a valid ID, of an NVD JSON 2.0 feed or API page.
 * Unknown members are ignored. Throws a `ServiceError` with code `invalid_input` that names the
 * field.
 */
export function fromNvd2(cve: Fields, id: string): CveRecord {
  const status = expectOptionalString(cve.vulnStatus, 'vulnStatus')
  return {
    id,
    source: expectOptionalString(cve.sourceIdentifier, 'sourceIdentifier'),
    status,
    isRejected: status === 'Rejected',
    publishedAt: parseTimeField(cve.published, 'published'),
    modifiedAt: parseTimeField(cve.lastModified, 'lastModified'),
    descriptions: parseDescriptions(cve.descriptions, 'descriptions'),
    metrics: parseNvd2Metrics(cve.metrics),
    weaknesses: parseNvd2Weaknesses(cve.weaknesses),
    configurations: expectArray(cve.configurations, 'configurations').map(parseNvd2Configuration),
    ...parseReported(cve.affected),
    ...parseSsvc(cve.metrics),
    references: expectArray(cve.references, 'references').map(parseNvd2Reference),
    tags: parseNvd2Tags(cve.cveTags),
    exploited: parseNvd2Exploited(cve),
  }
}

const METRICS: readonly (readonly [key: string, version: CvssVersion])[] = [
  ['cvssMetricV40', '4.0'],
  ['cvssMetricV31', '3.1'],
  ['cvssMetricV30', '3.0'],
  ['cvssMetricV2', '2.0'],
]

function parseNvd2Metrics(value: unknown): readonly CvssMetric[] {
  if (value === undefined) return []
  const lists = expectObject(value, 'metrics')
  const metrics: CvssMetric[] = []
  for (const [key, version] of METRICS) {
    for (const item of expectArray(lists[key], key)) {
      const metric = expectObject(item, key)
      const data = expectObject(metric.cvssData, 'cvssData')
      metrics.push({
        version,
        source: expectOptionalString(metric.source, 'source'),
        isPrimary: metric.type === 'Primary',
        score: parseScore(data.baseScore, 'baseScore'),
        // Outside the data in CVSS 2, inside it in later versions.
        severity: expectOptionalString(
          data.baseSeverity ?? metric.baseSeverity,
          'baseSeverity',
        ).toUpperCase(),
        vector: expectOptionalString(data.vectorString, 'vectorString'),
      })
    }
  }
  return sortMetrics(metrics)
}

function parseNvd2Weaknesses(value: unknown): readonly CveWeakness[] {
  const weaknesses: CveWeakness[] = []
  for (const item of expectArray(value, 'weaknesses')) {
    const weakness = expectObject(item, 'weaknesses')
    const source = expectOptionalString(weakness.source, 'source')
    const isPrimary = weakness.type === 'Primary'
    for (const description of expectArray(weakness.description, 'weaknesses')) {
      const id = expectString(expectObject(description, 'weaknesses').value, 'weaknesses')
      weaknesses.push({ source, isPrimary, id })
    }
  }
  return weaknesses
}

function parseNvd2Configuration(value: unknown): CveConfiguration {
  const configuration = expectObject(value, 'configurations')
  return {
    operator: parseOperator(configuration.operator, 'operator'),
    isNegated: parseFlag(configuration.negate, 'negate'),
    nodes: expectArray(configuration.nodes, 'nodes').map(parseNvd2Node),
  }
}

function parseNvd2Node(value: unknown): CveNode {
  const node = expectObject(value, 'nodes')
  return {
    operator: parseOperator(node.operator, 'operator'),
    isNegated: parseFlag(node.negate, 'negate'),
    matches: expectArray(node.cpeMatch, 'cpeMatch').map((match) =>
      parseCpeMatch(match, 'criteria'),
    ),
    children: [],
  }
}

function parseReported(value: unknown): Pick<CveRecord, 'reported'> {
  const reported = expectArray(value, 'affected').flatMap((item) => {
    const { source, affectedData } = expectObject(item, 'affected')
    const by = expectOptionalString(source, 'source')
    return expectArray(affectedData, 'affectedData').map((one) => parseReportedProduct(one, by))
  })
  return reported.length > 0 ? { reported } : {}
}

/** Reads the latest assessment. */
function parseSsvc(metrics: unknown): Pick<CveRecord, 'ssvc'> {
  const lists = expectObject(metrics ?? {}, 'metrics')
  const assessments = expectArray(lists.ssvcV203, 'ssvcV203').map((item) => {
    const { source, ssvcData } = expectObject(item, 'ssvcV203')
    return parseSsvcAssessment(ssvcData ?? {}, expectOptionalString(source, 'source'))
  })
  const ssvc = pickLatestSsvc(assessments)
  return ssvc ? { ssvc } : {}
}

function parseNvd2Reference(value: unknown): CveReference {
  const reference = expectObject(value, 'references')
  return {
    url: expectString(reference.url, 'url'),
    source: expectOptionalString(reference.source, 'source'),
    tags: expectStrings(reference.tags, 'tags'),
  }
}

function parseNvd2Tags(value: unknown): readonly string[] {
  const list = expectArray(value, 'cveTags')
  if (list.length === 0) return []
  return [
    ...new Set(list.flatMap((item) => expectStrings(expectObject(item, 'cveTags').tags, 'tags'))),
  ]
}

function parseNvd2Exploited(cve: Fields): CveRecord['exploited'] {
  if (cve.cisaExploitAdd === undefined || cve.cisaExploitAdd === null) return undefined
  const addedOn = expectString(cve.cisaExploitAdd, 'cisaExploitAdd')
  if (!isDay(addedOn)) throw createFieldError('cisaExploitAdd', 'a day')
  const dueOn = expectOptionalString(cve.cisaActionDue, 'cisaActionDue')
  if (dueOn !== '' && !isDay(dueOn)) throw createFieldError('cisaActionDue', 'a day')
  return {
    name: expectOptionalString(cve.cisaVulnerabilityName, 'cisaVulnerabilityName'),
    addedOn,
    dueOn,
    action: expectOptionalString(cve.cisaRequiredAction, 'cisaRequiredAction'),
  }
}
