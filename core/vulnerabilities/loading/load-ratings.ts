import { runInTimeSlices, type SteppedWork } from '../../shared/time-slices.ts'
import { createColumn, EPSS_STEPS, type EpssColumns, toCveNumber } from '../index/columns.ts'
import { type Manifest, parseManifest } from '../index/manifest.ts'
import { createNumberMap } from '../index/number-map.ts'
import { readColumn } from '../index/read-index.ts'
import { sortNumbers } from '../index/sorting.ts'
import type { EpssScore, KnownExploited } from '../records.ts'
import type { Load, VulnerabilityStore } from '../store.ts'
import type { LoadOptions, LoadReport, RatingOptions } from './batches.ts'
import {
  type LoadDeps,
  publishManifest,
  requireCveId,
  toFinishedState,
  withLoadLease,
} from './load-lease.ts'
import {
  readEpss,
  readKev,
  type SourceRatings,
  writeEpss,
  writeKev,
  writeOverlay,
} from './ratings.ts'

/** Replaces the known exploited vulnerabilities; see `VulnerabilityLoads`. */
export async function loadKnownExploited(
  deps: LoadDeps,
  entries: readonly KnownExploited[],
  options: RatingOptions,
): Promise<LoadReport> {
  const begunAt = deps.clock()
  for (const { id } of entries) requireCveId(id, 'entry')
  return withLoadLease(deps.store, options, async (load) => {
    const manifest = await readCompatibleManifest(deps.store)
    const before = (await readKev(deps.store, manifest)) ?? []
    const given = sortEntries(entries)
    const kev = options.keepsRest ? sortEntries([...before, ...given]) : given
    const rest = kev.length - given.length
    const change = excludeRetained(
      compareEntries(serializeEntries(before), serializeEntries(kev)),
      rest,
    )
    const isNew = isChanged(change) || manifest.kev?.source !== options.source
    if (isNew) {
      const ratings = { kev, epss: await readEpss(deps.store, manifest) }
      const written = { ...manifest, kev: await writeKev(load, kev, options.source) }
      await publishRatings({ deps, load, options }, written, ratings)
    } else await storeState(deps, load, options)
    return toLoadReport(deps, { ...change, begunAt, read: entries.length, total: kev.length })
  })
}

/** Replaces all EPSS scores; see `VulnerabilityLoads`. */
export async function loadEpss(
  deps: LoadDeps,
  scores: AsyncIterable<readonly EpssScore[]>,
  options: RatingOptions,
): Promise<LoadReport> {
  const begunAt = deps.clock()
  const collected = createScoreCollector()
  let read = 0
  for await (const batch of scores) {
    options.signal?.throwIfAborted()
    for (const score of batch) collected.add(score)
    read += batch.length
    options.onProgress?.({ phase: 'records', done: read })
  }
  return withLoadLease(deps.store, options, async (load) => {
    const manifest = await readCompatibleManifest(deps.store)
    const before = await readEpss(deps.store, manifest)
    const rest =
      options.keepsRest && before ? await runInTimeSlices(collected.addMissing(before)) : 0
    const epss = await runInTimeSlices(collected.end())
    const change = excludeRetained(await runInTimeSlices(compareScores(before, epss)), rest)
    const isNew = isChanged(change) || manifest.epss?.source !== options.source
    if (isNew) {
      const ratings = { epss, kev: await readKev(deps.store, manifest) }
      const written = { ...manifest, epss: await writeEpss(load, epss, options.source) }
      await publishRatings({ deps, load, options }, written, ratings)
    } else await storeState(deps, load, options)
    return toLoadReport(deps, { ...change, begunAt, read, total: epss.epssCve.length })
  })
}

/** Throws if the records have another format: a manifest of this format would hide them. */
async function readCompatibleManifest(store: VulnerabilityStore): Promise<Manifest> {
  return parseManifest((await store.readManifest())?.manifest)
}

type Change = Pick<LoadReport, 'added' | 'changed' | 'unchanged' | 'removed'>

function isChanged({ added, changed, removed }: Change): boolean {
  return added + changed + removed > 0
}

/** Retained entries were not read, so they do not count as unchanged. */
function excludeRetained(change: Change, rest: number): Change {
  return { ...change, unchanged: change.unchanged - rest }
}

async function publishRatings(
  context: { readonly deps: LoadDeps; readonly load: Load; readonly options: LoadOptions },
  manifest: Manifest,
  ratings: SourceRatings,
): Promise<void> {
  const { deps, load, options } = context
  const { index } = manifest
  let overlay: Manifest['overlay']
  if (index) {
    const { id, documents: length } = index
    const cve = await readColumn(deps.store, { id, name: 'cve', length })
    const exploitedDay = await readColumn(deps.store, { id, name: 'exploitedDay', length })
    overlay = await writeOverlay(load, { cve, exploitedDay }, ratings)
  }
  const source = await toFinishedState(deps, options, undefined)
  await publishManifest(load, {
    manifest: { ...manifest, overlay },
    dropped: [],
    takesStaged: false,
    source,
  })
}

async function storeState(deps: LoadDeps, load: Load, options: LoadOptions): Promise<void> {
  await load.stage({ records: [], source: await toFinishedState(deps, options, undefined) })
}

async function toLoadReport(
  { store, clock }: LoadDeps,
  counts: Change & Pick<LoadReport, 'read' | 'total'> & { readonly begunAt: number },
): Promise<LoadReport> {
  const { begunAt, ...rest } = counts
  return { ...rest, older: 0, generation: await store.generation(), ms: clock() - begunAt }
}

/** Sorts entries by CVE number. If a CVE appears twice, the later entry wins. */
function sortEntries(entries: readonly KnownExploited[]): readonly KnownExploited[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return [...byId.values()]
    .map(({ id, name, addedOn, dueOn, action, isRansomware }) => {
      return { id, name, addedOn, dueOn, action, isRansomware }
    })
    .sort((a, b) => toCveNumber(a.id) - toCveNumber(b.id))
}

function serializeEntries(entries: readonly KnownExploited[]): ReadonlyMap<string, string> {
  return new Map(entries.map((entry) => [entry.id, JSON.stringify(entry)]))
}

function compareEntries(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Change {
  let [added, changed, kept] = [0, 0, 0]
  for (const [id, text] of after) {
    const known = before.get(id)
    if (known === undefined) added += 1
    else if (known === text) kept += 1
    else changed += 1
  }
  return { added, changed, unchanged: kept, removed: before.size - changed - kept }
}

/** Both must be sorted by CVE number. */
function* compareScores(before: EpssColumns | undefined, after: EpssColumns): SteppedWork<Change> {
  const length = before?.epssCve.length ?? 0
  let [added, changed, kept] = [0, 0, 0]
  let place = 0
  for (let at = 0; at < after.epssCve.length; at += 1) {
    if (at % SCORES_PER_SLICE === 0) yield
    const cve = after.epssCve[at] as number
    while (place < length && (before?.epssCve[place] as number) < cve) place += 1
    if (before?.epssCve[place] !== cve) added += 1
    else if (
      before.epssScore[place] === after.epssScore[at] &&
      before.epssRank[place] === after.epssRank[at]
    ) {
      kept += 1
    } else changed += 1
  }
  return { added, changed, unchanged: kept, removed: length - changed - kept }
}

const SCORES_PER_SLICE = 4096

interface ScoreCollector {
  add(score: EpssScore): void
  /** Adds the scores of CVEs that have none yet; returns their number. */
  addMissing(columns: EpssColumns): SteppedWork<number>
  /** Sorts by CVE number. If a CVE was added twice, the later score wins. */
  end(): SteppedWork<EpssColumns>
}

function createScoreCollector(): ScoreCollector {
  const positions = createNumberMap(0)
  const cves: number[] = []
  const scores: number[] = []
  const ranks: number[] = []

  return {
    add({ id, score, percentile }) {
      requireCveId(id, 'entry')
      const cve = toCveNumber(id)
      const place = positions.get(cve) ?? cves.length
      positions.set(cve, place)
      cves[place] = cve
      scores[place] = Math.round(score * EPSS_STEPS)
      ranks[place] = Math.round(percentile * EPSS_STEPS)
    },
    *addMissing({ epssCve, epssScore, epssRank }) {
      const given = cves.length
      for (let at = 0; at < epssCve.length; at += 1) {
        if (at % SCORES_PER_SLICE === 0) yield
        const cve = epssCve[at] as number
        if (positions.get(cve) !== undefined) continue
        positions.set(cve, cves.length)
        cves.push(cve)
        scores.push(epssScore[at] as number)
        ranks.push(epssRank[at] as number)
      }
      return cves.length - given
    },
    *end() {
      const order = Uint32Array.from(cves.keys())
      yield* sortNumbers(order, (a, b) => (cves[a] as number) - (cves[b] as number))
      const columns: EpssColumns = {
        epssCve: createColumn('epssCve', order.length),
        epssScore: createColumn('epssScore', order.length),
        epssRank: createColumn('epssRank', order.length),
      }
      for (let at = 0; at < order.length; at += 1) {
        if (at % SCORES_PER_SLICE === 0) yield
        const place = order[at] as number
        columns.epssCve[at] = cves[place] as number
        columns.epssScore[at] = scores[place] as number
        columns.epssRank[at] = ranks[place] as number
      }
      return columns
    },
  }
}
