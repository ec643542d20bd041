export type {
  AccountStore,
  ApiKeyRecord,
  KeyRefusal,
  RefusalRequest,
} from './accounts/store.ts'
export type { AgreementStore, EnteredAgreements } from './agreements/store.ts'
export type * from './catalogue/store.ts'
export type * from './gateway/store.ts'
export type * from './imports/store.ts'
export { type JobStore, MAX_LEASE_MS, NEEDED_WITHIN_MS } from './jobs/store.ts'
export type { FullStorage, PartialStore, Storage } from './ports/storage.ts'
export type * from './rate-limits/store.ts'
export type * from './scans/store.ts'
export type * from './scans/usage-store.ts'
export { toSpdxId } from './shared/spdx.ts'
export { compareCodePoints, foldName, MAX_NAME_LENGTH } from './shared/text.ts'
export type { SessionRecord, StoredUser, UserStore } from './users/store.ts'
export * from './vulnerabilities/store.ts'
