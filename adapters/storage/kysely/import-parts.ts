import type { SearchPosting } from '../../../core/catalogue/records.ts'
import type { ApiChange } from '../../../core/imports/store.ts'
import { MAX_NAME_LENGTH } from '../../../core/shared/text.ts'
import { replaceAgreements } from './agreements.ts'
import { insertRows } from './bulk.ts'
import type { ImportScope } from './endpoint-changes.ts'
import { packSource } from './source-bytes.ts'

/**
 * Replaces the dependent data of an API that the import provides: components, agreements, source
 * and search index.
 */
export async function replaceDependentData(
  scope: ImportScope & { readonly at: number },
  apiChange: { readonly wanted: ApiChange; readonly idsByKey: ReadonlyMap<string, number> },
): Promise<void> {
  const { components, agreements, source, postings, termsVersion = 0 } = apiChange.wanted
  if (components) await replaceComponents(scope, components)
  if (agreements) {
    const { kind, tx, apiId, at } = scope
    const imported = agreements.map(({ spdxId = '', ...rest }) => ({
      ...rest,
      spdxId,
      text: undefined,
    }))
    await replaceAgreements({ kind, tx, apiId, by: undefined, at }, imported)
  }
  if (source) await replaceSource(scope, source)
  if (postings) {
    const ofApi = await postings(apiChange.idsByKey)
    await replacePostings(scope, { postings: ofApi, version: termsVersion })
  }
}

type Present<Part extends keyof ApiChange> = NonNullable<ApiChange[Part]>

async function replaceComponents(
  { kind, tx, apiId }: ImportScope,
  components: Present<'components'>,
): Promise<void> {
  await tx.deleteFrom('component').where('api_id', '=', apiId).execute()
  await insertRows(tx, {
    kind,
    table: 'component',
    columns: ['api_id', 'pointer', 'json'],
    rows: toComponentRows(apiId, components),
  })
}

function* toComponentRows(apiId: number, components: Present<'components'>) {
  for (const [pointer, json] of components) {
    if (pointer.length <= MAX_NAME_LENGTH) yield [apiId, pointer, json]
  }
}

async function replaceSource({ tx, apiId }: ImportScope, source: Present<'source'>): Promise<void> {
  const bytes = await packSource(source.bytes)
  const values = { media_type: source.mediaType, digest: source.digest, bytes }
  await tx
    .insertInto('api_source')
    .values({ api_id: apiId, ...values })
    .onConflict((conflict) => conflict.column('api_id').doUpdateSet(values))
    .execute()
}

/** Replaces the postings of an API in the search index, built by a version of the term rules. */
export async function replacePostings(
  { kind, tx, apiId }: Pick<ImportScope, 'kind' | 'tx' | 'apiId'>,
  index: { readonly postings: readonly SearchPosting[]; readonly version: number },
): Promise<void> {
  const { postings, version } = index
  await tx
    .insertInto('search_version')
    .values({ api_id: apiId, version })
    .onConflict((conflict) => conflict.column('api_id').doUpdateSet({ version }))
    .execute()
  await tx.deleteFrom('search_posting').where('api_id', '=', apiId).execute()
  await insertRows(tx, {
    kind,
    table: 'search_posting',
    columns: ['term', 'api_id', 'weight', 'endpoints'],
    rows: toPostingRows(apiId, postings),
  })
}

/**
 * Converts postings to rows, sorted by term like the index, so that its pages are filled in order.
 */
function* toPostingRows(apiId: number, postings: readonly SearchPosting[]) {
  for (const { term, weight, endpoints } of postings) {
    if (term.length <= MAX_NAME_LENGTH) yield [term, apiId, weight, endpoints]
  }
}
