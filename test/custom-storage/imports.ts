import type { Endpoint } from '../../core/catalogue/index.ts'
import { ServiceError } from '../../core/errors.ts'
import type { ApiChange, ApiIdentity, NewEndpoint, Storage } from '../../core/storage.ts'
import { MAX_NAME_LENGTH } from '../../core/storage.ts'
import type { CataloguedApi, CatalogueState, Generation } from './catalogue.ts'
import { clean, rejectLongName } from './texts.ts'

const EMPTY = {
  endpoints: [],
  digests: new Map<number, number>(),
  components: new Map<string, string>(),
  agreements: [],
  changedAt: [],
  postings: [],
}

/** Creates the store that imports descriptions: each import makes one generation, or none. */
export function createImports(state: CatalogueState, now: () => number): Storage['imports'] {
  return {
    async replaceApi(identity, decide) {
      rejectLongName(identity.name)
      rejectLongName(identity.majorVersion)
      return state.change(async () => {
        const { current } = state
        const existing = findExisting(current, identity)
        const wanted = decide(existing && toExisting(existing))
        if (existing && isEmpty(wanted)) return toResult(existing, current.number)
        const replaced = await applyChange(current, { identity, existing, wanted, now })
        state.current = replaced.generation
        return toResult(replaced.entry, state.current.number)
      })
    },
  }
}

interface ApiUpdate {
  readonly identity: ApiIdentity
  readonly existing: CataloguedApi | undefined
  readonly wanted: ApiChange
  readonly now: () => number
}

function findExisting({ apis }: Generation, { kind, vendor, name, majorVersion }: ApiIdentity) {
  const found = apis.filter(
    ({ api, foldedName }) =>
      api.vendor.id === vendor.id && foldedName === clean(name) && api.kind === kind,
  )
  return (
    found.find(({ api }) => api.isDescribed && api.majorVersion === majorVersion) ??
    found.find(({ api }) => !api.isDescribed)
  )
}

function toExisting({ api, endpoints, digests }: CataloguedApi) {
  return {
    api,
    endpoints: endpoints.map(({ id, shortId, key, path }) => {
      return { id, shortId, key, path, digest: digests.get(id) ?? 0 }
    }),
  }
}

function isEmpty({ added, changed, removed, ...wanted }: ApiChange): boolean {
  const { api, components, agreements, source, postings } = wanted
  const parts = [api, components, agreements, source, postings]
  return added.length + changed.length + removed.length === 0 && parts.every((part) => !part)
}

function toResult({ api }: CataloguedApi, generation: number) {
  return { apiId: api.id, encryptedId: api.encryptedId, generation }
}

/** Returns the next generation; the current one is unchanged, also if this fails. */
async function applyChange(
  current: Generation,
  update: ApiUpdate,
): Promise<{ readonly generation: Generation; readonly entry: CataloguedApi }> {
  const { existing, wanted, now } = update
  const api = toApi(current, update)
  const changes = changeEndpoints(current, { apiId: api.id, existing, wanted })
  const { components, postings } = wanted
  const agreements = wanted.agreements?.map(({ name, link, kind }) => clean({ name, link, kind }))
  const isChanged =
    agreements && JSON.stringify(agreements) !== JSON.stringify(existing?.agreements ?? [])
  const entry: CataloguedApi = {
    ...(existing ?? EMPTY),
    ...changes,
    api,
    foldedName: clean(update.identity.name),
    ...(components && {
      components: new Map(
        [...clean(components)].filter(([pointer]) => pointer.length <= MAX_NAME_LENGTH),
      ),
    }),
    ...(isChanged && {
      agreements,
      changedAt: [...(existing?.changedAt ?? []), wanted.api?.now ?? now()],
    }),
    ...(postings && {
      postings: clean(
        await postings(new Map(changes.endpoints.map(({ key, id }) => [key, id]))),
      ).filter(({ term }) => term.length <= MAX_NAME_LENGTH),
    }),
  }
  const others = current.apis.filter((each) => each !== existing)
  const apis = [...others, entry].sort((one, other) => one.api.id - other.api.id)
  const endpointIds = changes.endpoints.map(({ id }) => id)
  const lastEndpointId = Math.max(current.lastEndpointId, ...endpointIds)
  return { generation: { ...current, number: current.number + 1, apis, lastEndpointId }, entry }
}

function toApi({ vendors, apis }: Generation, { identity, existing, wanted }: ApiUpdate) {
  if (!wanted.api) {
    if (existing) return existing.api
    throw new Error('A new API needs its data')
  }
  const vendor = vendors.find(({ id }) => id === identity.vendor.id)
  if (!vendor) throw new ServiceError('not_found', 'Cannot import the API: vendor not found')
  const { now, isDescribed = true, ...row } = clean(wanted.api)
  if (apis.some((each) => each !== existing && each.api.encryptedId === row.encryptedId)) {
    throw new ServiceError('conflict', 'Cannot import the API: its encrypted ID is in use')
  }
  return {
    ...row,
    majorVersion: clean(identity.majorVersion),
    id: existing?.api.id ?? (apis.at(-1)?.api.id ?? 0) + 1,
    vendor,
    isClaiming: false,
    canClaim: false,
    isAgreementsRestricted: false,
    isDescribed,
    createdAt: existing?.api.createdAt ?? now,
    updatedAt: now,
  }
}

function changeEndpoints(
  { apis, lastEndpointId }: Generation,
  {
    apiId,
    existing,
    wanted: { added, changed, removed },
  }: Pick<ApiUpdate, 'existing' | 'wanted'> & { readonly apiId: number },
): Pick<CataloguedApi, 'endpoints' | 'digests'> {
  const endpoints = new Map((existing?.endpoints ?? []).map((each) => [each.id, each]))
  const digests = new Map(existing?.digests)
  for (const id of removed) endpoints.delete(id)
  const others = apis.filter((each) => each !== existing).flatMap((each) => each.endpoints)
  const taken = new Set([...others, ...endpoints.values()].map(({ shortId }) => shortId))
  const save = (id: number, shortId: string, { description, digest }: NewEndpoint) => {
    const endpoint: Endpoint = { ...clean(description), id, shortId, apiId }
    endpoints.set(id, endpoint)
    digests.set(id, digest)
  }
  for (const { id, ...endpoint } of changed) {
    const former = endpoints.get(id)
    if (!former) throw new Error(`Endpoint ${id} does not belong to the API`)
    save(id, former.shortId, endpoint)
  }
  for (const [index, endpoint] of added.entries()) {
    const shortId = endpoint.shortIds.find((each) => !taken.has(each))
    if (shortId === undefined) {
      throw new ServiceError('conflict', 'Cannot import the API: all short IDs are taken')
    }
    taken.add(shortId)
    save(lastEndpointId + 1 + index, shortId, endpoint)
  }
  const sorted = [...endpoints.values()].sort((one, other) => one.id - other.id)
  return { endpoints: sorted, digests }
}
