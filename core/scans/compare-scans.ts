import { ServiceError } from '../errors.ts'
import type { Account } from '../shared/account.ts'
import type { createUsageReader, ShownUsage } from './shown-usages.ts'
import type { ScanStore, StoredScan } from './store.ts'
import type { UsageChanges } from './usage-store.ts'

/** Differences between two scans, with the usages. */
export interface ComparedScans {
  readonly before: StoredScan
  readonly after: StoredScan
  readonly added: readonly ShownUsage[]
  readonly removed: readonly ShownUsage[]
  readonly changed: readonly {
    readonly use: ShownUsage
    readonly before: ShownUsage
    readonly what: UsageChanges['changed'][number]['what']
  }[]
  /** Whether this page has more differences than are returned. */
  readonly isPartial: boolean
  /** Number of pages of the comparison. */
  readonly pages: number
}

/** Compares two scans. Throws `invalid_input` if their projects or networks differ. */
export async function compareScans(
  deps: {
    readonly store: Pick<ScanStore, 'compareUsages' | 'findUsages'>
    readonly showUses: ReturnType<typeof createUsageReader>
    readonly account: Account
  },
  scans: {
    readonly before: StoredScan
    readonly after: StoredScan
    /** Maximum length of each list. */
    readonly limit: number
    /** From 1. */
    readonly page: number
  },
): Promise<ComparedScans> {
  const { store, showUses, account } = deps
  const { before, after, limit, page } = scans
  if (before.group !== after.group) throw createDifferentScansError(before)
  const found =
    before.number === after.number
      ? NO_CHANGES
      : await store.compareUsages(account, {
          before: before.number,
          after: after.number,
          limit: limit + 1,
          page,
          pageUses: COMPARED_USAGES,
        })
  const pick = async (scan: StoredScan, places: readonly number[]) => {
    const uses = await store.findUsages(account, { scan: scan.number, places })
    const byPlace = new Map((await showUses(uses)).map((use) => [use.place, use]))
    return places.flatMap((place) => byPlace.get(place) ?? [])
  }
  const changed = found.changed.slice(0, limit)
  const places = changed.map(({ place }) => place)
  const present = await pick(after, places)
  const formerPlaces = changed.map((change) => change.before)
  const former = await pick(before, formerPlaces)
  return {
    before,
    after,
    added: await pick(after, found.added.slice(0, limit)),
    removed: await pick(before, found.removed.slice(0, limit)),
    changed: changed.flatMap(({ what }, index) => {
      const use = present[index]
      const was = former[index]
      return use && was ? [{ use, before: was, what }] : []
    }),
    isPartial: [found.added, found.removed, found.changed].some((list) => list.length > limit),
    pages: found.pages,
  }
}

/** Usages compared at once: about 30 ms of work. */
const COMPARED_USAGES = 30_000

const NO_CHANGES: UsageChanges = { added: [], removed: [], changed: [], pages: 1 }

function createDifferentScansError({ kind }: StoredScan): ServiceError {
  const message = `must be a scan of the same ${kind}`
  return new ServiceError('invalid_input', `before ${message}`, {
    issues: [{ in: 'query', name: 'before', message }],
  })
}
