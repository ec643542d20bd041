import { getCategory } from '../catalogue/categories.ts'
import type { Endpoint } from '../catalogue/records.ts'
import { buildPostings, TERMS_VERSION } from '../catalogue/search/postings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { FullStorage } from '../ports/storage.ts'
import { createYieldIfDue, runInTimeSlices } from '../shared/time-slices.ts'

/** Re-indexes APIs whose search index entries follow an earlier version of the term rules. */
export interface SearchUpdates {
  /**
   * Resolves when all APIs follow the current rules, or after a failure, which is logged and
   * retried by a later call. Concurrent calls share one run; later calls return immediately.
   */
  updateSearch(): Promise<void>
  /** Stops after the current API; the next process continues. */
  close(): Promise<void>
}

export function createSearchUpdates(deps: {
  readonly storage: Pick<FullStorage, 'catalogue' | 'imports'>
  readonly clock: Clock
  readonly logger: Logger
}): SearchUpdates {
  const { clock, logger } = deps
  const { catalogue, imports: store } = deps.storage
  let isOver = false
  let failedAt: number | undefined
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    let updated = 0
    try {
      for (;;) {
        const ids = await store.listOutdatedSearch(TERMS_VERSION, PAGE_APIS)
        if (ids.length === 0) break
        for (const id of ids) {
          if (isOver) return
          await updateApi(id)
          updated += 1
        }
      }
      isOver = true
      if (updated > 0) logger.log('info', 'search_updated', { apis: updated })
    } catch (error) {
      failedAt = clock()
      logger.log('error', 'search_not_updated', { apis: updated, reason: String(error) })
    }
  }

  async function updateApi(apiId: number): Promise<void> {
    const generation = await catalogue.generation()
    const [api] = await catalogue.findApis([apiId])
    if (!api) return
    const endpoints = await listAllEndpoints(apiId)
    const work = buildPostings({
      vendorName: api.vendor.name,
      categoryName: getCategory(api.categoryId)?.name ?? '',
      api,
      endpoints: endpoints.map((endpoint) => ({ id: endpoint.id, description: endpoint })),
    })
    const postings = await runInTimeSlices(work)
    await store.updateSearch({ apiId, version: TERMS_VERSION, generation, postings })
  }

  async function listAllEndpoints(apiId: number): Promise<readonly Endpoint[]> {
    const pause = createYieldIfDue()
    const endpoints: Endpoint[] = []
    for (let page = 1; ; page += 1) {
      const { items } = await catalogue.listEndpointPage({ apiId }, { size: PAGE_ENDPOINTS, page })
      endpoints.push(...items)
      if (items.length < PAGE_ENDPOINTS) return endpoints
      await pause()
    }
  }

  return {
    async updateSearch() {
      const isEarly = failedAt !== undefined && Math.abs(clock() - failedAt) < RETRY_MS
      if (!running && (isOver || isEarly)) return
      running ??= run().finally(() => {
        running = undefined
      })
      await running
    },
    async close() {
      isOver = true
      await running
    },
  }
}

const PAGE_APIS = 100
/** Parsing a page takes a few milliseconds. */
const PAGE_ENDPOINTS = 200
const RETRY_MS = 60_000
