import { type InputIssue, ServiceError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Account } from '../shared/account.ts'
import { toBase62 } from '../shared/base62.ts'
import { toSha256Hex } from '../shared/digests.ts'
import { foldName, MAX_NAME_LENGTH } from '../shared/text.ts'
import type { ScanStatus } from './records.ts'
import type { NewScan, ScanStore, StoredBatch } from './store.ts'
import {
  type NetworkDetail,
  type NewEndpoint,
  type NewFlow,
  toEndpointRow,
  toFlowRow,
} from './stored-rows.ts'
import type { Uploads } from './uploads.ts'

/** A scan as a project scanner sends it. */
export interface ProjectSubmission {
  readonly projectName: string
  /** Milliseconds since the epoch; now when undefined. */
  readonly createdAt: number | undefined
  readonly idempotencyKey: string | undefined
  readonly endpoints: AsyncIterable<NewEndpoint>
}

/**
 * A scan as a network scanner sends it: a new one, or with `instanceId` a batch of an existing one.
 */
export interface NetworkSubmission extends Partial<NetworkDetail> {
  readonly instanceId: string | undefined
  /** Number of the batch, assigned by the scanner. */
  readonly batch: number | undefined
  readonly repoId: string | undefined
  readonly networkName: string | undefined
  readonly projectName: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number | undefined
  readonly endedAt: number | undefined
  readonly status: ScanStatus | undefined
  readonly idempotencyKey: string | undefined
  readonly flows: AsyncIterable<NewFlow>
}

/** Stores scans sent by scanners. */
export interface Submissions {
  /** Throws `conflict` if the key was used for different content, `too_large` for too many rows. */
  submitProject(account: Account, submission: ProjectSubmission): Promise<StoredBatch>
  /**
   * Throws `not_found` for an unknown scan, `invalid_input` if required properties of a new scan
   * are missing, and the errors of `submitProject`.
   */
  submitNetwork(account: Account, submission: NetworkSubmission): Promise<StoredBatch>
}

/** Creates the service for submissions. */
export function createSubmissions(deps: {
  readonly store: Pick<ScanStore, 'list'>
  readonly uploads: Uploads
  readonly clock: Clock
  readonly random: Random
}): Submissions {
  const { store, uploads, clock, random } = deps

  async function toNewNetworkScan(account: Account, sent: NetworkSubmission): Promise<NewScan> {
    const { projectName, networkName, startedAt, status } = sent
    const isWhole = projectName && networkName && startedAt !== undefined && status
    if (!isWhole) throw createIncompleteScanError(sent)
    rejectLongName('project_name', projectName)
    rejectLongName('network_name', networkName)
    const detail: NetworkDetail = {
      organization: sent.organization ?? '',
      nicIp: sent.nicIp ?? '',
      nicName: sent.nicName ?? '',
      macAddress: sent.macAddress ?? '',
      sendFrequency: sent.sendFrequency ?? '00:00:00',
    }
    return {
      kind: 'network',
      id: `net_${toBase62(random(16), 22)}`,
      group: sent.repoId ?? (await findRepository(store, { account, projectName, networkName })),
      projectName,
      networkName,
      startedAt,
      endedAt: toEndTime(sent) ?? undefined,
      status,
      detail: JSON.stringify(detail),
    }
  }

  /** Defaults to now for an ended scan; null while the scan runs, also if it was restarted. */
  function toEndTime({ endedAt, status }: NetworkSubmission): number | null | undefined {
    if (endedAt !== undefined || status === undefined) return endedAt
    return status === 'running' ? null : clock()
  }

  /** Lists are ordered by time: a scan from next year would be the newest one for a year. */
  function rejectFutureTime(name: string, at: number | null | undefined): void {
    if ((at ?? 0) <= clock() + DAY_MS) return
    throw createInvalidBodyError([{ in: 'body', name, message: 'must not be in the future' }])
  }

  return {
    async submitProject(account, { endpoints, idempotencyKey, ...head }) {
      rejectLongName('project_name', head.projectName)
      rejectFutureTime('datetime_created', head.createdAt)
      return uploads.store(account, {
        scan: {
          kind: 'project',
          id: `prj_${toBase62(random(16), 22)}`,
          group: foldName(head.projectName) || head.projectName,
          projectName: head.projectName,
          networkName: '',
          startedAt: head.createdAt ?? clock(),
          endedAt: undefined,
          status: 'complete',
          detail: '{}',
        },
        head,
        rows: endpoints,
        toRow: toEndpointRow,
        keys: idempotencyKey ? [`key project ${idempotencyKey}`] : [],
        moreKeys: [],
      })
    },

    async submitNetwork(account, sent) {
      const { flows, idempotencyKey, instanceId, ...head } = sent
      rejectFutureTime('start_time', head.startedAt)
      rejectFutureTime('end_time', head.endedAt)
      rejectEndBeforeStart(sent)
      const key = idempotencyKey ? [`key network ${idempotencyKey}`] : []
      const scan =
        instanceId === undefined
          ? await toNewNetworkScan(account, sent)
          : { kind: 'network' as const, id: instanceId }
      const batch = sent.batch === undefined ? [] : [`batch ${scan.id} ${sent.batch}`]
      const isMore = instanceId !== undefined
      return uploads.store(account, {
        scan,
        head,
        rows: flows,
        toRow: toFlowRow,
        keys: isMore ? [...key, ...batch] : key,
        moreKeys: isMore ? [] : batch,
        ...(isMore ? { status: sent.status, endedAt: toEndTime(sent) } : {}),
      })
    },
  }
}

/** Tolerated clock difference of a scanner. */
const DAY_MS = 86_400_000

/**
 * Returns the repository of the account's newest scan of that project and network. Without one,
 * derives it from the names, so that concurrent first scans share a repository.
 */
async function findRepository(
  store: Pick<ScanStore, 'list'>,
  names: {
    readonly account: Account
    readonly projectName: string
    readonly networkName: string
  },
): Promise<string> {
  const { account } = names
  const projectName = foldName(names.projectName)
  const networkName = foldName(names.networkName)
  const [newest] = await store.list(account, {
    filter: { kind: 'network', projectName, networkName },
    after: undefined,
    limit: 1,
  })
  if (newest) return newest.group
  const identity = JSON.stringify([account.id, projectName, networkName])
  return `rep_${(await toSha256Hex(identity)).slice(0, 22)}`
}

/** Checks single messages only: a clock may be corrected between the batches of a scan. */
function rejectEndBeforeStart({ startedAt, endedAt }: NetworkSubmission): void {
  if (startedAt === undefined || endedAt === undefined || endedAt >= startedAt) return
  throw createInvalidBodyError([
    { in: 'body', name: 'end_time', message: 'must not be before start_time' },
  ])
}

/** Folding may lengthen a name, and every storage must be able to index it. */
function rejectLongName(name: string, text: string): void {
  if (foldName(text).length <= MAX_NAME_LENGTH) return
  throw createInvalidBodyError([{ in: 'body', name, message: 'is too long' }])
}

function createIncompleteScanError(sent: NetworkSubmission): ServiceError {
  const needed = {
    network_name: sent.networkName,
    project_name: sent.projectName,
    start_time: sent.startedAt,
    scan_status: sent.status,
  }
  return createInvalidBodyError(
    Object.entries(needed).flatMap(([name, value]) =>
      value === undefined ? [{ in: 'body' as const, name, message: 'is required' }] : [],
    ),
  )
}

function createInvalidBodyError(issues: readonly InputIssue[]): ServiceError {
  const detail = issues.map(({ name, message }) => `${name} ${message}`).join('; ')
  return new ServiceError('invalid_input', detail, { issues })
}
