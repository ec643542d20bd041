import { createBrotli } from '../../../../adapters/feeds/compression.ts'
import type { LoadOptions } from '../../../../core/vulnerabilities/loading/batches.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'
import {
  createVulnerabilities,
  type Vulnerabilities,
} from '../../../../core/vulnerabilities/service.ts'
import type { VulnerabilityStore } from '../../../../core/vulnerabilities/store.ts'
import type { ArchiveBase } from '../../../../core/vulnerabilities/transfer/changes.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'

export const compression = createBrotli()

/** Opens a database in memory whose clock can be advanced. */
export function openMachine() {
  let now = Date.UTC(2026, 0, 1)
  const clock = () => now
  const wait = (ms: number) => {
    now += ms
  }
  return toMachine(createMemoryVulnerabilities(clock), { clock, wait })
}

/** A database with the actions of the tests. */
function toMachine<Store extends VulnerabilityStore>(
  store: Store,
  { clock, wait }: { readonly clock: () => number; readonly wait: (ms: number) => void },
) {
  const vulnerabilities = createVulnerabilities({ store, clock })
  const load = (
    records: readonly CveRecord[],
    more: Pick<LoadOptions, 'isComplete' | 'authority'> = {},
  ) =>
    vulnerabilities.loadRecords(batchOf(records), {
      source: 'nvd',
      finalCheckpoint: JSON.stringify({ records: records.length }),
      ...more,
    })
  return {
    store,
    vulnerabilities,
    wait,
    load,
    rate: (ids: readonly string[], score: number) => rate(vulnerabilities, { ids, score }),
    exportAll: (base?: ArchiveBase) => exportAll(vulnerabilities, base),
    pull: (bytes: Uint8Array, more: { readonly allowsOlder?: boolean } = {}) =>
      vulnerabilities.loadArchive(inChunks(bytes), {
        compression,
        origin: { name: 'cves.archive' },
        ...more,
      }),
    search: async (term: string) => (await vulnerabilities.search({ term })).count,
  }
}

async function* batchOf(records: readonly CveRecord[]) {
  yield { records }
}

/** Loads an entry of KEV and a score for each CVE. */
async function rate(
  vulnerabilities: Vulnerabilities,
  { ids, score }: { readonly ids: readonly string[]; readonly score: number },
): Promise<void> {
  const entries = ids.map((id) => ({
    id,
    name: `Flaw ${id}`,
    addedOn: '2022-03-01',
    dueOn: '2022-03-22',
    action: 'Update it.',
    isRansomware: false,
  }))
  await vulnerabilities.loadKnownExploited(entries, { source: 'kev' })
  async function* scores() {
    yield ids.map((id) => ({ id, score, percentile: 0.9 }))
  }
  await vulnerabilities.loadEpss(scores(), { source: 'epss' })
}

async function exportAll(
  vulnerabilities: Vulnerabilities,
  base?: ArchiveBase,
): Promise<Uint8Array> {
  const { bytes } = await vulnerabilities.exportArchive({ compression, base })
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Yields bytes in chunks of uneven size. */
export async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 4099) {
    yield bytes.subarray(at, at + size)
  }
}
