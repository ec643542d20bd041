import { evaluateApiWord, type PolicyFault } from './api-words.ts'
import { applyExceptions } from './apply-exceptions.ts'
import type {
  EvaluatedApi,
  EvaluatedHost,
  EvaluatedUsage,
  Policy,
  PolicyEvaluation,
  PolicySeverity,
  PolicySubject,
  PolicyViolation,
  PolicyWord,
} from './policy.ts'
import { evaluateHostWord, evaluateUsageWord } from './usage-words.ts'

/**
 * Evaluates a policy for a subject. Pure: the verdict depends only on facts, policy and time. The
 * policy passes if no violation has the severity `fail`. `POLICY_WORDS` describes how each word
 * treats unknown facts.
 */
export function evaluatePolicy(policy: Policy, subject: PolicySubject): PolicyEvaluation {
  const words = [
    ...policy.deny.map((word) => ({ word, severity: 'fail' as const })),
    ...policy.warn.map((word) => ({ word, severity: 'warn' as const })),
  ]
  const found = words.flatMap((asked) => [
    ...subject.apis.flatMap((api) => findApiViolations(api, { ...asked, policy })),
    ...subject.hosts.flatMap((host) => findHostViolations(host, { ...asked, policy })),
  ])
  const { exceptions } = policy
  const { violations, idle } = applyExceptions(found, { exceptions, now: subject.now })
  const order: readonly PolicySeverity[] = ['fail', 'warn', 'excepted']
  return {
    violations: violations.toSorted(
      (a, b) => order.indexOf(a.severity) - order.indexOf(b.severity),
    ),
    idle,
  }
}

/** A word to be evaluated. */
interface SeverityInput {
  readonly word: PolicyWord
  readonly severity: PolicySeverity
  readonly policy: Policy
}

type ViolationSubject = Pick<PolicyViolation, 'api' | 'vendor'>

function findApiViolations(judged: EvaluatedApi, asked: SeverityInput): readonly PolicyViolation[] {
  const { id, encryptedId, name, version, vendor } = judged.facts.api
  const where = { api: { id, encryptedId, name, version }, vendor: vendor.name }
  const places = judged.uses.flatMap((use) => use.places)
  return [
    ...evaluateApiWord({ api: judged, word: asked.word, policy: asked.policy }).map((fault) =>
      toViolation(fault, { ...asked, ...where, host: undefined, use: undefined, places }),
    ),
    ...findUsageViolations(judged.uses, { ...asked, ...where }),
  ]
}

function findHostViolations(
  judged: EvaluatedHost,
  asked: SeverityInput,
): readonly PolicyViolation[] {
  const { host, vendorName, uses } = judged
  const where = { api: undefined, vendor: vendorName ?? '' }
  const fault = evaluateHostWord(judged, asked)
  const places = uses.flatMap((use) => use.places)
  return [
    ...(fault ? [toViolation(fault, { ...asked, ...where, host, use: undefined, places })] : []),
    ...findUsageViolations(uses, { ...asked, ...where }),
  ]
}

function findUsageViolations(
  uses: readonly EvaluatedUsage[],
  asked: SeverityInput & ViolationSubject,
): readonly PolicyViolation[] {
  return uses.flatMap((use) => {
    const fault = evaluateUsageWord(use, asked.word)
    const { host, places } = use
    return fault ? [toViolation(fault, { ...asked, host, use: formatUsage(use), places })] : []
  })
}

function toViolation(
  { statement, evidence }: PolicyFault,
  about: SeverityInput & ViolationSubject & Pick<PolicyViolation, 'host' | 'use' | 'places'>,
): PolicyViolation {
  const { word, severity, api, vendor, host, use, places } = about
  return {
    word: word.text,
    severity,
    api,
    vendor,
    host,
    use,
    statement,
    evidence,
    places,
    exception: undefined,
  }
}

function formatUsage({ method, url }: EvaluatedUsage): string {
  return method ? `${method.toUpperCase()} ${url}` : url
}
