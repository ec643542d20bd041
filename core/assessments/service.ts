import type { AgreementStore } from '../agreements/store.ts'
import type { Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { ImportStore } from '../imports/store.ts'
import type { Clock } from '../ports/clock.ts'
import type { TestResult } from '../rate-limits/records.ts'
import type { Account } from '../shared/account.ts'
import type { Page, PageRequest } from '../shared/pages.ts'
import type { AssessmentFacts, AssessmentRule, Statement } from './records.ts'

/** The facts of an API with the statements about it. */
export interface Assessment {
  readonly facts: AssessmentFacts
  /** In the order of the rules. */
  readonly statements: readonly Statement[]
}

/** Assessments of catalogued APIs, without HTTP. */
export interface Assessments {
  /** Uses shared data, and only the account's own calls and tests. */
  assess(api: Api, account: Account): Promise<Assessment>
}

/** Result of `findKnownVulnerabilities`: exploited ones first. */
interface KnownVulnerabilities {
  readonly found: readonly {
    readonly id: string
    readonly description: string
    readonly publishedAt: number
    readonly isExploited: boolean
    readonly metric: { readonly version: string; readonly score: number } | undefined
  }[]
  readonly count: number
  readonly exploited: number
}

/** Rate-limit tests of an account, newest first. */
export interface RateLimitRuns {
  list(account: Account, request: PageRequest): Promise<Page<ListedTest>>
  result(
    account: Account,
    request: { readonly endpointId: string; readonly run: number },
  ): Promise<{ readonly result: TestResult | undefined }>
}

interface ListedTest {
  readonly id: number
  /** Short ID. */
  readonly endpoint: string
  /** Undefined without a result. */
  readonly verdict: string | undefined
}

/** Dependencies of the assessments service. */
export interface AssessmentDeps {
  readonly catalogue: Pick<
    CatalogueStore,
    'findEndpoint' | 'listEndpointPage' | 'listVendorAgreements'
  >
  readonly agreements: Pick<AgreementStore, 'listAgreements' | 'listTexts'>
  readonly imports: Pick<ImportStore, 'findImportedAt'>
  readonly gateway: Pick<GatewayStore, 'listRecordings'>
  readonly rateLimits: RateLimitRuns
  readonly findVulnerabilities: (request: {
    readonly api: { readonly name: string; readonly vendorName: string }
    readonly limit: number
    readonly minScore?: number | undefined
  }) => Promise<KnownVulnerabilities>
  /** Replaces the default rules. */
  readonly rules?: readonly AssessmentRule[] | undefined
  readonly clock: Clock
}

/** Creates the assessments service. Rules and fact collection are loaded on first use. */
export function createAssessments(deps: AssessmentDeps): Assessments {
  return {
    async assess(api, account) {
      const { assessApi } = await import('./assess-api.ts')
      return assessApi(deps, { api, account })
    },
  }
}
