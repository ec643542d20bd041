import type { Api } from '../catalogue/records.ts'
import type { CatalogueStore } from '../catalogue/store.ts'
import { createNotFoundError, ServiceError } from '../errors.ts'
import type { Context, Handlers } from '../http/operation.ts'
import type { Account } from '../shared/account.ts'
import { mapBatches } from '../shared/batches.ts'
import { parseDay, parseInstant } from '../shared/dates.ts'
import type { agreementOperations } from './operations.ts'
import { type Agreements, createApiNotFoundError } from './service.ts'
import type { AgreementStore } from './store.ts'
import {
  type AssessedStatement,
  toAddedApiWire,
  toAgreementHistoryWire,
  toAgreementsWire,
  toAssessmentWire,
  toChangesWire,
} from './wire.ts'

/** Creates the handlers of the agreements' operations (Specification 4.19 to 4.21). */
export function createAgreementHandlers(deps: {
  readonly catalogue: CatalogueStore
  readonly store: AgreementStore
  readonly agreements: Agreements
  /**
   * Assesses an API with shared data and the account's own. Without it, assessments are
   * unavailable.
   */
  readonly assess?:
    | ((
        api: Api,
        account: Account,
      ) => Promise<{ readonly statements: readonly AssessedStatement[] }>)
    | undefined
}): Handlers<typeof agreementOperations> {
  const { catalogue, store, agreements, assess } = deps

  const describe = async (api: Api, { isExtended, isAssessment, account }: AgreementView) => {
    const found = await agreements.list(api)
    const described = await toAgreementsWire(api, { agreements: found, isExtended })
    if (!assess || !isAssessment) return described
    const { statements } = await assess(api, account)
    return { ...described, assessment: toAssessmentWire(statements, { isExtended }) }
  }

  const rejectUnavailable = (isAssessment: boolean) => {
    if (!isAssessment || assess) return
    throw new ServiceError('not_implemented', 'Assessments are not implemented yet')
  }

  return {
    getAgreementsById: async (input, context) => {
      rejectUnavailable(input.assessment)
      const api = input.api_id
        ? await catalogue.findApi(input.api_id)
        : await catalogue.findApiOfEndpoint(input.endpoint_id ?? '')
      if (!api) {
        throw input.api_id
          ? createNotFoundError('API', input.api_id)
          : createNotFoundError('Endpoint', input.endpoint_id)
      }
      return describe(api, toView(input, context))
    },

    getAgreementsByName: async (input, context) => {
      rejectUnavailable(input.assessment)
      const apis = await catalogue.findApisByName({
        apiName: input.api_name || undefined,
        vendorName: input.vendor_name || undefined,
      })
      const [only] = apis
      if (!only)
        throw new ServiceError('not_found', 'API not found: no API has this name and vendor')
      const view = toView(input, context)
      if (apis.length === 1) return describe(only, view)
      const all: Awaited<ReturnType<typeof describe>>[] = []
      // In sequence: a vendor may have hundreds of APIs, and other requests need connections too.
      for (const api of apis) {
        context.signal.throwIfAborted()
        all.push(await describe(api, view))
      }
      return all
    },

    listAddedApis: (input) => {
      const days = { startDate: input.start_date, endDate: input.end_date }
      const apis = catalogue.listAddedApis({
        ...days,
        apiName: input.api_name || undefined,
        vendorName: input.vendor_name || undefined,
        withChangedAgreements: input.extended,
      })
      if (!input.extended) return { rows: mapBatches(apis, toAddedApiWire) }
      return { rows: addAgreementChanges(apis, { store, days }) }
    },

    replaceAgreements: async ({ body }, context) => {
      const api = await agreements.enter({
        target: {
          apiId: body.api_id === null || body.api_id === undefined ? undefined : `${body.api_id}`,
          apiName: body.api_name ?? undefined,
          vendorName: body.vendor_name ?? undefined,
        },
        agreements: body.agreements.map((entry) => ({
          name: entry.agreement_name,
          link: entry.agreement_link,
          type: entry.type ?? undefined,
          text: entry.text ?? undefined,
          retrievedAt: parseTimestamp(entry.retrieved_at ?? undefined),
        })),
        by: context.account,
      })
      return describe(api, { isExtended: false, isAssessment: false, account: context.account })
    },

    listAgreementChanges: async (input) => {
      const api = await catalogue.findApi(input.api_id)
      if (!api) throw createApiNotFoundError(input.api_id)
      const request = { size: input.size, page: input.page }
      const page = await store.listChanges(api.id, request)
      return toAgreementHistoryWire(api, { page, request })
    },
  }
}

/** Adds the changes to agreements to API rows, batch by batch. */
async function* addAgreementChanges(
  apis: AsyncIterable<readonly Api[]>,
  { store, days }: { readonly store: AgreementStore; readonly days: DayRange },
) {
  for await (const batch of apis) {
    const ids = batch.map(({ id }) => id)
    const changes = await store.findChanges(ids, { ...days, limit: MAX_CHANGES })
    const rows: (ReturnType<typeof toAddedApiWire> & {
      agreement_changes: Awaited<ReturnType<typeof toChangesWire>>
    })[] = []
    for (const api of batch) {
      const agreement_changes = await toChangesWire(changes.get(api.id) ?? [])
      rows.push({ ...toAddedApiWire(api), agreement_changes })
    }
    yield rows
  }
}

/** Maximum number of changes per API in a list. */
const MAX_CHANGES = 100

interface DayRange {
  readonly startDate: string
  readonly endDate: string
}

/** Options of a request, and its account. */
interface AgreementView {
  readonly isExtended: boolean
  readonly isAssessment: boolean
  readonly account: Account
}

function toView(
  input: { readonly assessment: boolean; readonly extended: boolean },
  { account }: Context,
): AgreementView {
  return { isExtended: input.extended, isAssessment: input.assessment, account }
}

function parseTimestamp(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseInstant(text) ?? parseDay(text))
}
