import { USAGE_ROLES, type UsageRole } from '../code-scanner/model/finding.ts'
import type { Account } from '../shared/account.ts'
import { fromOwnerKey, type UsageOwner } from './owners.ts'
import type { createUsageReader, ShownUsage } from './shown-usages.ts'
import type { ScanStore, StoredScan } from './store.ts'
import type { GroupView, UsageGroup, UsageGroupKey } from './usage-store.ts'

/** A group of usages, with its first usages for display. */
export interface ShownUsageGroup extends UsageGroup {
  /** Undefined if a catalogued API matches the usages. */
  readonly belongsTo: UsageOwner | undefined
  readonly shown: readonly ShownUsage[]
  /** Most relevant role of the first usages. */
  readonly role: UsageRole
}

/** Reads the usages of a scan, grouped by API, vendor and domain. */
export interface UsageGroupReads {
  /** In the order of `UsageGroupStore.listUsageGroups`, each with its first `uses` usages. */
  listUsageGroups(
    account: Account,
    request: {
      readonly scan: StoredScan
      readonly view: GroupView
      /** From 1. */
      readonly page: number
      readonly size: number
      readonly uses: number
    },
  ): Promise<readonly ShownUsageGroup[]>
  /** Undefined if the scan has no usages in the group. */
  findUsageGroup(
    account: Account,
    request: { readonly scan: StoredScan; readonly group: UsageGroupKey },
  ): Promise<ShownUsageGroup | undefined>
  countUsageGroups(account: Account, scan: StoredScan): Promise<Readonly<Record<GroupView, number>>>
}

/** Creates the reads from a storage. */
export function createUsageGroupReads(
  store: ScanStore,
  showUses: ReturnType<typeof createUsageReader>,
): UsageGroupReads {
  return {
    async listUsageGroups(account, { scan, view, page, size, uses: limit }) {
      const request = { scan: scan.number, view, offset: (page - 1) * size, limit: size }
      const groups = await store.listUsageGroups(account, request)
      const uses = await store.listGroupUsages(account, { scan: scan.number, groups, limit })
      const byGroup = new Map<string, ShownUsage[]>()
      for (const use of await showUses(uses)) {
        const key = toGroupMapKey(use)
        const known = byGroup.get(key)
        if (known) known.push(use)
        else byGroup.set(key, [use])
      }
      return groups.map((group) => toShownGroup(group, byGroup.get(toGroupMapKey(group)) ?? []))
    },

    async findUsageGroup(account, { scan, group }) {
      const found = await store.findUsageGroup(account, { scan: scan.number, group })
      return found && toShownGroup(found, [])
    },

    countUsageGroups: (account, scan) => store.countUsageGroups(account, scan.number),
  }
}

function toShownGroup(group: UsageGroup, shown: readonly ShownUsage[]): ShownUsageGroup {
  const belongsTo = group.apiId === undefined ? fromOwnerKey(group.owner) : undefined
  // Usages that are not read may be of production code.
  const roles = shown.length < group.usages ? [] : shown.map(({ role }) => role)
  const role = USAGE_ROLES.find((each) => roles.includes(each)) ?? 'production'
  return { ...group, belongsTo, shown, role }
}

function toGroupMapKey({ apiId, owner }: UsageGroupKey): string {
  return apiId === undefined ? owner : `0${apiId}`
}
