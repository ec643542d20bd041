import { ServiceError } from '../../errors.ts'
import { readEpss } from '../feeds/epss.ts'
import type { FeedProblem } from '../feeds/events.ts'
import { type KevCatalogue, readKev } from '../feeds/kev.ts'
import type { LoadReport } from '../loading/batches.ts'
import type { EpssScore } from '../records.ts'
import { type FeedFile, readWithRetries } from './feed-file.ts'
import { type SyncOptions, waitForTurn } from './loader-turn.ts'

export interface ListSyncOptions extends SyncOptions {
  readonly file: FeedFile
}

export interface KevSyncReport {
  readonly load: LoadReport
  /** Number of unreadable entries; each is reported as an event. */
  readonly problems: number
  /** Such as `2026.03.13`; empty if the catalogue has none. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly releasedAt: number | undefined
}

export interface EpssSyncReport {
  readonly load: LoadReport
  /** Number of unreadable lines; each is reported as an event. */
  readonly problems: number
  /** Such as `v2025.03.14`; undefined if the file has none. */
  readonly modelVersion: string | undefined
  /** Day of the scores, in milliseconds since the epoch; undefined if the file has none. */
  readonly scoredAt: number | undefined
}

/** URL of CISA's catalogue of known exploited vulnerabilities. */
export const KEV_URL =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'

/** URL of the newest EPSS scores, which redirects to the file of a day. */
export const EPSS_URL = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz'

/**
 * Replaces the known exploited vulnerabilities with CISA's catalogue (JSON). If some of its entries
 * are unreadable, the others are loaded and nothing is removed.
 *
 * Throws a `ServiceError` and changes nothing. The code is `invalid_body` if the file is not a
 * complete catalogue, or has more unreadable entries than readable ones. It is `source_failed` if
 * the source does not respond, and `conflict` if another load is running.
 *
 * @example
 * ```ts
 * import { createRemoteFile, KEV_URL, sleep, syncKev } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { decompressFeed } from 'api-discovery/feeds'
 *
 * const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
 * const deps = { vulnerabilities: app.vulnerabilities, clock: app.clock, random, sleep }
 * const { get, close } = createHttpGet()
 * const file = createRemoteFile(KEV_URL, { get, expand: decompressFeed, deps })
 * await syncKev({ ...deps, file }).finally(close)
 * ```
 */
export async function syncKev(options: ListSyncOptions): Promise<KevSyncReport> {
  const { vulnerabilities, file, takeOver, signal } = options
  let catalogue: KevCatalogue | undefined
  async function* read(bytes: AsyncIterable<Uint8Array>) {
    yield await readKev(bytes)
  }
  for await (const found of readWithRetries(file, { deps: options, read })) catalogue = found
  if (!catalogue) throw new Error('No catalogue was read')
  const { entries, problems, version, releasedAt } = catalogue
  reportProblems(options, problems)
  rejectMostlyUnreadable(entries.length, problems.length)
  options.onEvent?.({ kind: 'progress', phase: 'records', done: entries.length })
  const finalCheckpoint = JSON.stringify({ version, releasedAt })
  const load = await waitForTurn(
    () =>
      vulnerabilities.loadKnownExploited(entries, {
        source: 'kev',
        takeOver,
        signal,
        finalCheckpoint,
        keepsRest: problems.length > 0,
      }),
    options,
  )
  return { load, problems: problems.length, version, releasedAt }
}

/**
 * Replaces all EPSS scores with those of a CSV file. Unreadable lines and errors are handled as in
 * `syncKev`.
 *
 * @example
 * ```ts
 * import { createRemoteFile, EPSS_URL, syncEpss } from 'api-discovery/vulnerabilities'
 * import { createHttpGet } from 'api-discovery/egress'
 * import { decompressFeed } from 'api-discovery/feeds'
 *
 * const { get, close } = createHttpGet()
 * const file = createRemoteFile(EPSS_URL, { get, expand: decompressFeed, deps })
 * const { modelVersion } = await syncEpss({ ...deps, file })
 * close()
 * ```
 */
export async function syncEpss(options: ListSyncOptions): Promise<EpssSyncReport> {
  const { vulnerabilities, file, takeOver, signal } = options
  const { batches, done, problems, modelVersion, scoredAt } = await readScores(options, file)
  reportProblems(options, problems)
  rejectMostlyUnreadable(done, problems.length)
  const keepsRest = problems.length > 0
  const finalCheckpoint = JSON.stringify({ modelVersion, scoredAt })
  async function* replayBatches() {
    yield* batches
  }
  const load = await waitForTurn(
    () =>
      vulnerabilities.loadEpss(replayBatches(), {
        source: 'epss',
        takeOver,
        signal,
        finalCheckpoint,
        keepsRest,
      }),
    options,
  )
  return { load, problems: problems.length, modelVersion, scoredAt }
}

/** Reads the whole file, because scores are replaced together: about 40 MB for 350,000. */
async function readScores(options: ListSyncOptions, file: FeedFile) {
  let batches: (readonly EpssScore[])[] = []
  let problems: FeedProblem[] = []
  let modelVersion: string | undefined
  let scoredAt: number | undefined
  let done = 0
  async function* read(bytes: AsyncIterable<Uint8Array>) {
    batches = []
    problems = []
    done = 0
    yield* readEpss(bytes)
  }
  for await (const found of readWithRetries(file, { deps: options, read })) {
    batches.push(found.scores)
    problems = problems.concat(found.problems)
    done += found.scores.length
    modelVersion = found.modelVersion
    scoredAt = found.scoredAt
    options.onEvent?.({ kind: 'progress', phase: 'records', done })
  }
  return { batches, done, problems, modelVersion, scoredAt }
}

/** Rejects a file if most of its entries are unreadable. */
function rejectMostlyUnreadable(readable: number, unreadable: number): void {
  if (unreadable <= readable) return
  const reason = `${unreadable} of its ${readable + unreadable} entries cannot be read`
  throw new ServiceError('invalid_body', `Cannot read the document: ${reason}`)
}

function reportProblems(
  { onEvent, file }: ListSyncOptions,
  problems: readonly FeedProblem[],
): void {
  for (const problem of problems) onEvent?.({ kind: 'problem', source: file.name, ...problem })
}
