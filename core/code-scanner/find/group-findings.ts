import { compareCodePoints } from '../../shared/text.ts'
import type { AmbiguousHost, Finding, ProjectFindings } from '../model/finding.ts'
import { compareRoles, findMainRole } from '../noise/usage-roles.ts'

/** Groups findings by the ID of their API, else by host; hosts that several APIs share are separate.
 * Own client libraries are no usages. */
export function groupFindings(findings: readonly Finding[]): {
  readonly byApi: ReadonlyMap<number, readonly Finding[]>
  readonly byHost: ReadonlyMap<string, readonly Finding[]>
  readonly byAmbiguousHost: ReadonlyMap<string, readonly Finding[]>
} {
  const byApi = new Map<number, Finding[]>()
  const byHost = new Map<string, Finding[]>()
  const byAmbiguousHost = new Map<string, Finding[]>()
  for (const finding of findings) {
    const { apiId, host, candidates, via } = finding
    if (via === 'own-package') continue
    if (apiId === undefined) addTo(candidates ? byAmbiguousHost : byHost, [host, finding])
    else addTo(byApi, [apiId, finding])
  }
  return { byApi, byHost, byAmbiguousHost }
}

/** Lists the hosts of findings without a single known API. */
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
      role: findMainRole(findings),
      host: {
        host,
        domain: findings[0]?.domain ?? host,
        vendorName: findings[0]?.vendorName,
        count: findings.length,
        candidates: [...new Set(findings.flatMap(({ candidates = [] }) => candidates))],
      },
    }))
    .sort(
      ({ role: roleA, host: a }, { role: roleB, host: b }) =>
        compareRoles(roleA, roleB) || b.count - a.count || compareCodePoints(a.host, b.host),
    )
    .map(({ host }) => host)
}

function addTo<Key>(groups: Map<Key, Finding[]>, [key, finding]: readonly [Key, Finding]): void {
  const known = groups.get(key)
  if (known) known.push(finding)
  else groups.set(key, [finding])
}
