import { ServiceError } from '../../http/problems.ts'
import { readEpss } from '../feeds/epss.ts'
import type { FeedProblem } from '../feeds/events.ts'
import { type KevCatalogue, readKev } from '../feeds/kev.ts'
import type { LoadReport } from '../loading/batches.ts'
import type { EpssScore } from '../records.ts'
import { type FeedFile, readRepeatedly } from './feed-file.ts'
import { type SyncOptions, takeTurn } from './loader-turn.ts'

export interface ListSyncOptions extends SyncOptions {
  readonly file: FeedFile
}

export interface KevSyncReport {
  readonly load: LoadReport
  /** Entries that could not be read: told as events. */
  readonly problems: number
  /** As `2026.03.13`; empty when the catalogue names none. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly releasedAt: number | undefined
}

export interface EpssSyncReport {
  readonly load: LoadReport
  /** Lines that could not be read: told as events. */
  readonly problems: number
  /** As `v2025.03.14`; undefined when the file does not say. */
  readonly modelVersion: string | undefined
  /** The day of the scores, in milliseconds since the epoch; undefined as above. */
  readonly scoredAt: number | undefined
}

/** CISA's catalogue of known exploited vulnerabilities. */
export const KEV_URL =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'

/** The newest EPSS scores: a redirect to the file of a day. */
export const EPSS_URL = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz'

/**
 * Replaces the known exploited vulnerabilities by CISA's catalogue (JSON). When some of its entries
 * cannot be read, the others are loaded and nothing is removed.
 *
 * Throws a `ServiceError` for a file that is no whole catalogue, or of which more entries cannot be
 * read than can (`invalid_body`), for a source that does not answer
 * (`source_failed`) and for another load under way (`conflict`); nothing has changed then.
 */
export async function syncKev(options: ListSyncOptions): Promise<KevSyncReport> {
  const { vulnerabilities, file, takeOver, signal } = options
  let catalogue: KevCatalogue | undefined
  async function* read(bytes: AsyncIterable<Uint8Array>) {
    yield await readKev(bytes)
  }
  for await (const found of readRepeatedly(file, { deps: options, read })) catalogue = found
  if (!catalogue) throw new Error('A catalogue is read or refused')
  const { entries, problems, version, releasedAt } = catalogue
  tellProblems(options, problems)
  refuseBroken(entries.length, problems.length)
  options.onEvent?.({ kind: 'progress', phase: 'records', done: entries.length })
  const finalCheckpoint = JSON.stringify({ version, releasedAt })
  const load = await takeTurn(
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
 * Replaces all EPSS scores by those of a CSV file. Lines that cannot be read are treated as
 * `syncKev` treats entries, and it throws as that does; nothing has changed then.
 */
export async function syncEpss(options: ListSyncOptions): Promise<EpssSyncReport> {
  const { vulnerabilities, file, takeOver, signal } = options
  const { batches, done, problems, modelVersion, scoredAt } = await readScores(options, file)
  tellProblems(options, problems)
  refuseBroken(done, problems.length)
  const keepsRest = problems.length > 0
  const finalCheckpoint = JSON.stringify({ modelVersion, scoredAt })
  async function* give() {
    yield* batches
  }
  const load = await takeTurn(
    () =>
      vulnerabilities.loadEpss(give(), {
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

/** All of a file, as scores are replaced together: about 40 MB for 350,000. */
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
  for await (const found of readRepeatedly(file, { deps: options, read })) {
    batches.push(found.scores)
    problems = problems.concat(found.problems)
    done += found.scores.length
    modelVersion = found.modelVersion
    scoredAt = found.scoredAt
    options.onEvent?.({ kind: 'progress', phase: 'records', done })
  }
  return { batches, done, problems, modelVersion, scoredAt }
}

/** What is wrong in most places is wrong as a whole. */
function refuseBroken(readable: number, unreadable: number): void {
  if (unreadable <= readable) return
  const reason = `${unreadable} of its ${readable + unreadable} entries cannot be read`
  throw new ServiceError('invalid_body', `Cannot read the document: ${reason}`)
}

function tellProblems({ onEvent, file }: ListSyncOptions, problems: readonly FeedProblem[]): void {
  for (const problem of problems) onEvent?.({ kind: 'problem', source: file.name, ...problem })
}
