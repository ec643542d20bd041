import { toOtherHosts } from '../../core/code-scanner/find/group-findings.ts'
import type { Finding, ProjectFindings } from '../../core/code-scanner/model/finding.ts'
import { hostOf } from '../../core/code-scanner/noise/url-hosts.ts'
import { toEndpointUrl } from '../../core/matching/endpoint-url.ts'

/** Builds a finding of a call with the members of a test. */
export function toFinding(url: string, more: Partial<Finding> = {}): Finding {
  const host = hostOf(url) ?? ''
  return {
    file: 'src/a.ts',
    line: 1,
    column: 1,
    url,
    endpointUrl: toEndpointUrl(url),
    method: 'get',
    via: 'call',
    confidence: 0.95,
    package: undefined,
    host,
    domain: host.split('.').slice(-2).join('.'),
    endpointId: undefined,
    apiId: undefined,
    apiName: undefined,
    vendorName: undefined,
    ...more,
  }
}

/** Builds the findings of a scan, including hosts without a single API. */
export function toFindings(findings: readonly Finding[]): ProjectFindings {
  return {
    files: new Set(findings.map(({ file }) => file)).size,
    skipped: {},
    findings,
    unresolved: [],
    ...toOtherHosts(findings),
  }
}

/** Members of a finding of API 1. */
export const PAYMENTS = {
  apiId: 1,
  apiName: 'Payments',
  vendorName: 'Acme',
  endpointId: 'pay0001',
} as const
