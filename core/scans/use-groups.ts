import type { Account } from '../shared/account.ts'
import { fromOwnerKey, type UseOwner } from './owners.ts'
import type { createUseReader, ShownUse } from './shown-uses.ts'
import type { KeptScan, ScanStore } from './store.ts'
import type { GroupView, UseGroup, UseGroupKey } from './use-store.ts'

/** A group of usages, with its first usages for display. */
export interface ShownUseGroup extends UseGroup {
  /** Undefined if a catalogued API matches the usages. */
  readonly belongsTo: UseOwner | undefined
  readonly shown: readonly ShownUse[]
}

/** Reads the usages of a scan, grouped by API, vendor and domain. */
export interface UseGroupReads {
  /** In the order of `UseGroupStore.listUseGroups`, each with its first `uses` usages. */
  listUseGroups(
    account: Account,
    request: {
      readonly scan: KeptScan
      readonly view: GroupView
      /** From 1. */
      readonly page: number
      readonly size: number
      readonly uses: number
    },
  ): Promise<readonly ShownUseGroup[]>
  /** Undefined if the scan has no usages in the group. */
  findUseGroup(
    account: Account,
    request: { readonly scan: KeptScan; readonly group: UseGroupKey },
  ): Promise<ShownUseGroup | undefined>
  countUseGroups(account: Account, scan: KeptScan): Promise<Readonly<Record<GroupView, number>>>
}

/** Creates the reads from a storage. */
export function createUseGroupReads(
  store: ScanStore,
  showUses: ReturnType<typeof createUseReader>,
): UseGroupReads {
  return {
    async listUseGroups(account, { scan, view, page, size, uses: limit }) {
      const request = { scan: scan.number, view, offset: (page - 1) * size, limit: size }
      const groups = await store.listUseGroups(account, request)
      const uses = await store.listGroupUses(account, { scan: scan.number, groups, limit })
      const byGroup = new Map<string, ShownUse[]>()
      for (const use of await showUses(uses)) {
        const key = toKey(use)
        const known = byGroup.get(key)
        if (known) known.push(use)
        else byGroup.set(key, [use])
      }
      return groups.map((group) => toShownGroup(group, byGroup.get(toKey(group)) ?? []))
    },

    async findUseGroup(account, { scan, group }) {
      const found = await store.findUseGroup(account, { scan: scan.number, group })
      return found && toShownGroup(found, [])
    },

    countUseGroups: (account, scan) => store.countUseGroups(account, scan.number),
  }
}

function toShownGroup(group: UseGroup, shown: readonly ShownUse[]): ShownUseGroup {
  const belongsTo = group.apiId === undefined ? fromOwnerKey(group.owner) : undefined
  return { ...group, belongsTo, shown }
}

function toKey({ apiId, owner }: UseGroupKey): string {
  return apiId === undefined ? owner : `0${apiId}`
}
