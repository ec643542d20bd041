import { ClientError, createClient } from '../../core/client.ts'
import { type Finding, toScanSubmission, type UseDecision } from '../../core/scans/index.ts'
import { CommandError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { KEY_VARIABLE, type SubmitTarget } from './scan-options.ts'

/** What a service stored of a scan. */
export interface SubmittedScan {
  readonly projectId: string
  readonly endpoints: number
  readonly matched: number
  /** Where it can be read: a sentence. */
  readonly advice: string
}

/** Sends what a scan found to a service. Throws a `CommandError` when it does not take it. */
export async function submitScan(
  target: SubmitTarget,
  scan: { readonly name: string; readonly findings: readonly Finding[] },
): Promise<SubmittedScan> {
  const { head, rows, idempotencyKey } = await toScanSubmission(scan.name, scan.findings)
  const client = createClient(target)
  const { origin } = new URL(target.baseUrl)
  try {
    const stored = await client.submitProjectScan({
      head,
      rows: rows.map((row) => ({ ...row, found_in: [...row.found_in] })),
      'idempotency-key': idempotencyKey,
    })
    const query = new URLSearchParams({ project_id: stored.project_id })
    return {
      projectId: stored.project_id,
      endpoints: stored.endpoints,
      matched: stored.matched,
      advice: toReadAdvice(target, {
        page: stored.console_url,
        operation: `/scanned/projects?${query}`,
      }),
    }
  } catch (error) {
    throw new CommandError(
      toPrintable(`Cannot submit the scan to ${origin}: ${toRefusal(error, target)}`),
    )
  }
}

/**
 * Says where a stored scan can be read: on its page, else by the operation that lists it. The page is
 * a URL, or a path on the host of the service.
 */
export function toReadAdvice(
  { baseUrl }: Pick<SubmitTarget, 'baseUrl'>,
  { page, operation }: { readonly page: string | undefined; readonly operation: string },
): string {
  const url = page === undefined ? undefined : URL.parse(page, baseUrl)
  if (url && /^https?:$/.test(url.protocol)) return `Open ${url.href}`
  return `Read it from the API: GET ${baseUrl}${operation}`
}

/**
 * What was decided in the service on the newest scan of a project of that name; nothing where the
 * key does not permit it, which is told. What else goes wrong is left to `submitScan` to tell.
 */
export async function readRemoteDecisions(
  io: Io,
  { target, name }: { readonly target: SubmitTarget; readonly name: string },
): Promise<readonly UseDecision[]> {
  try {
    const found = await createClient(target).listScannedProjects({ name, num_projects: 1 })
    const [newest] = Array.isArray(found) ? found : [found]
    return (newest?.scan_details ?? []).flatMap(
      ({ endpoint_url: url, endpoint_method: method, approval, reason = '' }) =>
        approval === 'yes' || approval === 'no' ? [{ url, method, approval, reason }] : [],
    )
  } catch (error) {
    if (error instanceof ClientError && error.status === 403) {
      io.note('Reviews of the service are not counted: the key lacks the scope "read".')
    }
    return []
  }
}

/** Why a service did not take a scan, for the one who sent it. */
export function toRefusal(error: unknown, { baseUrl }: Pick<SubmitTarget, 'baseUrl'>): string {
  if (!(error instanceof ClientError)) return 'the service cannot be reached'
  if (error.status === 401) return `it does not accept the key of ${KEY_VARIABLE}`
  if (error.status === 403) return 'the key lacks the scope "ingest"'
  // A server that is none of ours says nothing that may be shown.
  const below = ` below ${new URL(baseUrl).pathname}`
  if (!error.problem) return `it answered ${error.status}${below}`
  return `${error.message} (${error.status}${error.status === 404 ? below : ''})`
}
