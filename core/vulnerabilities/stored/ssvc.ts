import { EXPLOITATIONS, type SsvcAssessment } from '../records.ts'

/** Source number, time or -1, numbers of exploitation, automation and technical impact. */
export type PackedSsvc = readonly [number, number, number, number, number]

const IMPACTS = [undefined, 'partial', 'total'] as const
const AUTOMATION = [undefined, false, true] as const

/** Packs an assessment. `toNumber` numbers a source. */
export function packSsvc(ssvc: SsvcAssessment, toNumber: (source: string) => number): PackedSsvc {
  const { source, assessedAt = -1, exploitation, isAutomatable, technicalImpact } = ssvc
  return [
    ...([toNumber(source), assessedAt, EXPLOITATIONS.indexOf(exploitation)] as const),
    ...([AUTOMATION.indexOf(isAutomatable), IMPACTS.indexOf(technicalImpact)] as const),
  ]
}

/** Reverses `packSsvc`. */
export function unpackSsvc(
  [source, assessedAt, exploitation, automation, impact]: PackedSsvc,
  toSource: (number: number) => string,
): SsvcAssessment {
  const isAutomatable = AUTOMATION[automation]
  const technicalImpact = IMPACTS[impact]
  return {
    source: toSource(source),
    ...(assessedAt >= 0 && { assessedAt }),
    exploitation: EXPLOITATIONS[exploitation] ?? 'none',
    ...(isAutomatable !== undefined && { isAutomatable }),
    ...(technicalImpact && { technicalImpact }),
  }
}
