import type { Approval } from '../../records.ts'
import type { Finding } from '../finding.ts'
import { withoutBases } from './bases.ts'
import { type FindDecision, joinDecisions, toStrictest } from './decisions.ts'

/** One endpoint with one method, wherever the project uses it. */
export interface ReportedUse {
  /** `endpointUrl` of the findings. */
  readonly url: string
  /** Lower case; undefined when unknown. */
  readonly method: string | undefined
  readonly host: string
  readonly apiId: number | undefined
  /** Short id; undefined where no endpoint is known. */
  readonly endpointId: string | undefined
  /** By file, line, column. */
  readonly places: readonly UsePlace[]
  /** Package URL of the vendor's library, with a version if one is fixed; undefined when unknown. */
  readonly package: string | undefined
  /** Undefined when unknown. */
  readonly vendorName: string | undefined
  /** Of the surest finding. */
  readonly confidence: number
  readonly approval: Approval
  /** Of the decision, or empty. */
  readonly reason: string
  /** The URLs as the code has them, each once. */
  readonly written: readonly string[]
}

export interface UsePlace {
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
 */
export function joinUses(
  findings: readonly Finding[],
  decide: FindDecision = joinDecisions([]),
): readonly ReportedUse[] {
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
    const packages = all.flatMap((one) => one.package ?? [])
    return {
      url,
      method,
      host,
      apiId,
      endpointId,
      places: all.map(({ file, line, column }) => ({ file, line, column })),
      package: packages.find(hasVersion) ?? packages[0],
      vendorName: all.find((one) => one.vendorName !== undefined)?.vendorName,
      confidence: all.reduce((most, { confidence }) => Math.max(most, confidence), 0),
      ...toStrictest(written.map((one) => decide({ url, method, written: one }))),
      written,
    }
  })
}

/** `pkg:npm/@acme/sdk@1.2.0`. */
function hasVersion(name: string): boolean {
  return /.@[^/]*$/.test(name)
}
