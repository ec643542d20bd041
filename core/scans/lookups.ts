import type { AgreementLink, Api, Endpoint } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import type { HeaderLine } from '../egress/egress.ts'
import type { GatewayStore } from '../gateway/store.ts'
import type { FindPlace, PlaceOfAddress } from '../ports.ts'
import type { Account } from '../shared/account.ts'
import { remember } from '../shared/remember.ts'
import { toCapturedIp } from './kept.ts'
import type { CatalogueMatch } from './records.ts'
import type { ScanStore } from './store.ts'

/** What a match is, in the words of the catalogue. */
export interface MatchedApi {
  readonly api: Api
  /** Undefined where only the API is known, or the endpoint has gone since. */
  readonly endpoint: Endpoint | undefined
}

/** What was seen of an endpoint's server. */
export interface Observation {
  /** Of the last recorded or published answer. */
  readonly headers: readonly HeaderLine[]
  readonly place: PlaceOfAddress | undefined
}

/** Reads what one answer says of matches, each thing once; memory is bounded. */
export interface Lookups {
  find(match: CatalogueMatch): Promise<MatchedApi | undefined>
  agreements(apiId: number): Promise<readonly AgreementLink[]>
  observe(match: CatalogueMatch): Promise<Observation>
}

/** What lookups are made of. */
export interface LookupDeps {
  readonly catalogue: Pick<CatalogueStore, 'findApis' | 'findEndpoint' | 'listAgreements'>
  readonly answers: Pick<GatewayStore, 'listRecordings' | 'findPublishedAnswer'>
  readonly scans: Pick<ScanStore, 'findFlow'>
  readonly places: FindPlace | undefined
}

/** Creates the lookups of one answer to an account. */
export function createLookups(deps: LookupDeps, account: Account): Lookups {
  const { catalogue, answers, scans, places } = deps
  const findApi = remember((id) => catalogue.findApis([id]).then(([api]) => api))
  const findEndpoint = remember(async (id) => catalogue.findEndpoint(String(id)))
  const agreements = remember((id) => catalogue.listAgreements(id))
  let recordings: Promise<ReadonlyMap<number, readonly HeaderLine[]>> | undefined

  /** The newest of each endpoint; an account has 100 at the most. */
  async function readRecordings() {
    const { items } = await answers.listRecordings(account, { size: 100, page: 1 })
    return new Map(items.toReversed().map(({ endpointId, headers }) => [endpointId, headers]))
  }

  const findHeaders = remember(async (endpointId) => {
    recordings ??= readRecordings()
    const recorded = (await recordings).get(endpointId)
    return recorded ?? (await answers.findPublishedAnswer(endpointId))?.headers ?? []
  })

  const findPlace = remember(async (apiId) => {
    if (!places) return undefined
    const flow = await scans.findFlow(account, apiId)
    return flow && places(toCapturedIp(flow))
  })

  return {
    async find({ apiId, endpointId }) {
      const api = await findApi(apiId)
      const endpoint = endpointId === undefined ? undefined : await findEndpoint(endpointId)
      return api && { api, endpoint }
    },
    agreements,
    observe: async ({ apiId, endpointId }) => ({
      headers: endpointId === undefined ? [] : await findHeaders(endpointId),
      place: await findPlace(apiId),
    }),
  }
}
