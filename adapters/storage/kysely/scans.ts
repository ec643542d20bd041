import type { ScanStore } from '../../../core/scans/store.ts'
import type { Engine } from './engine.ts'
import { createScanListStore } from './scan-lists.ts'
import { createScanMatchStore } from './scan-matches.ts'
import { createScanReviewStore } from './scan-reviews.ts'
import { createScanRowStore } from './scan-rows.ts'
import { createScanSweepStore } from './scan-sweep.ts'
import { createScanUploadStore } from './scan-uploads.ts'
import { createScanGroupStore } from './scan-usage-groups.ts'
import { createScanUsageStore } from './scan-usage-lists.ts'

/** Stores submitted scans and the decisions on them. */
export function createScanStore(engine: Engine): ScanStore {
  return {
    ...createScanUploadStore(engine),
    ...createScanListStore(engine),
    ...createScanRowStore(engine),
    ...createScanMatchStore(engine),
    ...createScanReviewStore(engine),
    ...createScanSweepStore(engine),
    ...createScanUsageStore(engine),
    ...createScanGroupStore(engine),
  }
}
