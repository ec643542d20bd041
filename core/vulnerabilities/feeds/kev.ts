import { ServiceError } from '../../errors.ts'
import { isDay } from '../../shared/dates.ts'
import type { KnownExploited } from '../records.ts'
import { findCveId, isCveId } from './cve-id.ts'
import type { FeedProblem } from './events.ts'
import {
  createFieldError,
  expectObject,
  expectOptionalString,
  expectString,
} from './json-fields.ts'
import { readJsonItems } from './json-items.ts'
import { rejectOtherFeeds } from './other-feeds.ts'
import { parseTimestamp } from './timestamps.ts'

/** CISA's catalogue of known exploited vulnerabilities. */
export interface KevCatalogue {
  readonly entries: readonly KnownExploited[]
  readonly problems: readonly FeedProblem[]
  /** Such as `2026.03.13`; empty if the catalogue has none. */
  readonly version: string
  /** Milliseconds since the epoch. */
  readonly releasedAt: number | undefined
}

/**
 * Reads CISA's catalogue in its JSON form, completely or not at all. A malformed entry is reported
 * as a problem. If a CVE appears twice, the later entry wins. Throws a `ServiceError` with code
 * `invalid_body` if the file is truncated, not JSON or not such a catalogue,
 * `unsupported_media_type` if it is a file of another source.
 *
 * @example
 * ```ts
 * import { readKev } from 'api-discovery/vulnerabilities'
 * import { readFeedFile } from 'api-discovery/feeds'
 *
 * const { version, entries } = await readKev(readFeedFile('known_exploited_vulnerabilities.json'))
 * console.log(version, entries.length)
 * ```
 */
export async function readKev(bytes: AsyncIterable<Uint8Array>): Promise<KevCatalogue> {
  const entries = new Map<string, KnownExploited>()
  const problems: FeedProblem[] = []
  let members: ReadonlyMap<string, unknown> = new Map()
  let hasItems = false
  const checked = rejectOtherFeeds(bytes, 'kev')
  for await (const found of readJsonItems(checked, { names: ['vulnerabilities'] })) {
    members = found.members
    hasItems = found.hasItems
    for (const problem of found.problems) problems.push(problem)
    for (const item of found.items) addKevEntry(item, entries, problems)
  }
  const version = members.get('catalogVersion')
  // The catalogue only grows: an empty one would remove every entry.
  if (!hasItems || entries.size === 0) {
    throw new ServiceError('invalid_body', 'Cannot read the document: it is not a CISA catalogue')
  }
  const released = members.get('dateReleased')
  return {
    entries: [...entries.values()],
    problems,
    version: typeof version === 'string' ? version : '',
    releasedAt: typeof released === 'string' ? parseTimestamp(released) : undefined,
  }
}

function addKevEntry(
  item: unknown,
  entries: Map<string, KnownExploited>,
  problems: FeedProblem[],
): void {
  try {
    const entry = parseKevEntry(item)
    entries.set(entry.id, entry)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ id: findCveId(error.message), message: error.message })
  }
}

function parseKevEntry(item: unknown): KnownExploited {
  let name = 'an entry'
  try {
    const entry = expectObject(item, 'the entry')
    const id = expectString(entry.cveID, 'cveID').trim()
    if (!isCveId(id)) throw createFieldError('cveID', 'a CVE ID')
    name = id
    const addedOn = expectString(entry.dateAdded, 'dateAdded')
    if (!isDay(addedOn)) throw createFieldError('dateAdded', 'a day')
    const dueOn = expectOptionalString(entry.dueDate, 'dueDate')
    if (dueOn !== '' && !isDay(dueOn)) throw createFieldError('dueDate', 'a day')
    return {
      id,
      name: expectOptionalString(entry.vulnerabilityName, 'vulnerabilityName'),
      addedOn,
      dueOn,
      action: expectOptionalString(entry.requiredAction, 'requiredAction'),
      isRansomware: entry.knownRansomwareCampaignUse === 'Known',
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `Cannot read ${name}: ${error.message}`)
  }
}
