import type { AmbiguousHost, Finding, ProjectFindings } from '../model/finding.ts'

/** Findings by the id of their API, else by host: apart those of hosts that several APIs share. */
export function groupFindings(findings: readonly Finding[]): {
  readonly byApi: ReadonlyMap<number, readonly Finding[]>
  readonly byHost: ReadonlyMap<string, readonly Finding[]>
  readonly byAmbiguousHost: ReadonlyMap<string, readonly Finding[]>
} {
  const byApi = new Map<number, Finding[]>()
  const byHost = new Map<string, Finding[]>()
  const byAmbiguousHost = new Map<string, Finding[]>()
  for (const finding of findings) {
    const { apiId, host, candidates } = finding
    if (apiId === undefined) addTo(candidates ? byAmbiguousHost : byHost, { key: host, finding })
    else addTo(byApi, { key: apiId, finding })
  }
  return { byApi, byHost, byAmbiguousHost }
}

/** The hosts of findings that no single API is known of. */
export function toOtherHosts(
  findings: readonly Finding[],
): Pick<ProjectFindings, 'unmatched' | 'ambiguous'> {
  const { byHost, byAmbiguousHost } = groupFindings(findings)
  return {
    unmatched: toHosts(byHost).map(({ candidates: _, ...host }) => host),
    ambiguous: toHosts(byAmbiguousHost),
  }
}

function toHosts(byHost: ReadonlyMap<string, readonly Finding[]>): readonly AmbiguousHost[] {
  return [...byHost]
    .map(([host, findings]) => ({
      host,
      domain: findings[0]?.domain ?? host,
      vendorName: findings[0]?.vendorName,
      count: findings.length,
      candidates: [...new Set(findings.flatMap(({ candidates = [] }) => candidates))],
    }))
    .sort((a, b) => b.count - a.count || compare(a.host, b.host))
}

function addTo<Key>(
  groups: Map<Key, Finding[]>,
  { key, finding }: { readonly key: Key; readonly finding: Finding },
): void {
  const known = groups.get(key)
  if (known) known.push(finding)
  else groups.set(key, [finding])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
