import { ClientError, createClient } from '../../core/client.ts'
import { type Finding, toScanSubmission, type UsageDecision } from '../../core/scans/index.ts'
import { CommandError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'
import { API_KEY_VARIABLE, type SubmitTarget } from './scan-options.ts'

/** A project scan stored by a service. */
export interface SubmittedScan {
  readonly projectId: string
  readonly endpoints: number
  readonly matched: number
  /** A sentence about where to read the scan. */
  readonly advice: string
}

/** Submits findings to a service. Throws a `CommandError` if it rejects them or is unreachable. */
export async function submitScan(
  target: SubmitTarget,
  scan: { readonly name: string; readonly findings: readonly Finding[] },
): Promise<SubmittedScan> {
  const { head, rows, idempotencyKey } = await toScanSubmission(scan.name, scan.findings)
  const client = createClient(target)
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
      advice: adviseReading(target, {
        page: stored.console_url,
        operation: `/scanned/projects?${query}`,
      }),
    }
  } catch (error) {
    throw toSubmitError(error, target)
  }
}

function toSubmitError(error: unknown, target: SubmitTarget): CommandError {
  const { origin } = new URL(target.baseUrl)
  return new CommandError(
    toPrintable(`Cannot submit the scan to ${origin}: ${describeSubmitFailure(error, target)}`),
  )
}

/**
 * Explains where to read a stored scan: on its page, else with an API operation. The page is a URL,
 * or a path on the host of the service.
 */
export function adviseReading(
  { baseUrl }: Pick<SubmitTarget, 'baseUrl'>,
  { page, operation }: { readonly page: string | undefined; readonly operation: string },
): string {
  const url = page === undefined ? undefined : URL.parse(page, baseUrl)
  if (url && /^https?:$/.test(url.protocol)) return `Open ${url.href}`
  return `Read it from the API: GET ${baseUrl}${operation}`
}

/**
 * Reads the service's review decisions on the newest scan of a project. If the key does not permit
 * it, prints a note and returns none. Throws a `CommandError` if the service rejects the key. Other
 * failures return none: `submitScan` reports them.
 */
export async function readRemoteDecisions(
  io: Io,
  { target, name }: { readonly target: SubmitTarget; readonly name: string },
): Promise<readonly UsageDecision[]> {
  try {
    const found = await createClient(target).listScannedProjects({ name, num_projects: 1 })
    const [newest] = Array.isArray(found) ? found : [found]
    return (newest?.scan_details ?? []).flatMap(
      ({ endpoint_url: url, endpoint_method: method, approval, reason = '' }) =>
        approval === 'yes' || approval === 'no' ? [{ url, method, approval, reason }] : [],
    )
  } catch (error) {
    if (!(error instanceof ClientError)) return []
    if (error.status === 401) throw toSubmitError(error, target)
    if (error.status === 403) {
      io.note('Reviews of the service are ignored: the key lacks the scope "read".')
    }
    return []
  }
}

/** Explains why a service did not accept a scan. */
export function describeSubmitFailure(
  error: unknown,
  { baseUrl }: Pick<SubmitTarget, 'baseUrl'>,
): string {
  if (!(error instanceof ClientError)) return 'the service is not reachable'
  if (error.status === 401) {
    return `it does not accept the key of ${API_KEY_VARIABLE}. Create one there: api-discovery keys create --account NAME --scopes read,ingest`
  }
  if (error.status === 403) return 'the key lacks the scope "ingest"'
  // Without a problem document it is another kind of server: do not print its response.
  const below = ` below ${new URL(baseUrl).pathname}`
  if (!error.problem) return `it responded with ${error.status}${below}`
  return `${error.message} (${error.status}${error.status === 404 ? below : ''})`
}
