import type { GatewayStore } from '../gateway/store.ts'
import { sampleParameters, sampleResponse } from '../schemas/samples.ts'
import type { Endpoint } from './records.ts'
import type { CatalogueStore } from './store.ts'

/**
 * Returns the example response and example input of an endpoint (Specification 2.4). The response
 * is the documented one, else one published from a recorded call, else one sampled from the schema.
 */
export async function buildExample(
  endpoint: Endpoint,
  deps: {
    readonly store: Pick<CatalogueStore, 'findComponents'>
    readonly answers: Pick<GatewayStore, 'findPublishedResponse'>
  },
) {
  const { id, apiId, shortId, response, parameters } = endpoint
  const isDocumented = response?.example !== undefined
  const published = isDocumented ? undefined : await deps.answers.findPublishedResponse(id)
  return {
    output_response:
      published?.body ??
      (await sampleResponse({
        response,
        findComponents: (pointers) => deps.store.findComponents(apiId, pointers),
      })),
    endpoint_id: shortId,
    input_parameters: { ...(await sampleParameters(parameters)) },
  }
}
