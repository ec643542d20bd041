import { sortMetrics } from './cvss.ts'
import type { AuthorityState, CveAuthority, CveRecord, CveReference } from './records.ts'

/** The records of one CVE by authority; at least one. */
export type RecordsByAuthority = Readonly<Partial<Record<CveAuthority, CveRecord>>>

/**
 * Joins the records of a CVE. NVD's values come first, followed by values of the CVE Program that
 * NVD does not have. Two groups of values are never mixed: statements about products, of which NVD
 * publishes a copy, and the content of a rejected record. The most recently modified record decides
 * them. Throws an `Error` without a record.
 */
export function joinRecords({ nvd, cve }: RecordsByAuthority): CveRecord {
  if (!cve) {
    if (!nvd) throw new Error('Cannot join records: none were passed')
    return nvd
  }
  if (!nvd) return { ...cve, authorities: [toState('cve', cve)] }
  const authorities = [toState('nvd', nvd), toState('cve', cve)]
  const newer = cve.modifiedAt > nvd.modifiedAt ? cve : nvd
  if (nvd.isRejected || cve.isRejected) {
    return { ...newer, source: nvd.source, publishedAt: nvd.publishedAt, authorities }
  }
  const others = newer === nvd ? cve : nvd
  const reported = newer.reported ?? others.reported
  const ssvc = toLatestAssessment(nvd, cve)
  const exploited = nvd.exploited ?? cve.exploited
  return {
    ...nvd,
    modifiedAt: newer.modifiedAt,
    descriptions: nvd.descriptions.length > 0 ? nvd.descriptions : cve.descriptions,
    metrics: joinMetrics(nvd, cve),
    weaknesses: joinWeaknesses(nvd, cve),
    references: joinReferences(nvd.references, cve.references),
    tags: [...new Set([...nvd.tags, ...cve.tags])],
    ...(reported && { reported }),
    ...(ssvc && { ssvc }),
    ...(exploited && { exploited }),
    authorities,
  }
}

function toState(authority: CveAuthority, { status, modifiedAt }: CveRecord): AuthorityState {
  return { authority, status, modifiedAt }
}

/** Adds scorings by other vectors, as secondary ones: those of NVD stay first. */
function joinMetrics(nvd: CveRecord, cve: CveRecord): CveRecord['metrics'] {
  const known = new Set(nvd.metrics.map(({ version, vector }) => `${version} ${vector}`))
  const added = cve.metrics.filter(({ version, vector }) => !known.has(`${version} ${vector}`))
  if (added.length === 0) return nvd.metrics
  if (nvd.metrics.length === 0) return added
  return sortMetrics([...nvd.metrics, ...added.map((one) => ({ ...one, isPrimary: false }))])
}

function joinWeaknesses(nvd: CveRecord, cve: CveRecord): CveRecord['weaknesses'] {
  const known = new Set(nvd.weaknesses.map(({ id }) => id))
  const added = cve.weaknesses.filter(({ id }) => !known.has(id))
  if (nvd.weaknesses.length === 0) return added
  return [...nvd.weaknesses, ...added.map((one) => ({ ...one, isPrimary: false }))]
}

function joinReferences(
  nvd: readonly CveReference[],
  cve: readonly CveReference[],
): readonly CveReference[] {
  const known = new Set(nvd.map(({ url }) => url))
  const tags = new Map(cve.map((one) => [one.url, one.tags]))
  return [
    ...nvd.map((one) => {
      const added = (tags.get(one.url) ?? []).filter(
        (tag) => !one.tags.some((other) => foldTag(other) === foldTag(tag)),
      )
      return added.length === 0 ? one : { ...one, tags: [...one.tags, ...added] }
    }),
    ...cve.filter(({ url }) => !known.has(url)),
  ]
}

/** NVD's `Vendor Advisory` is the CVE Program's `vendor-advisory`. */
function foldTag(tag: string): string {
  return tag.toLowerCase().replaceAll('-', ' ')
}

function toLatestAssessment(nvd: CveRecord, cve: CveRecord): CveRecord['ssvc'] {
  if (!nvd.ssvc || !cve.ssvc) return nvd.ssvc ?? cve.ssvc
  return (cve.ssvc.assessedAt ?? 0) > (nvd.ssvc.assessedAt ?? 0) ? cve.ssvc : nvd.ssvc
}
