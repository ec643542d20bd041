import type { Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import type { Handlers } from '../http/operation.ts'
import { ServiceError } from '../http/problems.ts'
import { mapBatches } from '../shared/batches.ts'
import type { agreementOperations } from './operations.ts'
import { toAddedApiWire, toAgreementsWire } from './wire.ts'

/** Creates the handlers of the agreements' operations (Specification 4.19 to 4.21). */
export function createAgreementHandlers(deps: {
  readonly store: CatalogueStore
}): Handlers<typeof agreementOperations> {
  const { store } = deps

  const describe = async (api: Api) => toAgreementsWire(api, await store.listAgreements(api.id))

  return {
    getAgreementsById: async (input) => {
      refuseAssessment(input.assessment)
      const api = input.api_id
        ? await store.findApi(input.api_id)
        : await store.findApiOfEndpoint(input.endpoint_id ?? '')
      if (!api) {
        const what = input.api_id ? `API "${input.api_id}"` : `endpoint "${input.endpoint_id}"`
        throw new ServiceError('not_found', `There is no ${what}`)
      }
      return describe(api)
    },

    getAgreementsByName: async (input) => {
      refuseAssessment(input.assessment)
      const apis = await store.findApisByName({
        apiName: input.api_name || undefined,
        vendorName: input.vendor_name || undefined,
      })
      const [only] = apis
      if (!only) throw new ServiceError('not_found', 'There is no API of this name and vendor')
      if (apis.length === 1) return describe(only)
      const all: Awaited<ReturnType<typeof describe>>[] = []
      // One after the other: a vendor may have hundreds, and others need connections too.
      for (const api of apis) all.push(await describe(api))
      return all
    },

    listAddedApis: (input) => ({
      rows: mapBatches(
        store.listAddedApis({
          startDate: input.start_date,
          endDate: input.end_date,
          apiName: input.api_name || undefined,
          vendorName: input.vendor_name || undefined,
        }),
        toAddedApiWire,
      ),
    }),
  }
}

function refuseAssessment(isAsked: boolean): void {
  if (!isAsked) return
  throw new ServiceError('not_implemented', 'Assessments are specified but not built yet')
}
