import { ServiceError } from '../http/problems.ts'
import type { Account } from '../shared/account.ts'
import { createPause } from '../shared/slices.ts'
import { toCapturedFlow } from './kept.ts'
import type { KeptRow, NewReview, ScanStore } from './store.ts'

/** Subjects that the hosts of one review may stand for; named twice they count twice. */
const MAX_SUBJECTS = 10_000

/**
 * Puts in place of a host, as `api.example.com` or `https://api.example.com`, what flows of a
 * network scan were seen of it: its name alone, its addresses of URLs. What names no host of the
 * scan stays as it is. Reads the scan once where a host is named. Throws a `ServiceError` with code
 * `too_large` past 10,000 subjects.
 */
export async function resolveHosts(
  store: Pick<ScanStore, 'listRows'>,
  request: {
    readonly account: Account
    /** Number of the scan. */
    readonly scan: number
    readonly rows: NewReview['rows']
  },
): Promise<NewReview['rows']> {
  const { account, scan, rows } = request
  const subjectsOf = new Map<string, Set<string>>()
  for (const { subject } of rows) {
    const host = toHostName(subject)
    if (host !== undefined) subjectsOf.set(host, new Set())
  }
  if (subjectsOf.size === 0) return rows
  const pause = createPause()
  let found = 0
  for await (const page of store.listRows(account, { scan, order: 'scan' })) {
    for (const row of page) {
      const subjects = subjectsOf.get(toHostOf(row))
      if (!subjects || subjects.has(row.subject)) continue
      subjects.add(row.subject)
      found += 1
      if (found > MAX_SUBJECTS) throw tooMany()
    }
    await pause()
  }
  const resolved: NewReview['rows'][number][] = []
  for (const row of rows) {
    const subjects = subjectsOf.get(toHostName(row.subject) ?? '') ?? []
    const named = [...subjects].map((subject) => ({ ...row, subject }))
    resolved.push(...(named.length === 0 ? [row] : named))
    // A host may be named again and again, for other methods or in other letters.
    if (resolved.length > MAX_SUBJECTS) throw tooMany()
  }
  return resolved
}

/** The host, lower case, that a subject names without a path; undefined where it names more. */
function toHostName(subject: string): string | undefined {
  return /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^/?#@\s[\]]+)\/?$/i
    .exec(subject)?.[1]
    ?.replace(/^\[|\]$/g, '')
    .toLowerCase()
}

function toHostOf(row: KeptRow): string {
  const { url, host, ip } = toCapturedFlow(row)
  if (host !== '' || url === '') return (host || ip).toLowerCase()
  return toHostName(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? '') ?? ''
}

function tooMany(): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot store the review: its hosts were called at more than ${MAX_SUBJECTS} URLs; name URLs`,
  )
}
