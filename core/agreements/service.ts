import type { Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, type ServiceError } from '../errors.ts'
import type { ImportStore } from '../imports/store.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Clock } from '../ports/clock.ts'
import type { Account } from '../shared/account.ts'
import type { Agreement } from './records.ts'
import type { AgreementStore } from './store.ts'

/** An agreement entered by an account. */
export interface AgreementEntry {
  readonly name: string
  /** Absolute http or https URL. */
  readonly link: string
  /**
   * Type as in APIs.json, in any spelling (`TermsOfService`, `x-privacy-policy`); default: derived
   * from the name.
   */
  readonly type?: string | undefined
  /** At most 1 MiB. */
  readonly text?: string | undefined
  /** When the text was retrieved, milliseconds since the epoch. */
  readonly retrievedAt?: number | undefined
}

/** Identifies an API by its ID, or by its name and vendor. */
export interface AgreementTarget {
  /** `encrypted_id` or numeric ID. */
  readonly apiId?: string | undefined
  readonly apiName?: string | undefined
  readonly vendorName?: string | undefined
}

/** An API in an index (APIs.json). */
export interface IndexedApi {
  readonly name: string
  /** Provider of the index, or empty. */
  readonly provider: string
  /** Absolute base URLs of its endpoints. */
  readonly baseUrls: readonly string[]
  /** Absolute URLs of pages about it. */
  readonly urls: readonly string[]
  readonly agreements: readonly AgreementEntry[]
}

/** The result of importing one indexed API. */
export interface IndexedOutcome {
  /** Name in the index. */
  readonly name: string
  /** The matching catalogued APIs; empty if none match. */
  readonly apis: readonly { readonly apiId: string; readonly apiName: string }[]
  /** Number of its agreements in the index. */
  readonly agreements: number
}

/** Agreements of APIs, without HTTP. */
export interface Agreements {
  /** Finds an API by ID, or else all APIs with this name, of any vendor. */
  findApis(idOrName: string): Promise<readonly Api[]>
  /** Lists imported and entered agreements, in the order of responses. */
  list(api: Pick<Api, 'id'>): Promise<readonly Agreement[]>
  /** Returns the entered texts of an API's agreements by digest. */
  listTexts(api: Pick<Api, 'id'>): Promise<ReadonlyMap<string, string>>
  /**
   * Replaces the entered agreements of an API: all, or only those of the passed kinds (`mode:
   * 'kinds'`). An unknown API name of a known vendor is added to the catalogue. Throws `not_found`,
   * `invalid_input`, and `ambiguous_selection` if several APIs have the name.
   */
  enter(request: {
    readonly target: AgreementTarget
    readonly agreements: readonly AgreementEntry[]
    readonly by: Account
    readonly mode?: 'all' | 'kinds' | undefined
  }): Promise<Api>
  /**
   * Imports agreements of catalogued APIs from an APIs.json file (0.14 to 0.18, JSON or YAML). Each
   * kind in the file replaces the entered agreements of that kind. Throws `invalid_description`.
   */
  importIndex(request: {
    readonly bytes: Uint8Array
    readonly by: Account
  }): Promise<readonly IndexedOutcome[]>
}

/** Dependencies of the agreements service. */
export interface AgreementDeps {
  readonly store: AgreementStore
  readonly catalogue: CatalogueStore
  readonly imports: Pick<ImportStore, 'replaceApi'>
  /** Parses an APIs.json file. */
  readonly readIndex: (bytes: Uint8Array) => Promise<readonly IndexedApi[]>
  /** Returns the current matcher of the catalogue. */
  readonly currentMatcher: () => Promise<Matcher>
  readonly clock: Clock
}

/** Creates the agreements service. Code that changes agreements is loaded on first use. */
export function createAgreements(deps: AgreementDeps): Agreements {
  const { store, catalogue } = deps
  return {
    async findApis(idOrName) {
      const api = await catalogue.findApi(idOrName)
      return api ? [api] : catalogue.findApisByName({ apiName: idOrName })
    },
    list: ({ id }) => store.listAgreements(id),
    listTexts: ({ id }) => store.listTexts(id),
    async enter(request) {
      const { enterAgreements } = await import('./enter-agreements.ts')
      return enterAgreements(deps, request)
    },
    async importIndex({ bytes, by }) {
      const { importIndexedApis } = await import('./import-index.ts')
      return importIndexedApis(deps, { indexed: await deps.readIndex(bytes), by })
    },
  }
}

/** Creates the error for an API that is not in the catalogue. */
export function createApiNotFoundError(id: string): ServiceError {
  return createNotFoundError('API', id)
}
