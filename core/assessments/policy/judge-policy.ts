import { type Fault, judgeApi } from './api-words.ts'
import { applyExceptions } from './exceptions.ts'
import type {
  JudgedApi,
  JudgedHost,
  JudgedUse,
  Policy,
  PolicySeverity,
  PolicySubject,
  PolicyVerdict,
  PolicyViolation,
  PolicyWord,
} from './policy.ts'
import { judgeHost, judgeUse } from './use-words.ts'

/**
 * Evaluates a policy for a subject. Pure: the verdict depends only on facts, policy and time. The
 * policy passes if no violation has the severity `fail`. `POLICY_WORDS` describes how each word
 * treats unknown facts.
 */
export function judgePolicy(policy: Policy, subject: PolicySubject): PolicyVerdict {
  const words = [
    ...policy.deny.map((word) => ({ word, severity: 'fail' as const })),
    ...policy.warn.map((word) => ({ word, severity: 'warn' as const })),
  ]
  const found = words.flatMap((asked) => [
    ...subject.apis.flatMap((api) => ofApi(api, { ...asked, policy })),
    ...subject.hosts.flatMap((host) => ofHost(host, { ...asked, policy })),
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
interface Asked {
  readonly word: PolicyWord
  readonly severity: PolicySeverity
  readonly policy: Policy
}

type Where = Pick<PolicyViolation, 'api' | 'vendor'>

function ofApi(judged: JudgedApi, asked: Asked): readonly PolicyViolation[] {
  const { id, encryptedId, name, version, vendor } = judged.facts.api
  const where = { api: { id, encryptedId, name, version }, vendor: vendor.name }
  const places = judged.uses.flatMap((use) => use.places)
  return [
    ...judgeApi({ api: judged, word: asked.word, policy: asked.policy }).map((fault) =>
      toViolation(fault, { ...asked, ...where, host: undefined, use: undefined, places }),
    ),
    ...ofUses(judged.uses, { ...asked, ...where }),
  ]
}

function ofHost(judged: JudgedHost, asked: Asked): readonly PolicyViolation[] {
  const { host, vendorName, uses } = judged
  const where = { api: undefined, vendor: vendorName ?? '' }
  const fault = judgeHost(judged, asked)
  const places = uses.flatMap((use) => use.places)
  return [
    ...(fault ? [toViolation(fault, { ...asked, ...where, host, use: undefined, places })] : []),
    ...ofUses(uses, { ...asked, ...where }),
  ]
}

function ofUses(uses: readonly JudgedUse[], asked: Asked & Where): readonly PolicyViolation[] {
  return uses.flatMap((use) => {
    const fault = judgeUse(use, asked.word)
    const { host, places } = use
    return fault ? [toViolation(fault, { ...asked, host, use: toName(use), places })] : []
  })
}

function toViolation(
  { statement, evidence }: Fault,
  about: Asked & Where & Pick<PolicyViolation, 'host' | 'use' | 'places'>,
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

function toName({ method, url }: JudgedUse): string {
  return method ? `${method.toUpperCase()} ${url}` : url
}
