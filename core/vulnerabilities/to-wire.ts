import { toTimestamp } from '../shared/dates.ts'
import { JsonText } from '../shared/json-text.ts'
import {
  countVersions,
  listStatedProducts,
  type StatedProduct,
  toAffectedProducts,
} from './affected-products.ts'
import { listAliases } from './aliases.ts'
import { pickScore } from './cvss.ts'
import type {
  AffectedProduct,
  CveConfiguration,
  CveNode,
  KnownExploited,
  ReportedProduct,
  SsvcAssessment,
  VersionRange,
} from './records.ts'
import type { SyncSourceStatus, SyncStatus } from './schedule/scheduled-syncs.ts'
import type { CveHit, ExtendedRecord } from './search/results.ts'
import type { VulnerabilityStatus } from './service.ts'
import { toVersionText } from './versions.ts'

/**
 * Serialises a search result; reuses its stored JSON if nothing differs.
 *
 * @example
 * ```ts
 * import { toHitWire } from 'api-discovery/vulnerabilities'
 *
 * const { hits } = await app.vulnerabilities.search({ term: 'log4j' })
 * for await (const batch of hits) {
 *   for (const hit of batch) console.log(toHitWire(hit).text)
 * }
 * ```
 */
export function toHitWire({ line, named, extended }: CveHit): JsonText {
  const text = named ? JSON.stringify({ ...JSON.parse(line), ...named }) : line
  if (!extended) return new JsonText(text)
  const more = JSON.stringify(toExtendedWire(extended, named ?? JSON.parse(line)))
  return new JsonText(`${text.slice(0, -1)},${more.slice(1)}`)
}

/** Returns the fields that `extended` adds to those of Specification 2.5. */
export function toExtendedWire(
  { record, epss, exploited }: ExtendedRecord,
  names: Pick<AffectedProduct, 'vendor' | 'product'>,
) {
  const cvss4 = pickScore(record.metrics, '4.0')
  const affected = toAffectedProducts(record.configurations)
  return {
    cvssv4_score: cvss4 ? cvss4.score.toFixed(1) : '-',
    cvssv4_severity: cvss4?.severity || '-',
    cvss: record.metrics.map((metric) => ({
      version: metric.version,
      source: metric.source,
      type: toMetricType(metric),
      score: metric.score,
      severity: metric.severity || '-',
      vector: metric.vector,
    })),
    cwe_ids: [...new Set(record.weaknesses.map(({ id }) => id))],
    ssvc: record.ssvc ? toSsvcWire(record.ssvc) : null,
    affected: listStatedProducts(record, affected).map(toStatedWire),
    epss: epss ? { score: epss.score, percentile: epss.percentile } : null,
    kev: exploited ? toKevWire(exploited) : null,
    aliases: [...listAliases(record)],
    source: record.source,
    num_versions: countVersions(record, names, affected),
    published: toTimestamp(record.publishedAt),
    last_modified: toTimestamp(record.modifiedAt),
    status: record.status,
    references: record.references.map(({ url, source, tags }) => ({
      url,
      source,
      tags: [...tags],
    })),
    tags: [...record.tags],
  }
}

/** Returns the fields of a complete record that a search result does not have. */
export function toCompleteRecordWire({ record }: ExtendedRecord) {
  return {
    authorities: (record.authorities ?? [{ authority: 'nvd' as const, ...record }]).map(
      ({ authority, status, modifiedAt }) => {
        return { name: authority, status, last_modified: toTimestamp(modifiedAt) }
      },
    ),
    descriptions: record.descriptions.map(({ language, text }) => ({ language, text })),
    weaknesses: record.weaknesses.map((weakness) => ({
      cwe_id: weakness.id,
      source: weakness.source,
      type: toMetricType(weakness),
    })),
    configurations: record.configurations.map(toConfigurationWire),
    reported_products: (record.reported ?? []).map(toReportedWire),
  }
}

/** Returns the size and age of the loaded data at time `now`. */
export function toStatusWire(
  status: VulnerabilityStatus,
  { sync, now }: { readonly sync: SyncStatus | undefined; readonly now: number },
) {
  return {
    records: status.records,
    rejected: status.rejected,
    vendors: status.vendors,
    products: status.products,
    known_exploited: status.exploited,
    epss_scores: status.scored,
    completeness: status.completeness.map((of) => ({
      year: of.year,
      records: of.records,
      with_product: of.withProduct,
      with_configurations: of.withConfigurations,
      with_score: of.withScore,
      with_neither: of.withNeither,
    })),
    sources: listSources(status, sync).map(({ name, loadedAt, dataAt, attempt }) => ({
      name,
      loaded_at: loadedAt === undefined ? null : toTimestamp(loadedAt),
      age_seconds: loadedAt === undefined ? null : toAgeSeconds(loadedAt, now),
      data_at: dataAt === undefined ? null : toTimestamp(dataAt),
      data_age_seconds: dataAt === undefined ? null : toAgeSeconds(dataAt, now),
      ...(attempt && toAttemptWire(attempt)),
    })),
    ...(sync && {
      sync: {
        running: sync.isRunning,
        next_at: sync.nextAt === undefined ? null : toTimestamp(sync.nextAt),
      },
    }),
  }
}

/** Lists the loaded sources, and those that only scheduled syncs know. */
function listSources({ sources }: VulnerabilityStatus, sync: SyncStatus | undefined) {
  const attempts = new Map(sync?.sources.map((each) => [each.source, each]))
  const loaded = new Map(sources.map((source) => [source.name, source]))
  return [...new Set([...loaded.keys(), ...attempts.keys()])].sort().map((name) => {
    const { loadedAt, dataAt } = loaded.get(name) ?? {}
    return { name, loadedAt, dataAt, attempt: attempts.get(name) }
  })
}

function toAttemptWire({ attemptedAt, message }: SyncSourceStatus) {
  return {
    attempted_at: attemptedAt === undefined ? null : toTimestamp(attemptedAt),
    error: message || null,
  }
}

/** Returns the whole seconds since an instant; never negative. */
export function toAgeSeconds(since: number, now: number): number {
  return Math.max(0, Math.floor((now - since) / 1000))
}

function toKevWire({ name, addedOn, dueOn, action, isRansomware }: KnownExploited) {
  return {
    name,
    date_added: addedOn,
    due_date: dueOn,
    required_action: action,
    ransomware: isRansomware,
  }
}

function toSsvcWire(ssvc: SsvcAssessment) {
  const { source, assessedAt, exploitation, isAutomatable, technicalImpact } = ssvc
  return {
    ...{ source, exploitation },
    automatable: isAutomatable ?? null,
    technical_impact: technicalImpact ?? null,
    assessed: assessedAt === undefined ? null : toTimestamp(assessedAt),
  }
}

function toStatedWire({ source, vendor, product, versions, reported }: StatedProduct) {
  const texts = [...new Set(versions.map(toVersionText))]
  return { source, vendor, product, versions: texts, ...(reported && toPackageWire(reported)) }
}

function toPackageWire(reported: ReportedProduct) {
  const { packageName, packageUrl, collectionUrl, repository, platforms } = reported
  return {
    ...(packageName !== undefined && { package_name: packageName }),
    ...(packageUrl !== undefined && { package_url: packageUrl }),
    ...(collectionUrl !== undefined && { collection_url: collectionUrl }),
    ...(repository !== undefined && { repository }),
    ...(platforms.length > 0 && { platforms: [...platforms] }),
  }
}

function toReportedWire(reported: ReportedProduct) {
  const { source, vendor, product, cpes, modules, defaultStatus, versions } = reported
  return {
    ...{ source, vendor, product, ...toPackageWire(reported) },
    ...(cpes.length > 0 && { cpes: [...cpes] }),
    ...(modules.length > 0 && { modules: [...modules] }),
    default_status: defaultStatus,
    versions: versions.map((one) => ({
      ...{ version: one.version, status: one.status },
      ...(one.type !== undefined && { version_type: one.type }),
      ...(one.lessThan !== undefined && { less_than: one.lessThan }),
      ...(one.lessThanOrEqual !== undefined && { less_than_or_equal: one.lessThanOrEqual }),
      ...(one.changes && { changes: one.changes.map(({ at, status }) => ({ at, status })) }),
    })),
  }
}

function toMetricType({ isPrimary }: { readonly isPrimary: boolean }): 'Primary' | 'Secondary' {
  return isPrimary ? 'Primary' : 'Secondary'
}

function toConfigurationWire({ operator, isNegated, nodes }: CveConfiguration) {
  return { operator, negate: isNegated, nodes: nodes.map(toNodeWire) }
}

interface NodeWire {
  readonly operator: 'AND' | 'OR'
  readonly negate: boolean
  readonly cpe_match: ReturnType<typeof toMatchWire>[]
  readonly children: NodeWire[]
}

function toNodeWire({ operator, isNegated, matches, children }: CveNode): NodeWire {
  return {
    operator,
    negate: isNegated,
    cpe_match: matches.map(toMatchWire),
    children: children.map(toNodeWire),
  }
}

function toMatchWire({ isVulnerable, cpe, range }: CveNode['matches'][number]) {
  return { vulnerable: isVulnerable, criteria: cpe, ...toRangeWire(range) }
}

function toRangeWire({ from, to }: VersionRange = {}) {
  return {
    ...(from?.isIncluded === true ? { version_start_including: from.version } : {}),
    ...(from?.isIncluded === false ? { version_start_excluding: from.version } : {}),
    ...(to?.isIncluded === true ? { version_end_including: to.version } : {}),
    ...(to?.isIncluded === false ? { version_end_excluding: to.version } : {}),
  }
}
