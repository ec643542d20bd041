export type * from '../ports/get.ts'
export { SourceError } from '../ports/get.ts'
export { decodeEntities } from '../shared/html.ts'
export { type PackageUrlParts, splitPackageUrl } from '../shared/package-urls.ts'
export {
  countVersions,
  listStatedProducts,
  type RecordProducts,
  type StatedProduct,
  toAffectedProducts,
  toRecordProducts,
} from './affected-products.ts'
export { listAliases } from './aliases.ts'
export { explainMissingRecord } from './explain-missing-record.ts'
export type { CveEvent } from './feeds/cve-batch.ts'
export { type EpssEvent, readEpss } from './feeds/epss.ts'
export type { FeedEvent, FeedProblem } from './feeds/events.ts'
export { type KevCatalogue, readKev } from './feeds/kev.ts'
export { type ReadCveOptions, readCveFeed } from './feeds/read-cve.ts'
export { type CveDocument, readCveDocuments } from './feeds/read-cve-documents.ts'
export { type ReadNvdOptions, readNvdFeed } from './feeds/read-nvd.ts'
export {
  findKnownVulnerabilities,
  findNamedApis,
  type KnownVulnerabilities,
  type KnownVulnerabilitiesRequest,
  type NamedApi,
} from './known-vulnerabilities.ts'
export type {
  LoadOptions,
  LoadProgress,
  LoadReport,
  RatingOptions,
  RecordBatch,
} from './loading/batches.ts'
export { findPackageVulnerabilities } from './package-vulnerabilities.ts'
export type * from './records.ts'
export { EXAMPLE_SOURCE, EXAMPLES_NAME } from './records.ts'
export type { SyncSourceResult } from './schedule/options.ts'
export type {
  Comparison,
  Comparisons,
  CveFilters,
  CveQuery,
  Severity,
  YearCount,
} from './search/query.ts'
export type {
  CveHit,
  CveRatings,
  CveResults,
  ExtendedRecord,
  NamedProduct,
} from './search/results.ts'
export type {
  Vulnerabilities,
  VulnerabilityLoads,
  VulnerabilityReads,
  VulnerabilityStatus,
  YearCompleteness,
} from './service.ts'
export { CVE_RELEASES_URL, type CveReleaseService } from './sync/cve-releases.ts'
export type { OnSyncEvent, SyncEvent } from './sync/events.ts'
export {
  createRemoteFile,
  type Expand,
  type FeedFile,
  type OpenOptions,
  type RemoteOptions,
} from './sync/feed-file.ts'
export type { FileFailure } from './sync/files-reader.ts'
export type { SyncOptions } from './sync/loader-turn.ts'
export { NVD_URL, type NvdService } from './sync/nvd-pages.ts'
export type { RetryDeps } from './sync/retry.ts'
export { type Sleep, sleep } from './sync/sleep.ts'
export {
  type CveFileSyncOptions,
  type CveSyncOptions,
  type CveSyncReport,
  syncCve,
  syncCveFiles,
} from './sync/sync-cve.ts'
export type { FileSyncOptions, FileSyncReport } from './sync/sync-files.ts'
export {
  EPSS_URL,
  type EpssSyncReport,
  KEV_URL,
  type KevSyncReport,
  type ListSyncOptions,
  syncEpss,
  syncKev,
} from './sync/sync-lists.ts'
export {
  type NvdSyncOptions,
  type NvdSyncReport,
  syncNvd,
  syncNvdFiles,
} from './sync/sync-nvd.ts'
export { toHitWire } from './to-wire.ts'
export type { ArchiveHead, Compression } from './transfer/archive.ts'
export {
  type ArchiveSource,
  checkFullArchive,
  createRemoteArchive,
} from './transfer/archive-source.ts'
export type { VulnerabilityArchives } from './transfer/archives.ts'
export { type ArchiveBase, readArchiveBase } from './transfer/changes.ts'
export type { ArchiveExport, ExportOptions } from './transfer/export-archive.ts'
export type {
  ArchiveLoadOptions,
  ArchiveReport,
} from './transfer/load-archive.ts'
export type { LoadedArchive, Validators } from './transfer/pull.ts'
export {
  type PullOptions,
  type PullReport,
  pullArchive,
} from './transfer/pull.ts'
export { toVersionText } from './versions.ts'
