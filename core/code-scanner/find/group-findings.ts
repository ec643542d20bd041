import type { Finding } from '../model/finding.ts'

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

function addTo<Key>(
  groups: Map<Key, Finding[]>,
  { key, finding }: { readonly key: Key; readonly finding: Finding },
): void {
  const known = groups.get(key)
  if (known) known.push(finding)
  else groups.set(key, [finding])
}
