import type { Clock } from '../ports.ts'
import type { Gauge } from '../shared/gauges.ts'
import type { VulnerabilityReads } from './service.ts'
import { toAgeSeconds } from './to-wire.ts'

/** Reads the metrics of the vulnerability database. */
export async function readVulnerabilityGauges(deps: {
  readonly vulnerabilities: Pick<VulnerabilityReads, 'status'>
  readonly clock: Clock
}): Promise<readonly Gauge[]> {
  const { records, rejected, sources } = await deps.vulnerabilities.status()
  const now = deps.clock()
  return [
    {
      name: 'vulnerability_records',
      help: 'CVE records in the vulnerability database, rejected ones included.',
      samples: [{ labels: {}, value: records }],
    },
    {
      name: 'vulnerability_rejected_records',
      help: 'Rejected CVE records in the vulnerability database.',
      samples: [{ labels: {}, value: rejected }],
    },
    {
      name: 'vulnerability_data_age_seconds',
      help: 'Seconds since a source of the vulnerability database was last loaded, by source.',
      samples: sources.flatMap(({ name, loadedAt }) =>
        loadedAt === undefined
          ? []
          : [{ labels: { source: name }, value: toAgeSeconds(loadedAt, now) }],
      ),
    },
  ]
}
