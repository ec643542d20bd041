import { formatCount } from '../../shared/text.ts'
import type { Probe, TestResult } from '../records.ts'
import { computeTopRate } from './describe-verdict.ts'
import { toSentAt } from './find-limit.ts'

/**
 * Describes the requests of a run (Specification 2.15, `test_case`):
 * `57 requests in 12.4 s, at most 5 requests per second; 54 at a rising, then steady rate, …`.
 */
export function describeTest(result: TestResult): string {
  const { evidence } = result
  const { records } = evidence
  const sent = records.map(toSentAt)
  const seconds =
    (Math.max(0, ...records.map(({ at, ms }) => at + ms)) - Math.min(0, ...sent)) / 1000
  const stages = STAGES.flatMap(([stage, what]) => {
    const count = records.filter((record) => record.stage === stage).length
    return count === 0 ? [] : [`${count} ${what}`]
  })
  const total = Math.max(evidence.sent, records.length)
  const most = formatCount(computeTopRate(evidence), 'request')
  const head = `${formatCount(total, 'request')} in ${seconds.toFixed(1)} s, at most ${most} per second`
  return stages.length === 0 ? head : `${head}; ${stages.join(', ')}`
}

const STAGES: readonly (readonly [Probe['stage'], string])[] = [
  ['ramp', 'at a rising, then steady rate'],
  ['recovery', 'to observe recovery'],
  ['payload', 'with larger bodies'],
  ['page', 'with larger page sizes'],
]
