export { parseDuration } from '../shared/dates.ts'
export type { Invitation, LoggedIn, User } from '../users/records.ts'
export type { UserReference, Users } from '../users/service.ts'
export { createSealTest } from './sealer.ts'
export type {
  Accounts,
  CreatedKey,
  KeyReference,
  KeyRequest,
  KeySummary,
} from './service.ts'
