import type { Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { ServiceError } from '../http/problems.ts'
import type { ImportStore } from '../imports/store.ts'
import type { Matcher } from '../matching/matcher.ts'
import type { Clock } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import type { Agreement } from './records.ts'
import type { AgreementStore } from './store.ts'

/** An agreement as somebody enters it. */
export interface AgreementEntry {
  readonly name: string
  /** Absolute http or https URL. */
  readonly link: string
  /** In APIs.json words, however spelled (`TermsOfService`, `x-privacy-policy`); told by the name when absent. */
  readonly type?: string | undefined
  /** Its text, at most 1 MiB. */
  readonly text?: string | undefined
  /** When the text was read, milliseconds since the epoch. */
  readonly retrievedAt?: number | undefined
}

/** Which API is meant: by its id, or by its name and its vendor's. */
export interface AgreementTarget {
  /** `encrypted_id` or numeric id. */
  readonly apiId?: string | undefined
  readonly apiName?: string | undefined
  readonly vendorName?: string | undefined
}

/** What an index of APIs (APIs.json) says of one of them. */
export interface IndexedApi {
  readonly name: string
  /** Who offers the index, or empty. */
  readonly provider: string
  /** Where it is called, absolute. */
  readonly baseUrls: readonly string[]
  /** Pages about it, absolute. */
  readonly urls: readonly string[]
  readonly agreements: readonly AgreementEntry[]
}

/** What an import of an index did with one of its APIs. */
export interface IndexedOutcome {
  /** As the index calls it. */
  readonly name: string
  /** The catalogued APIs that it means; none when nothing is alike. */
  readonly apis: readonly { readonly apiId: string; readonly apiName: string }[]
  /** How many agreements the index has of it. */
  readonly agreements: number
}

/** Agreements of APIs, without HTTP. */
export interface Agreements {
  /** The API with this id, else those with this name, whatever their vendor. */
  findApis(idOrName: string): Promise<readonly Api[]>
  /** Imported and entered ones, in the order that answers have. */
  list(api: Pick<Api, 'id'>): Promise<readonly Agreement[]>
  /** Reads the entered texts of the API's agreements, by the digest of the text. */
  listTexts(api: Pick<Api, 'id'>): Promise<ReadonlyMap<string, string>>
  /**
   * Puts these in the place of the entered agreements of the API: of all, or only of the kinds that
   * are given (`mode: 'kinds'`). An API unknown by name and vendor is entered. Throws `not_found`,
   * `invalid_input`, and `ambiguous_selection` where several have the name.
   */
  enter(request: {
    readonly target: AgreementTarget
    readonly agreements: readonly AgreementEntry[]
    readonly by: Account
    readonly mode?: 'all' | 'kinds' | undefined
  }): Promise<Api>
  /**
   * Enters what an APIs.json file (0.14 to 0.18, JSON or YAML) says of catalogued APIs: each
   * kind that it has takes the place of those entered before. Throws `invalid_description`.
   */
  importIndex(request: {
    readonly bytes: Uint8Array
    readonly by: Account
  }): Promise<readonly IndexedOutcome[]>
}

/** What agreements are made of. */
export interface AgreementDeps {
  readonly store: AgreementStore
  readonly catalogue: CatalogueStore
  readonly imports: Pick<ImportStore, 'replaceApi'>
  /** Reads an APIs.json file. */
  readonly readIndex: (bytes: Uint8Array) => Promise<readonly IndexedApi[]>
  /** The catalogue's matcher as it is now. */
  readonly currentMatcher: () => Promise<Matcher>
  readonly clock: Clock
}

/** Creates the agreements over a storage. What enters them is loaded with the first entry. */
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
      const { enterAgreements } = await import('./entering.ts')
      return enterAgreements(deps, request)
    },
    async importIndex({ bytes, by }) {
      const { importIndexedApis } = await import('./index-import.ts')
      return importIndexedApis(deps, { indexed: await deps.readIndex(bytes), by })
    },
  }
}

/** The error for an API that is not in the catalogue. */
export function toUnknownApi(id: string): ServiceError {
  return new ServiceError('not_found', `There is no API "${id}"`)
}
