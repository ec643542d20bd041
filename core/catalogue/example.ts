import { sampleParameters, sampleResponse } from '../schemas/example.ts'
import type { Endpoint } from './records.ts'
import type { CatalogueStore } from './store.ts'

/** Example response and example input of an endpoint (Specification 2.4). */
export async function describeExample(
  { apiId, shortId, response, parameters }: Endpoint,
  store: Pick<CatalogueStore, 'findComponents'>,
) {
  return {
    output_response: await sampleResponse({
      response,
      findComponents: (pointers) => store.findComponents(apiId, pointers),
    }),
    endpoint_id: shortId,
    input_parameters: { ...(await sampleParameters(parameters)) },
  }
}
