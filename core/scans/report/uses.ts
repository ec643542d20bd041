import type { Finding, UsageKind, UsageRole } from '../../code-scanner/model/finding.ts'
import { FILE_ROLES, findFileRole } from '../../code-scanner/noise/path-roles.ts'
import { findMainRole } from '../../code-scanner/noise/usage-roles.ts'
import { toPackageKey } from '../../code-scanner/packages/package-urls.ts'
import type { Approval } from '../records.ts'
import { withoutBases } from './bases.ts'
import { type FindDecision, joinDecisions, toStrictest } from './decisions.ts'

/** One endpoint with one method, wherever the project uses it. */
export interface ReportedUsage {
  /** `endpointUrl` of the findings. */
  readonly url: string
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly host: string
  readonly apiId: number | undefined
  /** Short id; undefined where no endpoint is known. */
  readonly endpointId: string | undefined
  /** Production code before examples, tests and generated code; then by file, line, column. */
  readonly places: readonly UsageLocation[]
  /**
   * Package URLs of the vendor's libraries, each once: those with a fixed version first, without one
   * where none is fixed.
   */
  readonly packages: readonly string[]
  /** Those with the lowest version that a manifest permits; absent for none. */
  readonly lowestPackages?: readonly string[]
  /** Bases of other environments, which the code may choose instead of `url`; absent for none. */
  readonly alternatives?: readonly string[]
  /** Types of AI services, and the models that the code requests of them; absent for none. */
  readonly kinds?: readonly UsageKind[]
  readonly models?: readonly string[]
  /** Undefined when unknown. */
  readonly vendorName: string | undefined
  /** Highest confidence of the findings. */
  readonly confidence: number
  /** Most relevant role of the findings. */
  readonly role: UsageRole
  readonly approval: Approval
  /** Reason of the decision, or empty. */
  readonly reason: string
  /** The URLs as the code has them, each once. */
  readonly written: readonly string[]
}

export interface UsageLocation {
  /** Path below the scanned folder, with `/`. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
}

/**
 * Joins findings to uses, in the order of the first finding of each: what differs in its spelling,
 * in sample values or in the package is one. A base that others are built on is none. Of different
 * decisions the strictest holds.
 *
 * @example
 * ```ts
 * import { mergeUsages } from 'api-discovery/scans'
 *
 * for (const { method, url, places } of mergeUsages(found.findings)) {
 *   console.log(method, url, places.length)
 * }
 * ```
 */
export function mergeUsages(
  findings: readonly Finding[],
  decide: FindDecision = joinDecisions([]),
): readonly ReportedUsage[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of withoutBases(findings)) {
    const key = `${finding.method ?? ''} ${finding.apiId ?? ''} ${finding.endpointUrl}`
    const known = groups.get(key)
    if (known) known.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { endpointUrl: url, method, host, apiId, endpointId } = first
    const written = [...new Set(all.map((one) => one.url))]
    return {
      url,
      method,
      host,
      apiId,
      endpointId,
      places: toPlaces(all),
      packages: toPackages(all),
      ...toLowestPackages(all),
      ...toAlternatives(all),
      ...toKinds(all),
      vendorName: all.find((one) => one.vendorName !== undefined)?.vendorName,
      confidence: all.reduce((most, { confidence }) => Math.max(most, confidence), 0),
      role: findMainRole(all),
      ...toStrictest(written.map((one) => decide({ url, method, written: one }))),
      written,
    }
  })
}

function toPlaces(findings: readonly Finding[]): readonly UsageLocation[] {
  const places = findings.map(({ file, line, column }) => ({ file, line, column }))
  const roles = new Map(places.map(({ file }) => [file, FILE_ROLES.indexOf(findFileRole(file))]))
  return places.sort((a, b) => (roles.get(a.file) ?? 0) - (roles.get(b.file) ?? 0))
}

function toLowestPackages(findings: readonly Finding[]): Pick<ReportedUsage, 'lowestPackages'> {
  const lowest = new Set(findings.flatMap(({ lowestPackage = [] }) => lowestPackage))
  return lowest.size === 0 ? {} : { lowestPackages: [...lowest] }
}

function toAlternatives(findings: readonly Finding[]): Pick<ReportedUsage, 'alternatives'> {
  const alternatives = new Set(findings.flatMap((finding) => finding.alternatives ?? []))
  return alternatives.size === 0 ? {} : { alternatives: [...alternatives] }
}

/** The types and models of AI services of findings, sorted. */
export function toKinds(findings: readonly Finding[]): Pick<ReportedUsage, 'kinds' | 'models'> {
  const kinds = new Set(findings.flatMap(({ kind }) => kind ?? []))
  const models = new Set(findings.flatMap(({ models = [] }) => models))
  return {
    ...(kinds.size > 0 && { kinds: [...kinds].sort() }),
    ...(models.size > 0 && { models: [...models].sort() }),
  }
}

/**
 * The package URLs of findings, each once; one without a version only where the same package has
 * none with a version.
 */
export function toPackages(findings: readonly Finding[]): readonly string[] {
  const names = new Set(findings.flatMap((finding) => finding.package ?? []))
  const versioned = [...names].filter(hasVersion)
  const known = new Set(versioned.map(toPackageKey))
  return [
    ...versioned,
    ...[...names].filter((name) => !hasVersion(name) && !known.has(toPackageKey(name))),
  ]
}

/** `pkg:npm/@acme/sdk@1.2.0`. */
function hasVersion(name: string): boolean {
  return /.@[^/]*$/.test(name)
}
