export type { AuthenticationLimits } from './accounts/authenticator.ts'
export { type Authenticate, type HostCaller, toCaller } from './accounts/host-authentication.ts'
export type { RequestLimits } from './accounts/request-limiter.ts'
export { createSealer, type Secrets } from './accounts/sealer.ts'
export type {
  Accounts,
  CreatedKey,
  KeyReference,
  KeyRequest,
  KeySummary,
} from './accounts/service.ts'
export type {
  AccountStore,
  ApiKeyRecord,
  KeyRefusal,
  RefusalRequest,
} from './accounts/store.ts'
export type * from './agreements/records.ts'
export type {
  AgreementEntry,
  Agreements,
  AgreementTarget,
  IndexedApi,
  IndexedOutcome,
} from './agreements/service.ts'
export type { AgreementStore, EnteredAgreements } from './agreements/store.ts'
export type { ApiDiscovery } from './api-discovery.ts'
export { createApiDiscovery } from './app.ts'
export type { ApiDiscoveryOptions, GatewayLimits } from './app-options.ts'
export type * from './assessments/records.ts'
export type { Assessment, Assessments } from './assessments/service.ts'
export type { BomShape } from './boms/bom-shapes.ts'
export { type BomSources, buildNetworkBom, buildProjectBom } from './boms/build-bom.ts'
export { type BomUsage, buildFindingsBom } from './boms/build-findings-bom.ts'
export type {
  BomVulnerability,
  CollectedBom,
  CollectedService,
  FindPackageVulnerabilities,
  FindVulnerabilities,
} from './boms/collect-bom.ts'
export { type BomDifference, compareBoms, mergeBoms, type ServiceChange } from './boms/combine.ts'
export { type BomValidation, explainBom } from './boms/explaining/explain-bom.ts'
export type { Explanation } from './boms/explaining/explanations.ts'
export type * from './boms/model.ts'
export { type ReadBoms, type ReadShape, readBom } from './boms/reading/read-bom.ts'
export {
  BOM_FORMATS,
  type BomFormat,
  SPEC_VERSIONS,
  type SpecVersion,
} from './boms/records.ts'
export { type RenderOptions, renderBom, renderBoms } from './boms/render-bom.ts'
export type { Boms, WrittenBom } from './boms/service.ts'
export type { CallField, CallShape } from './calls/describe-call.ts'
export { type DescribedParameter, describeParameters } from './calls/describe-parameters.ts'
export type { AuthType } from './catalogue/auth-types.ts'
export type { BrowsedApi, BrowsedApis, Catalogue } from './catalogue/catalogue.ts'
export { CATEGORIES } from './catalogue/categories.ts'
export type { ChosenFacets, Facet, FacetName, FacetValue } from './catalogue/facets.ts'
export type * from './catalogue/records.ts'
export type * from './catalogue/store.ts'
export { type Contract, contract } from './contract.ts'
export { type ErrorCode, type InputIssue, ServiceError } from './errors.ts'
export type { GatewayCall, GatewayCaller } from './gateway/call-service.ts'
export type {
  AcceptedCredentials,
  CredentialType,
} from './gateway/credentials/accepted-credentials.ts'
export type { CredentialRequest } from './gateway/credentials/credential-request.ts'
export type { NamedCredential } from './gateway/credentials/credentials.ts'
export type { DescribedTarget, UsedCredential } from './gateway/describe-target.ts'
export type { Gateway } from './gateway/gateway.ts'
export type { GatewayResponse } from './gateway/gateway-responses.ts'
export { PASSED_HEADERS, PASSED_PREFIXES } from './gateway/passed-headers.ts'
export type { NamedPolicy, PolicyRequest } from './gateway/policies.ts'
export type { Recordings } from './gateway/recordings/recordings.ts'
export type * from './gateway/records.ts'
export { CREDENTIAL_KINDS } from './gateway/records.ts'
export type * from './gateway/store.ts'
export { type PublicAddress, parseBasePath, stripPublicPath } from './http/base-path.ts'
export type { BodyLimits } from './http/body.ts'
export type { CallInput, CallOutput, ForwardedResponse } from './http/call-types.ts'
export type { FetchHandler, FetchInfo } from './http/fetch.ts'
export type { HttpHandler, HttpRequest, HttpResponse } from './http/message.ts'
export type {
  BodyValues,
  ForwardedHeader,
  Operation,
  Operations,
  UploadedFile,
} from './http/operation.ts'
export type {
  CompletedRequest,
  RecordRequest,
} from './http/request-log.ts'
export type { ImportOutcome, ImportRecord, StoredImport } from './imports/records.ts'
export type { Imported, ImportReport, ImportRequest, Imports } from './imports/service.ts'
export type * from './imports/store.ts'
export type { SettledJob } from './jobs/attempt.ts'
export type { Jobs } from './jobs/jobs.ts'
export type * from './jobs/records.ts'
export { JOB_STATES } from './jobs/records.ts'
export { type JobStore, MAX_LEASE_MS, NEEDED_WITHIN_MS } from './jobs/store.ts'
export type { RunOptions } from './jobs/worker.ts'
export type { Match, MatchableEndpoint, MatchCandidate, MatchQuery } from './matching/match.ts'
export { buildMatcher, type Matcher } from './matching/matcher.ts'
export { buildOpenApiDocument } from './openapi.ts'
export type { Clock } from './ports/clock.ts'
export type { Decode, DecodeOptions } from './ports/decode.ts'
export {
  type Egress,
  type EgressEnd,
  EgressError,
  type EgressFailure,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
  type HeaderLine,
} from './ports/egress.ts'
export type { FindGeolocation, Geolocation } from './ports/geolocation.ts'
export type * from './ports/get.ts'
export { SourceError } from './ports/get.ts'
export type { Isolate } from './ports/isolate.ts'
export type { Logger, LogLevel, LogValue } from './ports/logger.ts'
export type { PasswordHasher } from './ports/passwords.ts'
export type { Random } from './ports/random.ts'
export type { Sealer } from './ports/sealer.ts'
export type { Storage } from './ports/storage.ts'
export type { RateLimitTestOptions } from './rate-limits/prepare.ts'
export type * from './rate-limits/records.ts'
export { DEFAULT_BUDGET, MAX_BUDGET } from './rate-limits/records.ts'
export type { ListedRun, TestRun } from './rate-limits/runs.ts'
export type {
  HostConsent,
  LeftToday,
  RateLimitTests,
  StartedTest,
  TestRequest,
  TestTarget,
} from './rate-limits/service.ts'
export type * from './rate-limits/store.ts'
export type {
  ApiUsingScan,
  DeprecatedUsages,
  ScansUsingApi,
} from './scans/api-usages.ts'
export type {
  ApiUsageCounts,
  ComparedScans,
  CountedScan,
  ScanOverviews,
} from './scans/overviews.ts'
export { fromOwnerKey, type UsageOwner } from './scans/owners.ts'
export { fromPrintedScan, type SubmittableScan } from './scans/printed-scans.ts'
export type { ScanLists } from './scans/reads.ts'
export type * from './scans/records.ts'
export type { Scans } from './scans/service.ts'
export type { ShownUsage, UsageRole } from './scans/shown-usages.ts'
export type * from './scans/store.ts'
export type { NetworkSubmission, ProjectSubmission, Submissions } from './scans/submissions.ts'
export type { ScanLimits } from './scans/uploads.ts'
export type { ShownUsageGroup } from './scans/usage-groups.ts'
export type * from './scans/usage-store.ts'
export type { UsedApi } from './scans/used-apis.ts'
export { type Account, type Caller, SCOPES, type Scope } from './shared/account.ts'
export { isPlausibleTime } from './shared/dates.ts'
export { parseDuration } from './shared/durations.ts'
export { Numeral, parseExactJson } from './shared/exact-json.ts'
export type { Gauge } from './shared/gauges.ts'
export type { MaybePromise } from './shared/maybe-promise.ts'
export { type PackageUrlParts, splitPackageUrl } from './shared/package-urls.ts'
export type { Page, PageRequest } from './shared/pages.ts'
export type * from './users/records.ts'
export type { UserReference, Users } from './users/service.ts'
export type { SessionRecord, StoredUser, UserStore } from './users/store.ts'
export { VERSION } from './version.ts'
export {
  countVersions,
  listStatedProducts,
  type RecordProducts,
  type StatedProduct,
  toAffectedProducts,
  toRecordProducts,
} from './vulnerabilities/affected-products.ts'
export { listAliases } from './vulnerabilities/aliases.ts'
export type { CveEvent } from './vulnerabilities/feeds/cve-batch.ts'
export { type EpssEvent, readEpss } from './vulnerabilities/feeds/epss.ts'
export type { FeedEvent, FeedProblem } from './vulnerabilities/feeds/events.ts'
export { type KevCatalogue, readKev } from './vulnerabilities/feeds/kev.ts'
export { type ReadCveOptions, readCveFeed } from './vulnerabilities/feeds/read-cve.ts'
export { type CveDocument, readCveDocuments } from './vulnerabilities/feeds/read-cve-documents.ts'
export { type ReadNvdOptions, readNvdFeed } from './vulnerabilities/feeds/read-nvd.ts'
export {
  findKnownVulnerabilities,
  findNamedApis,
  type KnownVulnerabilities,
  type KnownVulnerabilitiesRequest,
  type NamedApi,
} from './vulnerabilities/known-vulnerabilities.ts'
export type {
  LoadOptions,
  LoadProgress,
  LoadReport,
  RatingOptions,
  RecordBatch,
} from './vulnerabilities/loading/batches.ts'
export { findPackageVulnerabilities } from './vulnerabilities/package-vulnerabilities.ts'
export type * from './vulnerabilities/records.ts'
export { EXAMPLE_SOURCE } from './vulnerabilities/records.ts'
export type {
  SyncSourceResult,
  VulnerabilitySyncOptions,
} from './vulnerabilities/schedule/options.ts'
export type {
  Comparison,
  Comparisons,
  CveFilters,
  CveQuery,
  Severity,
  YearCount,
} from './vulnerabilities/search/query.ts'
export type {
  CveHit,
  CveResults,
  ExtendedRecord,
  NamedProduct,
} from './vulnerabilities/search/results.ts'
export type {
  Vulnerabilities,
  VulnerabilityLoads,
  VulnerabilityReads,
  VulnerabilityStatus,
  YearCompleteness,
} from './vulnerabilities/service.ts'
export type * from './vulnerabilities/store.ts'
export { CVE_RELEASES_URL, type CveReleaseService } from './vulnerabilities/sync/cve-releases.ts'
export type { OnSyncEvent, SyncEvent } from './vulnerabilities/sync/events.ts'
export {
  createRemoteFile,
  type Expand,
  type FeedFile,
  type OpenOptions,
  type RemoteOptions,
} from './vulnerabilities/sync/feed-file.ts'
export type { FileFailure } from './vulnerabilities/sync/files-reader.ts'
export type { SyncOptions } from './vulnerabilities/sync/loader-turn.ts'
export { NVD_URL, type NvdService } from './vulnerabilities/sync/nvd-pages.ts'
export type { RetryDeps } from './vulnerabilities/sync/retry.ts'
export { sleep } from './vulnerabilities/sync/sleep.ts'
export {
  type CveSyncOptions,
  type CveSyncReport,
  syncCve,
} from './vulnerabilities/sync/sync-cve.ts'
export { type CveFileSyncOptions, syncCveFiles } from './vulnerabilities/sync/sync-cve-files.ts'
export type { FileSyncOptions, FileSyncReport } from './vulnerabilities/sync/sync-files.ts'
export {
  EPSS_URL,
  type EpssSyncReport,
  KEV_URL,
  type KevSyncReport,
  type ListSyncOptions,
  syncEpss,
  syncKev,
} from './vulnerabilities/sync/sync-lists.ts'
export {
  type NvdSyncOptions,
  type NvdSyncReport,
  syncNvd,
} from './vulnerabilities/sync/sync-nvd.ts'
export { syncNvdFiles } from './vulnerabilities/sync/sync-nvd-files.ts'
export { toHitWire } from './vulnerabilities/to-wire.ts'
export type { ArchiveHead, Compression } from './vulnerabilities/transfer/archive.ts'
export {
  type ArchiveSource,
  createRemoteArchive,
} from './vulnerabilities/transfer/archive-source.ts'
export type { VulnerabilityArchives } from './vulnerabilities/transfer/archives.ts'
export { type ArchiveBase, readArchiveBase } from './vulnerabilities/transfer/changes.ts'
export { checkFullArchive } from './vulnerabilities/transfer/check-archive.ts'
export type { ArchiveExport, ExportOptions } from './vulnerabilities/transfer/export-archive.ts'
export type {
  ArchiveLoadOptions,
  ArchiveReport,
} from './vulnerabilities/transfer/load-archive.ts'
export {
  type PullOptions,
  type PullReport,
  pullArchive,
} from './vulnerabilities/transfer/pull-archive.ts'
export type { LoadedArchive, Validators } from './vulnerabilities/transfer/pull-state.ts'
export { toVersionText } from './vulnerabilities/versions.ts'
