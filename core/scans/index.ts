export type { ScanCatalogue } from '../code-scanner/find/confirm-findings.ts'
export type { ScanTextOptions } from '../code-scanner/find/scan-text.ts'
export type {
  AmbiguousHost,
  Finding,
  FoundVia,
  ProjectFindings,
  RawFinding,
  SourceFile,
  UnmatchedHost,
  UnreadFile,
  UnresolvedCall,
  UsageRole,
} from '../code-scanner/model/finding.ts'
export { USAGE_ROLES } from '../code-scanner/model/finding.ts'
export type { LanguageFamily } from '../code-scanner/model/language.ts'
export type { ImportUsage, PackageUsage } from '../code-scanner/model/packages.ts'
export type { Grammars, TreeLanguage } from '../code-scanner/model/syntax.ts'
export { findUsageRole } from '../code-scanner/noise/usage-roles.ts'
export { createPackageTable, type PackageTable } from '../code-scanner/packages/table.ts'
export { listUsedPackages } from '../code-scanner/packages/used-packages.ts'
export { scanProject } from '../code-scanner/scan-project.ts'
export { isLocalHost } from '../matching/hosts.ts'
export { isPlausibleTime } from '../shared/dates.ts'
export type { UsedPackage } from '../shared/package-urls.ts'
export {
  type CaptureFlows,
  type CaptureOptions,
  readCapture,
} from '../traffic/capture/read-capture.ts'
export type { CaptureReport, Damage, Flow, NamedVia } from '../traffic/flow.ts'
export {
  type FlowDocument,
  type SubmittedFlow,
  toFlowDocument,
  toSubmittedFlow,
} from '../traffic/flow-document.ts'
export type { TrafficFormat } from '../traffic/logs/formats.ts'
export {
  createNetworkReport,
  type FlowGroup,
  type NetworkReport,
} from '../traffic/network-report.ts'
export {
  type MatchedFlow,
  type NetworkCatalogue,
  scanNetwork,
} from '../traffic/scan-network.ts'
export {
  createTrafficReader,
  type TrafficFlows,
  type TrafficOptions,
  type TrafficOutcome,
  type TrafficReader,
} from '../traffic/traffic-reader.ts'
export type { PackageRow } from '../vendors/package-rows.ts'
export type { ApiUsingScan, DeprecatedUsages, ScansUsingApi } from './api-usages.ts'
export type { ComparedScans } from './compare-scans.ts'
export type { ApiUsageCounts, CountedScan, ScanOverviews } from './overviews.ts'
export type { UsageOwner } from './owners.ts'
export { fromPrintedScan, type SubmittableScan } from './printed-scans.ts'
export type { ScanLists } from './reads.ts'
export type * from './records.ts'
export { type ApiFacts, type FactSources, readApiFacts } from './report/api-facts.ts'
export {
  addCveReviews,
  type CveReviewEntry,
  readCveReviews,
} from './report/cve-reviews.ts'
export {
  type FindDecision,
  joinDecisions,
  type UsageDecision,
} from './report/decisions.ts'
export {
  type ChangedUsage,
  diffUsages,
  isEmptyDiff,
  type NamedUsage,
  type ScanDiff,
} from './report/diff.ts'
export type {
  FindingDocument,
  FindingsDocument,
  ServiceDocument,
} from './report/document-types.ts'
export { toFindingsDocument, writeFindingsDocument } from './report/findings-document.ts'
export {
  type GroupedEndpoints,
  groupEndpoints,
  type StoredEndpointUsage,
} from './report/group-endpoints.ts'
export {
  checkReport,
  getUsageName,
  SCAN_CHECKS,
  type ScanCheck,
  type ScanFailure,
} from './report/judge.ts'
export { type OpenVexDocument, type OpenVexStatement, toOpenVex } from './report/openvex.ts'
export type { PackageDocument } from './report/package-document.ts'
export {
  buildProjectReport,
  type JointApproval,
  joinApprovals,
  type ProjectReport,
  type ReportedApi,
  type ReportedHost,
  type ReportedPackage,
} from './report/project-report.ts'
export {
  mergeCveReviews,
  mergeReviewFile,
  type ReviewFile,
  toReviewFile,
} from './report/review-file.ts'
export { type SarifAbout, toSarif, writeSarif } from './report/sarif.ts'
export {
  type Certainty,
  isApiRole,
  listServices,
  type ServiceEvidence,
  toCertainty,
  type UsedService,
} from './report/services.ts'
export {
  readStoredUsages,
  type StoredUsage,
  toUsageDecisions,
} from './report/stored-uses.ts'
export {
  type ScanSubmission,
  type SubmittedEndpoint,
  toScanSubmission,
} from './report/submission.ts'
export {
  mergeUsages,
  type ReportedUsage,
  type UsageLocation,
} from './report/uses.ts'
export type { Scans } from './service.ts'
export type { ShownUsage } from './shown-usages.ts'
export type { NetworkSubmission, ProjectSubmission, Submissions } from './submissions.ts'
export type { ShownUsageGroup } from './usage-groups.ts'
export type { UsedApi } from './used-apis.ts'
