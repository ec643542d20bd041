import type { Account } from '../shared/account.ts'
import { toNetworkScan, toProjectScan } from './kept.ts'
import type { NetworkScan, ProjectScan } from './records.ts'
import type { KeptScan, ScanKind, ScanStore } from './store.ts'

/** Which of an account's projects and networks use an API. */
export interface ScanUses {
  /** The newest scan of each project in which the API was found, newest first. */
  readonly projects: readonly ProjectScan[]
  /** The newest of each repository, newest first. */
  readonly networks: readonly NetworkScan[]
  /** There are more scans than were looked at. */
  readonly isPartial: boolean
}

/** Scans that are looked at, of each kind. */
const MAX_SCANS = 200

/** Finds who uses an API, as the scans were last matched to the catalogue: none is matched anew. */
export async function findUses(
  store: Pick<ScanStore, 'list'>,
  { account, apiId }: { readonly account: Account; readonly apiId: number },
): Promise<ScanUses> {
  const list = (kind: ScanKind) =>
    store.list(account, {
      filter: { kind, apiIds: [apiId] },
      after: undefined,
      limit: MAX_SCANS,
    })
  const [projects, networks] = await Promise.all([list('project'), list('network')])
  return {
    projects: keepNewest(projects).map(toProjectScan),
    networks: keepNewest(networks).map(toNetworkScan),
    isPartial: [projects, networks].some(({ length }) => length === MAX_SCANS),
  }
}

function keepNewest(scans: readonly KeptScan[]): readonly KeptScan[] {
  const byGroup = new Map<string, KeptScan>()
  for (const scan of scans) if (!byGroup.has(scan.group)) byGroup.set(scan.group, scan)
  return [...byGroup.values()]
}
