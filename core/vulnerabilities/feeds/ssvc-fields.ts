import { EXPLOITATIONS, type SsvcAssessment } from '../records.ts'
import { expectArray, expectObject } from './json-fields.ts'
import { parseTimestamp } from './timestamps.ts'

/**
 * Reads an assessment by the method SSVC, as CISA publishes it and NVD copies it. Undefined if it
 * has no known state of exploitation. Throws a `ServiceError` with code `invalid_input` that names
 * the field.
 */
export function parseSsvcAssessment(value: unknown, source: string): SsvcAssessment | undefined {
  const data = expectObject(value, 'ssvcData')
  const values = new Map<string, string>()
  for (const option of expectArray(data.options, 'options')) {
    for (const [name, choice] of Object.entries(expectObject(option, 'options'))) {
      // `Technical Impact` in CVE records, `technicalImpact` in NVD's.
      values.set(name.toLowerCase().replace(/\s+/g, ''), String(choice).toLowerCase())
    }
  }
  const exploitation = EXPLOITATIONS.find((each) => each === values.get('exploitation'))
  if (!exploitation) return undefined
  const automatable = values.get('automatable')
  const technicalImpact = IMPACTS.find((each) => each === values.get('technicalimpact'))
  const { timestamp } = data
  const assessedAt = typeof timestamp === 'string' ? parseTimestamp(timestamp) : undefined
  return {
    source,
    exploitation,
    ...(assessedAt !== undefined && { assessedAt }),
    ...((automatable === 'yes' || automatable === 'no') && {
      isAutomatable: automatable === 'yes',
    }),
    ...(technicalImpact && { technicalImpact }),
  }
}

/** Returns the latest assessment; the first of those at the same time. */
export function pickLatestSsvc(
  assessments: readonly (SsvcAssessment | undefined)[],
): SsvcAssessment | undefined {
  let latest: SsvcAssessment | undefined
  for (const each of assessments) {
    if (each && (!latest || (each.assessedAt ?? 0) > (latest.assessedAt ?? 0))) latest = each
  }
  return latest
}

const IMPACTS = ['partial', 'total'] as const
