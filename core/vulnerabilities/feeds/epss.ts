import { ServiceError } from '../../errors.ts'
import type { EpssScore } from '../records.ts'
import { isCveId } from './cve-id.ts'
import type { FeedProblem } from './events.ts'
import { rejectOtherFeeds } from './other-feeds.ts'
import { parseTimestamp } from './timestamps.ts'

/** A batch of an EPSS file, in file order. */
export interface EpssEvent {
  readonly scores: readonly EpssScore[]
  readonly problems: readonly FeedProblem[]
  /** Such as `v2025.03.14`; undefined if the file has none. */
  readonly modelVersion: string | undefined
  /** Day of the scores, in milliseconds since the epoch; undefined if the file has none. */
  readonly scoredAt: number | undefined
}

/**
 * Reads EPSS scores from CSV; yields a batch per few thousand lines. Supports the format of
 * FIRST.org (a line with model and date, a header, commas), and `CVE;score;percentile` without
 * either. A malformed line is reported as a problem with its number.
 *
 * Throws a `ServiceError` with code `invalid_body` for a file without any score,
 * `unsupported_media_type` for a file of another source.
 *
 * @example
 * ```ts
 * import { readEpss } from 'api-discovery/vulnerabilities'
 * import { readFeedFile } from 'api-discovery/feeds'
 *
 * for await (const { scores } of readEpss(readFeedFile('epss_scores-current.csv.gz'))) {
 *   for (const { id, score } of scores) if (score > 0.9) console.log(id, score)
 * }
 * ```
 */
export async function* readEpss(bytes: AsyncIterable<Uint8Array>): AsyncIterable<EpssEvent> {
  let about: Pick<EpssEvent, 'modelVersion' | 'scoredAt'> = {
    modelVersion: undefined,
    scoredAt: undefined,
  }
  let hasScores = false
  for await (const lines of readLines(rejectOtherFeeds(bytes, 'epss'), MAX_LINE_LENGTH)) {
    const scores: EpssScore[] = []
    const problems: FeedProblem[] = []
    for (const line of lines) {
      if (line.text?.startsWith('#')) about = readComment(line.text)
      else if (!isHeading(line)) {
        const score = readScore(line.text)
        if (typeof score === 'object') scores.push(score)
        else problems.push({ message: `Cannot read line ${line.number}: ${score}` })
      }
    }
    hasScores ||= scores.length > 0
    yield { scores, problems, ...about }
  }
  if (!hasScores) {
    throw new ServiceError('invalid_body', 'Cannot read the document: it contains no EPSS scores')
  }
}

const MAX_LINE_LENGTH = 1000
const NUMBER = /^(?:\d(?:\.\d{1,20})?|\.\d{1,20})(?:e-\d{1,2})?$/i

/** True for the header, and for an empty line. */
function isHeading(line: Line): boolean {
  return line.text === '' || (line.number <= 2 && /^cve[,;]/i.test(line.text ?? ''))
}

/** Parses `#model_version:v2025.03.14,score_date:2026-03-13T00:00:00+0000`. */
function readComment(text: string): Pick<EpssEvent, 'modelVersion' | 'scoredAt'> {
  const day = /score_date:(\d{4}-\d\d-\d\d)/.exec(text)?.[1]
  return {
    modelVersion: /model_version:([\w.-]{1,40})/.exec(text)?.[1],
    scoredAt: day === undefined ? undefined : parseTimestamp(`${day}T00:00`),
  }
}

/** Parses the score of a line; returns a string with the reason if it is invalid. */
function readScore(line: string | undefined): EpssScore | string {
  if (line === undefined) return `it is longer than ${MAX_LINE_LENGTH} characters`
  const comma = line.indexOf(',')
  const separator = comma < 0 ? ';' : ','
  const first = comma < 0 ? line.indexOf(';') : comma
  const second = line.indexOf(separator, first + 1)
  const id = line.slice(0, Math.max(first, 0)).trim()
  if (!isCveId(id)) return 'it must begin with a CVE ID'
  const score = toShare(line.slice(first + 1, second < 0 ? undefined : second))
  if (score === undefined) return 'the score must be a number from 0 to 1'
  const percentile = second < 0 ? undefined : toShare(line.slice(second + 1))
  if (percentile === undefined) return 'the percentile must be a number from 0 to 1'
  return { id, score, percentile }
}

function toShare(text: string): number | undefined {
  const number = NUMBER.test(text.trim()) ? Number(text) : 2
  return number <= 1 ? number : undefined
}

/** A line of text. */
interface Line {
  /** Starts at 1. */
  readonly number: number
  /** Without its line break; undefined if it is too long. */
  readonly text: string | undefined
}

/**
 * Splits UTF-8 text into lines, one batch per chunk. Chunks may be split anywhere. Memory is
 * bounded by the chunk size; a line longer than `maxLength` characters is discarded.
 */
async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncIterable<readonly Line[]> {
  const decoder = new TextDecoder()
  let number = 0
  let rest = ''
  const toLine = (text: string): Line => {
    number += 1
    if (text.length > maxLength) return { number, text: undefined }
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) {
      const text = rest + decoder.decode(chunk.subarray(at, at + MAX_CHUNK_BYTES), { stream: true })
      const lines: Line[] = []
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        lines.push(toLine(text.slice(start, end)))
        start = end + 1
      }
      // Slightly more than the limit suffices to detect a line that is too long.
      rest = text.slice(start, start + maxLength + 2)
      if (lines.length > 0) yield lines
    }
  }
  rest += decoder.decode()
  if (rest !== '') yield [toLine(rest)]
}

const MAX_CHUNK_BYTES = 256 * 1024
