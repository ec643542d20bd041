import { buildPostingsSync } from '../../../../core/catalogue/search/postings.ts'
import { foldName } from '../../../../core/shared/text.ts'
import { syntheticCatalogue } from '../../../bench/synthetic.ts'
import { createMemoryPostings, type MemoryPostings } from '../../../helpers/memory-postings.ts'

/** An API in few words; its endpoints are written `method path | summary | operationId`. */
export interface SmallApi {
  readonly name: string
  readonly vendor?: string
  readonly category?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly endpoints?: readonly string[]
  /** Parameter names of every endpoint. */
  readonly parameters?: readonly string[]
  readonly responseFields?: readonly string[]
}

/** An index of small APIs: IDs 1, 2, …; the nth endpoint of API i is i * 100 + n, from 1. */
export function openIndex(apis: readonly SmallApi[]): MemoryPostings {
  const store = createMemoryPostings()
  for (const [index, api] of apis.entries()) {
    const id = index + 1
    store.add({ id, name: foldName(api.name) }, toSmallPostings(api, id))
  }
  return store
}

/** The index rows of one small API. */
export function toSmallPostings(small: SmallApi, id: number) {
  const { name, vendor = '', category = '', description = '', tags = [], endpoints = [] } = small
  return buildPostingsSync({
    vendorName: vendor,
    categoryName: category,
    api: { ...MODEL.api, name, description, tags },
    endpoints: endpoints.map((line, index) => {
      const [call = '', summary = '', operationId = ''] = line.split(' | ')
      const [method = '', path = ''] = call.split(' ')
      const names = { method, path, summary, operationId, description: '', tags: [] }
      const parameters = (small.parameters ?? []).map((each) => ({
        ...MODEL.parameter,
        name: each,
      }))
      const responseFields = small.responseFields ?? []
      const model = { ...MODEL.endpoint, ...names, parameters, responseFields }
      return { id: id * 100 + index + 1, description: model }
    }),
  })
}

function readModel() {
  const [generated] = syntheticCatalogue({ apis: 1, endpoints: 1 })
  const endpoint = generated?.endpoints[0]
  const parameter = endpoint?.parameters[0]
  if (!generated || !parameter) throw new Error('Cannot make a small API: the generator gave none')
  return { api: generated.api, endpoint, parameter }
}

const MODEL = readModel()
