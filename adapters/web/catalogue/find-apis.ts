import type { Api } from '../../../core/catalogue/index.ts'
import { ServiceError } from '../../../core/index.ts'
import type { ViewedRequest } from '../page.ts'

/** Finds APIs by numeric ID; omits removed ones. */
export async function findApis(
  { app }: ViewedRequest,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Api>> {
  const found = await Promise.all(
    [...new Set(ids)].map((id) =>
      app.catalogue.getApi(String(id)).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'not_found') return undefined
        throw error
      }),
    ),
  )
  return new Map(found.flatMap((api) => (api ? [[api.id, api] as const] : [])))
}
