import type { Tool } from './define-tool.ts'
import { assessApi } from './tools/assess-api.ts'
import { callEndpoint } from './tools/call-endpoint.ts'
import { compareScans } from './tools/compare-scans.ts'
import { describeEndpoint } from './tools/describe-endpoint.ts'
import { findUsages } from './tools/find-usages.ts'
import { searchApis } from './tools/search-apis.ts'
import { searchVulnerabilities } from './tools/search-vulnerabilities.ts'

/** The tools of every server. */
export const TOOLS: readonly Tool[] = [
  searchApis,
  describeEndpoint,
  callEndpoint,
  findUsages,
  searchVulnerabilities,
  assessApi,
  compareScans,
]
