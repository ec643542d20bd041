import { Enums, Models } from '@cyclonedx/cyclonedx-library'
import { cleanText } from '../../shared/clean-text.ts'
import type { AffectedPackage } from './to-vulnerability.ts'

type Review = NonNullable<AffectedPackage['review']>

const { AnalysisJustification, AnalysisState } = Enums.Vulnerability

/** Explains why CVEs of a service are only candidates. */
const UNCONFIRMED =
  'Not confirmed: vendor and product match the service by name, but the deployed version and its patch status are unknown.'

/**
 * Creates the analysis of a CVE. CycloneDX has one for all affected components: the least resolved
 * status applies. Undefined if no package is reviewed and no service is affected.
 */
export function toAnalysis(affected: {
  readonly hasServices: boolean
  readonly packages: readonly AffectedPackage[]
}): Models.Vulnerability.Analysis | undefined {
  const { hasServices, packages } = affected
  const reviews = packages.flatMap(({ review }) => review ?? [])
  const isOpen = hasServices || reviews.length < packages.length
  const decisive = STATUSES.flatMap(
    (status) => reviews.find((one) => one.status === status) ?? [],
  )[0]
  if (!hasServices && !decisive) return undefined
  const state = decisive && (decisive.status === 'affected' || !isOpen) ? decisive : undefined
  const detail = [
    ...(hasServices ? [UNCONFIRMED] : []),
    ...packages.flatMap(({ ref, review }) => (review ? [formatDetail(ref, review)] : [])),
  ].join('\n')
  return new Models.Vulnerability.Analysis({
    state: state ? STATES[state.status] : AnalysisState.InTriage,
    ...(state?.justification && { justification: JUSTIFICATIONS[state.justification] }),
    ...(state?.response && {
      response: new Enums.Vulnerability.AnalysisResponseRepository([RESPONSES[state.response]]),
    }),
    detail: cleanText(detail),
  })
}

/** From the least resolved one. */
const STATUSES = ['affected', 'under_investigation', 'fixed', 'not_affected'] as const

const STATES = {
  affected: AnalysisState.Exploitable,
  under_investigation: AnalysisState.InTriage,
  fixed: AnalysisState.Resolved,
  not_affected: AnalysisState.NotAffected,
} as const satisfies Record<Review['status'], unknown>

/** CycloneDX has no equivalent of `vulnerable_code_cannot_be_controlled_by_adversary`. */
const JUSTIFICATIONS = {
  component_not_present: AnalysisJustification.CodeNotPresent,
  vulnerable_code_not_present: AnalysisJustification.CodeNotPresent,
  vulnerable_code_not_in_execute_path: AnalysisJustification.CodeNotReachable,
  vulnerable_code_cannot_be_controlled_by_adversary: undefined,
  inline_mitigations_already_exist: AnalysisJustification.ProtectedByMitigatingControl,
} as const satisfies Record<NonNullable<Review['justification']>, unknown>

const { AnalysisResponse } = Enums.Vulnerability

const RESPONSES = {
  can_not_fix: AnalysisResponse.CanNotFix,
  will_not_fix: AnalysisResponse.WillNotFix,
  update: AnalysisResponse.Update,
  rollback: AnalysisResponse.Rollback,
  workaround_available: AnalysisResponse.WorkaroundAvailable,
} as const satisfies Record<NonNullable<Review['response']>, unknown>

/** Such as `pkg:npm/acme@1.0.0: not_affected, vulnerable_code_not_present. Only tests use it.` */
function formatDetail(ref: string, { status, justification, note }: Review): string {
  const words = justification ? `${status}, ${justification}` : status
  return `${ref}: ${words}${note === '' ? '' : `. ${note}`}`
}
