import type { UsedPackage } from '../shared/package-urls.ts'
import {
  findKnownVulnerabilities,
  type KnownVulnerabilitiesRequest,
} from './known-vulnerabilities.ts'
import { findPackageVulnerabilities } from './package-vulnerabilities.ts'
import type { VulnerabilityReads } from './service.ts'

/** Creates lookups of CVEs for other features: by the names of an API, and by package. */
export function createVulnerabilityFinders(
  vulnerabilities: Pick<VulnerabilityReads, 'listProducts' | 'search'>,
) {
  return {
    findVulnerabilities: (request: KnownVulnerabilitiesRequest) =>
      findKnownVulnerabilities(vulnerabilities, request),
    findPackageVulnerabilities: (packages: readonly UsedPackage[]) =>
      findPackageVulnerabilities(vulnerabilities, { packages }),
  }
}
