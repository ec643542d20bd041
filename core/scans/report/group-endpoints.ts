import type { ScanCatalogue } from '../../code-scanner/find/confirm-findings.ts'
import { hostOf } from '../../code-scanner/noise/url-hosts.ts'
import { toCandidateNames } from '../../matching/candidates.ts'
import type { Approval, CodeLocation, ScannedEndpoint } from '../records.ts'

/** An endpoint of a stored scan with everything that the scan says of it. */
export interface StoredEndpointUsage {
  readonly url: string
  /** Lower case; empty when unknown. */
  readonly method: string
  readonly host: string
  readonly written: readonly string[]
  readonly approval: Approval
  readonly reason: string
  readonly places: readonly CodeLocation[]
}

/** What a stored scan uses, API by API. */
export interface GroupedEndpoints {
  /** In order of the scan. */
  readonly apis: readonly { readonly id: number; readonly uses: readonly StoredEndpointUsage[] }[]
  /** Hosts that no catalogued API has, or several of one vendor, in order of the scan. */
  readonly hosts: readonly {
    readonly host: string
    /** The names of those several; absent for a host that no catalogued API has. */
    readonly candidates?: readonly string[]
    readonly vendorName: string | undefined
    readonly uses: readonly StoredEndpointUsage[]
  }[]
}

/**
 * Groups the endpoints of a stored scan by the API that they are matched to, else by their host.
 *
 * @example
 * ```ts
 * import { groupEndpoints } from 'api-discovery/scans'
 *
 * const [project] = await app.scans.findProjects(account, { limit: 1 })
 * const request = { projectId: project?.id ?? '', order: 'scan' } as const
 * const endpoints = []
 * for await (const page of app.scans.listEndpoints(account, request)) endpoints.push(...page)
 * const { apis, hosts } = groupEndpoints(endpoints, catalogue)
 * ```
 */
export function groupEndpoints(
  endpoints: Iterable<ScannedEndpoint>,
  catalogue: Pick<ScanCatalogue, 'match'>,
): GroupedEndpoints {
  const apis = new Map<number, StoredEndpointUsage[]>()
  const hosts = new Map<string, HostGroup>()
  for (const { url, method, foundIn, vendorName, match, approval, reason } of endpoints) {
    const host = hostOf(url) ?? url
    const use = { url, method, host, written: [url], approval, reason, places: foundIn }
    if (match) {
      const known = apis.get(match.apiId)
      if (known) known.push(use)
      else apis.set(match.apiId, [use])
      continue
    }
    const candidates = toCandidateNames(catalogue.match({ url, method }))
    const key = `${candidates ? 'one of ' : ''}${host}`
    const known = hosts.get(key) ?? { host, vendorName: undefined, uses: [] }
    hosts.set(key, known)
    known.uses.push(use)
    known.vendorName ||= vendorName || undefined
    if (candidates) known.candidates = [...new Set([...(known.candidates ?? []), ...candidates])]
  }
  return {
    apis: [...apis].map(([id, uses]) => ({ id, uses })),
    hosts: [...hosts.values()],
  }
}

interface HostGroup {
  readonly host: string
  vendorName: string | undefined
  readonly uses: StoredEndpointUsage[]
  candidates?: readonly string[]
}
