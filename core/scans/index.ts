export type { PackageRow } from '../vendors/package-rows.ts'
export {
  type CaptureFlows,
  type CaptureOptions,
  readCapture,
} from './network/capture/read-capture.ts'
export type { CaptureReport, Damage, Flow, NamedVia } from './network/flow.ts'
export {
  type FlowDocument,
  type SubmittedFlow,
  toFlowDocument,
  toSubmittedFlow,
} from './network/flow-document.ts'
export { isLocalHost } from './network/local-hosts.ts'
export type { TrafficFormat } from './network/logs/formats.ts'
export {
  createNetworkReport,
  type FlowGroup,
  type NetworkReport,
} from './network/network-report.ts'
export {
  type MatchedFlow,
  type NetworkCatalogue,
  scanNetwork,
} from './network/scan-network.ts'
export {
  createTrafficReader,
  type TrafficFlows,
  type TrafficOptions,
  type TrafficOutcome,
  type TrafficReader,
} from './network/traffic-reader.ts'
export type {
  AmbiguousHost,
  Finding,
  FoundVia,
  ProjectFindings,
  RawFinding,
  SourceFile,
  UnmatchedHost,
  UnresolvedCall,
} from './project/finding.ts'
export type { LanguageFamily } from './project/languages.ts'
export { createPackageTable, type PackageTable } from './project/packages/table.ts'
export { type ApiFacts, type FactSources, readApiFacts } from './project/report/api-facts.ts'
export {
  type FindDecision,
  joinDecisions,
  type UsageDecision,
} from './project/report/decisions.ts'
export {
  type ChangedUsage,
  diffUsages,
  isEmptyDiff,
  type NamedUsage,
  type ScanDiff,
} from './project/report/diff.ts'
export {
  type FindingDocument,
  type FindingsDocument,
  toFindingsDocument,
  writeFindingsDocument,
} from './project/report/findings-document.ts'
export {
  type GroupedEndpoints,
  groupEndpoints,
  type StoredEndpointUsage,
} from './project/report/group-endpoints.ts'
export {
  checkReport,
  getUsageName,
  SCAN_CHECKS,
  type ScanCheck,
  type ScanFailure,
} from './project/report/judge.ts'
export {
  buildProjectReport,
  type JointApproval,
  type ProjectReport,
  type ReportedApi,
  type ReportedHost,
} from './project/report/project-report.ts'
export {
  mergeReviewFile,
  type ReviewFile,
  toReviewFile,
} from './project/report/review-file.ts'
export { type SarifAbout, toSarif, writeSarif } from './project/report/sarif.ts'
export {
  readStoredUsages,
  type StoredUsage,
  toUsageDecisions,
} from './project/report/stored-uses.ts'
export {
  type ScanSubmission,
  type SubmittedEndpoint,
  toScanSubmission,
} from './project/report/submission.ts'
export {
  mergeUsages,
  type ReportedUsage,
  type UsageLocation,
} from './project/report/uses.ts'
export { type ScanCatalogue, scanProject } from './project/scan-project.ts'
export type {
  ImportUsage,
  PackageUsage,
  ScanTextOptions,
} from './project/scan-text.ts'
export type { Grammars, TreeLanguage } from './project/syntax.ts'
