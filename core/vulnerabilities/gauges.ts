import type { Clock } from '../ports/clock.ts'
import type { Gauge } from '../shared/gauges.ts'
import type { ScheduledSyncs } from './schedule/scheduled-syncs.ts'
import type { VulnerabilityReads, VulnerabilityStatus } from './service.ts'
import { toAgeSeconds } from './to-wire.ts'

/** Reads the metrics of the vulnerability database. */
export async function readVulnerabilityGauges(deps: {
  readonly vulnerabilities: Pick<VulnerabilityReads, 'status'>
  readonly syncs: Pick<ScheduledSyncs, 'status' | 'failures'>
  readonly clock: Clock
}): Promise<readonly Gauge[]> {
  const status = await deps.vulnerabilities.status()
  return [
    {
      name: 'vulnerability_records',
      help: 'CVE records in the vulnerability database, rejected ones included.',
      samples: [{ labels: {}, value: status.records }],
    },
    {
      name: 'vulnerability_rejected_records',
      help: 'Rejected CVE records in the vulnerability database.',
      samples: [{ labels: {}, value: status.rejected }],
    },
    ...toAgeGauges(status, deps.clock()),
    ...(await readSyncGauges(deps.syncs)),
  ]
}

function toAgeGauges({ sources }: VulnerabilityStatus, now: number): readonly Gauge[] {
  const loaded = sources.flatMap(({ name, loadedAt }) =>
    loadedAt === undefined ? [] : [{ labels: { source: name }, loadedAt }],
  )
  return [
    {
      name: 'vulnerability_data_age_seconds',
      help: 'Seconds since a source of the vulnerability database was last loaded, by source.',
      samples: loaded.map(({ labels, loadedAt }) => {
        return { labels, value: toAgeSeconds(loadedAt, now) }
      }),
    },
    {
      name: 'vulnerability_sync_last_success_timestamp_seconds',
      help: 'When a source of the vulnerability database was last loaded, in seconds since the epoch.',
      samples: loaded.map(({ labels, loadedAt }) => ({ labels, value: loadedAt / 1000 })),
    },
  ]
}

/** Returns nothing without scheduled syncs. */
async function readSyncGauges(
  syncs: Pick<ScheduledSyncs, 'status' | 'failures'>,
): Promise<readonly Gauge[]> {
  const status = await syncs.status()
  if (!status) return []
  return [
    {
      name: 'vulnerability_sync_last_attempt_timestamp_seconds',
      help: 'When a scheduled sync of a source last ended, in seconds since the epoch.',
      samples: status.sources.flatMap(({ source, attemptedAt }) =>
        attemptedAt === undefined ? [] : [{ labels: { source }, value: attemptedAt / 1000 }],
      ),
    },
    {
      name: 'vulnerability_sync_failures_total',
      help: 'Scheduled syncs of a source that failed in this process.',
      type: 'counter',
      samples: [...syncs.failures].map(([source, value]) => ({ labels: { source }, value })),
    },
    {
      name: 'vulnerability_sync_running',
      help: 'Whether a server of this database runs a scheduled sync: 1 or 0.',
      samples: [{ labels: {}, value: status.isRunning ? 1 : 0 }],
    },
    {
      name: 'vulnerability_sync_next_timestamp_seconds',
      help: 'When the next scheduled sync starts, in seconds since the epoch.',
      samples: status.nextAt === undefined ? [] : [{ labels: {}, value: status.nextAt / 1000 }],
    },
  ]
}
