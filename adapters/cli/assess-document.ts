import type {
  EvaluatedApi,
  EvaluatedHost,
  PolicyEvaluation,
  PolicyViolation,
  StatementEvidence,
} from '../../core/assessments/index.ts'
import type { AssessedSubject } from './assess-subject.ts'

/** Returns the document of `assess --json`; unknown values are absent. */
export function toAssessmentDocument({ kind, name, apis, hosts }: AssessedSubject) {
  return {
    subject: { kind, name },
    apis: apis.map(toAssessedApiJson),
    hosts: hosts.map(toAssessedHostJson),
  }
}

/** Returns the document of `assess --policy --json`; unknown values are absent. */
export function toVerdictDocument(
  { violations, idle }: PolicyEvaluation,
  { kind, name, apis, hosts, packageCheck: { used, cveRecords } }: AssessedSubject,
) {
  return {
    subject: { kind, name },
    passed: violations.every(({ severity }) => severity !== 'fail'),
    apis: apis.length,
    hosts: hosts.length,
    packages: cveRecords === 0 ? 0 : used,
    violations: violations.map(toViolationJson),
    idle_exceptions: idle.map(({ exception, why }) => ({ why, ...exception })),
  }
}

function toAssessedApiJson({ facts: { api }, statements, uses }: EvaluatedApi) {
  return {
    api_id: api.encryptedId,
    api_name: api.name,
    api_version: api.version,
    vendor_name: api.vendor.name,
    statements: statements.map(({ rule, category, classification, statement, evidence }) => ({
      rule,
      category,
      classification,
      statement,
      evidence: toEvidenceJson(evidence),
    })),
    uses: uses.map(toUsageJson),
  }
}

function toAssessedHostJson({ host, vendorName, uses }: EvaluatedHost) {
  return {
    host,
    ...(vendorName === undefined ? {} : { vendor_name: vendorName }),
    uses: uses.map(toUsageJson),
  }
}

function toUsageJson({ url, method, approval, places }: EvaluatedHost['uses'][number]) {
  return { url, ...(method ? { method } : {}), approval, places }
}

function toViolationJson(violation: PolicyViolation) {
  const { severity, condition, api, vendor, host, use, statement, exception } = violation
  const { package: purl } = violation
  return {
    severity,
    condition,
    ...(api ? { api_id: api.encryptedId, api_name: api.name, api_version: api.version } : {}),
    ...(vendor === '' ? {} : { vendor_name: vendor }),
    ...(host === undefined ? {} : { host }),
    ...(purl === undefined ? {} : { package: purl }),
    ...(use === undefined ? {} : { use }),
    statement,
    evidence: violation.evidence.map(toEvidenceJson),
    places: violation.places,
    ...(exception ? { exception: { until: exception.until, reason: exception.reason } } : {}),
  }
}

function toEvidenceJson({ source, quote, link, at }: StatementEvidence) {
  return { source, quote, link, date: new Date(at).toISOString() }
}
