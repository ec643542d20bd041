import { ServiceError } from '../../http/problems.ts'
import { isDay } from '../../shared/dates.ts'
import type { KnownExploited } from '../records.ts'
import { findCveId, isCveId } from './cve-id.ts'
import type { FeedProblem } from './events.ts'
import { toFields, toOptionalText, toText, wrongField } from './fields.ts'
import { readJsonItems } from './json-items.ts'
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
 * `invalid_body` if the file is truncated, not JSON or not such a catalogue.
 */
export async function readKev(bytes: AsyncIterable<Uint8Array>): Promise<KevCatalogue> {
  const entries = new Map<string, KnownExploited>()
  const problems: FeedProblem[] = []
  let members: ReadonlyMap<string, unknown> = new Map()
  let hasItems = false
  for await (const found of readJsonItems(bytes, { names: ['vulnerabilities'] })) {
    members = found.members
    hasItems = found.hasItems
    for (const problem of found.problems) problems.push(problem)
    for (const item of found.items) addEntry(item, entries, problems)
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

function addEntry(
  item: unknown,
  entries: Map<string, KnownExploited>,
  problems: FeedProblem[],
): void {
  try {
    const entry = toEntry(item)
    entries.set(entry.id, entry)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    problems.push({ id: findCveId(error.message), message: error.message })
  }
}

function toEntry(item: unknown): KnownExploited {
  let name = 'an entry'
  try {
    const entry = toFields(item, 'the entry')
    const id = toText(entry.cveID, 'cveID').trim()
    if (!isCveId(id)) throw wrongField('cveID', 'a CVE id')
    name = id
    const addedOn = toText(entry.dateAdded, 'dateAdded')
    if (!isDay(addedOn)) throw wrongField('dateAdded', 'a day')
    const dueOn = toOptionalText(entry.dueDate, 'dueDate')
    if (dueOn !== '' && !isDay(dueOn)) throw wrongField('dueDate', 'a day')
    return {
      id,
      name: toOptionalText(entry.vulnerabilityName, 'vulnerabilityName'),
      addedOn,
      dueOn,
      action: toOptionalText(entry.requiredAction, 'requiredAction'),
      isRansomware: entry.knownRansomwareCampaignUse === 'Known',
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError(error.code, `Cannot read ${name}: ${error.message}`)
  }
}
