export type * from '../agreements/records.ts'
export type {
  AgreementEntry,
  Agreements,
  AgreementTarget,
  IndexedApi,
  IndexedOutcome,
} from '../agreements/service.ts'
export type { ApisJsonOptions } from '../discovery/apis-json.ts'
export type { BackstageOptions } from '../discovery/backstage.ts'
export type { Exports } from '../discovery/exports.ts'
export type { ImportOutcome, ImportRecord, StoredImport } from '../imports/records.ts'
export type { Imported, ImportReport, ImportRequest, Imports } from '../imports/service.ts'
export type { Match, MatchableEndpoint, MatchCandidate, MatchQuery } from '../matching/match.ts'
export { buildMatcher, type Matcher } from '../matching/matcher.ts'
export { type ApiKind, adviseClient, formatApiKind } from './api-kinds.ts'
export type { AuthType } from './auth-types.ts'
export type { BrowsedApi, BrowsedApis, Catalogue } from './catalogue.ts'
export { CATEGORIES } from './categories.ts'
export type { ChosenFacets, Facet, FacetName, FacetValue } from './facets.ts'
export type * from './records.ts'
