import { ServiceError } from '../errors.ts'
import type { Account } from '../shared/account.ts'
import { createYieldIfDue } from '../shared/time-slices.ts'
import type { NewReview } from './records.ts'
import type { ScanStore, StoredRow, StoredScan } from './store.ts'
import { toCapturedFlow } from './stored-rows.ts'

/** Maximum number of subjects that the hosts of one review resolve to, duplicates included. */
const MAX_SUBJECTS = 10_000

/**
 * Replaces hosts (`api.example.com` or `https://api.example.com`) in a review by the subjects of
 * their rows: URLs and host names. Rows that name no host of the scan stay unchanged. In a project, so
 * do rows with a method and rows with the whole URL of an endpoint. Reads the scan once if a row
 * names a host. Throws a `ServiceError` with code `too_large` past 10,000 subjects.
 */
export async function resolveHostSubjects(
  store: Pick<ScanStore, 'listRows'>,
  request: {
    readonly account: Account
    readonly scan: Pick<StoredScan, 'kind' | 'number'>
    readonly rows: NewReview['rows']
  },
): Promise<NewReview['rows']> {
  const { account, scan, rows } = request
  const subjectsOf = new Map<string, Set<string>>()
  const isProject = scan.kind === 'project'
  for (const { subject, method } of rows) {
    const host = parseHostSubject(subject)
    if (host === undefined || (isProject && method !== undefined)) continue
    subjectsOf.set(host, new Set())
  }
  if (subjectsOf.size === 0) return rows
  const pause = createYieldIfDue()
  let found = 0
  for await (const page of store.listRows(account, { scan: scan.number, order: 'scan' })) {
    for (const row of page) {
      const subjects = subjectsOf.get(isProject ? getUrlHost(row.subject) : getFlowHost(row))
      if (!subjects || subjects.has(row.subject)) continue
      subjects.add(row.subject)
      found += 1
      if (found > MAX_SUBJECTS) throw createTooManySubjectsError()
    }
    await pause()
  }
  const resolved: NewReview['rows'][number][] = []
  for (const row of rows) {
    const subjects = subjectsOf.get(parseHostSubject(row.subject) ?? '') ?? new Set()
    const isUrl = row.subject.includes('://') && subjects.has(row.subject)
    const isEndpoint = isProject && (row.method !== undefined || isUrl)
    const named = isEndpoint ? [] : [...subjects].map((subject) => ({ ...row, subject }))
    resolved.push(...(named.length === 0 ? [row] : named))
    // A host may occur repeatedly: for other methods, or in other letter case.
    if (resolved.length > MAX_SUBJECTS) throw createTooManySubjectsError()
  }
  return resolved
}

/**
 * Returns the lower-case host of a subject without a path; undefined if the subject has more parts.
 */
function parseHostSubject(subject: string): string | undefined {
  return /^(?:https?:\/\/)?(\[[0-9a-f:.]+\]|[^/?#@\s[\]]+)\/?$/i
    .exec(subject)?.[1]
    ?.replace(/^\[|\]$/g, '')
    .toLowerCase()
}

function getFlowHost(row: StoredRow): string {
  const { url, host, ip } = toCapturedFlow(row)
  if (host !== '' || url === '') return (host || ip).toLowerCase()
  return getUrlHost(url)
}

/** Returns the host of a URL with or without a scheme; empty if it has none. */
function getUrlHost(url: string): string {
  return parseHostSubject(/^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*/i.exec(url)?.[0] ?? '') ?? ''
}

function createTooManySubjectsError(): ServiceError {
  return new ServiceError(
    'too_large',
    `Cannot store the review: its hosts have more than ${MAX_SUBJECTS} URLs. Review single URLs instead`,
  )
}
