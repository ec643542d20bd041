import { readFile } from 'node:fs/promises'
import { dump } from 'js-yaml'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../adapters/storage/postgres.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import type { Api, Endpoint } from '../../core/catalogue/records.ts'
import { visitEndpoints } from '../../core/catalogue/search/packing.ts'
import type { EndpointPosting } from '../../core/catalogue/store.ts'
import { PROBLEM_TYPES } from '../../core/http/problems.ts'
import type { ImportReport } from '../../core/imports/records.ts'
import { type ApiDiscovery, createApiDiscovery, ServiceError } from '../../core/index.ts'
import { foldName } from '../../core/shared/text.ts'
import type { FullStorage } from '../../core/storage.ts'
import {
  changeRelease,
  createChooser,
  createRelease,
  type Release,
  toReleaseDocument,
} from '../helpers/description-walks.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'
import { createSeededRandom } from '../helpers/random.ts'
import { isFull, runs, someOf } from '../helpers/runs.ts'
import { findSharedData } from '../helpers/shared-data.ts'

const SHARED = findSharedData()
let postgres: TestPostgres | undefined

afterAll(() => postgres?.stop())

describeReimports('SQLite', {
  open: () => openSqlite({ file: ':memory:' }),
  sequences: runs(runs(2000)),
  shareOf: (all) => someOf(all),
})
if (isFull) {
  describeReimports('PostgreSQL', {
    open: async () => {
      postgres = await startPostgres()
      return openPostgres({ url: await postgres.createDatabase() })
    },
    sequences: runs(runs(500)),
    shareOf: (all) => someOf(someOf(all, 2)),
  })
}

/** Files that are not descriptions, or have an unknown version. */
const REFUSED = [
  'bkk__main_1.0.1.json',
  'test-apidevtools-swagger-parser__test_specs_invalid_newer-version.yaml',
  'test-apidevtools-swagger-parser__test_specs_invalid_not-swagger.yaml',
]
/** Words of the generated descriptions in their indexed form. */
const TERMS = ['read', 'write', 'drop', 'edit', 'id', 'name', 'Second Maker', 'json', 'b'].map(
  (text) => ({
    text,
    isPrefix: false,
  }),
)

function describeReimports(
  name: string,
  options: {
    readonly open: () => Promise<FullStorage>
    readonly sequences: number
    readonly shareOf: <T>(all: readonly T[]) => readonly T[]
  },
): void {
  describe(`repeated imports of one API into ${name}`, () => {
    let storage: FullStorage
    let app: ApiDiscovery
    let refused: string[]

    beforeEach(() => {
      refused = []
    })
    beforeAll(async () => {
      storage = await options.open()
      app = createApiDiscovery({ storage })
    })
    afterAll(() => app.close())

    it(`are consistent for ${options.sequences} random sequences of releases`, {
      timeout: 3_600_000,
    }, async () => {
      for (let seed = 1; seed <= options.sequences; seed += 1) {
        const chooser = createChooser(createSeededRandom(seed))
        let release = createRelease(chooser)
        let view: View | undefined
        for (let step = 0; step < 5; step += 1) {
          view = await expectSound(serializeRelease(release), {
            former: view,
            place: `sequence ${seed}, release ${step}`,
          })
          release = changeRelease(chooser, release)
        }
        await storage.catalogue.removeApi(view?.api.encryptedId ?? '')
      }
      expect(refused).toEqual([])
    })

    // The real descriptions are not part of the project.
    it.skipIf(SHARED === undefined)(
      'are consistent for real descriptions of the same title',
      {
        timeout: 3_600_000,
      },
      async () => {
        const pairs = await listPairs()
        expect(pairs.length).toBeGreaterThan(100)
        for (const names of options.shareOf(pairs)) {
          let view: View | undefined
          const apis = new Set<string>()
          for (const name of [...names, names[0]]) {
            const bytes = new Uint8Array(await readFile(`${SHARED}/openapi/${name}`))
            view = await expectSound(bytes, { former: view, place: `${name} of ${names}` })
            if (view) apis.add(view.api.encryptedId)
          }
          for (const id of apis) await storage.catalogue.removeApi(id)
        }
        const files = refused.map((place) => place.split(' ')[0] ?? '')
        expect(files.filter((file) => !REFUSED.includes(file))).toEqual([])
      },
    )

    /**
     * Imports a release twice, and separately. No import may fail, unchanged endpoints retain their
     * IDs, and the API equals a first import of the release.
     */
    async function expectSound(
      bytes: Uint8Array,
      given: { readonly former: View | undefined; readonly place: string },
    ): Promise<View | undefined> {
      const { former, place } = given
      const imported = await importWell(bytes, { vendorName: 'First Maker', place })
      if (!imported) return former
      const view = await readView(imported.apiId)
      if (former?.api.id === view.api.id) expectSameIds(former.endpoints, view.endpoints, place)
      expect([place, await importWell(bytes, { vendorName: 'First Maker', place })]).toEqual([
        place,
        {
          apiId: imported.apiId,
          report: expect.objectContaining({
            added: 0,
            changed: 0,
            removed: 0,
            unchanged: view.endpoints.length,
          }),
        },
      ])
      expect(await readView(imported.apiId)).toEqual(view)
      const fresh = await importWell(bytes, { vendorName: 'Second Maker', place })
      if (!fresh) throw new Error(`${place} is refused for another vendor`)
      expect([place, toContent(view)]).toEqual([place, toContent(await readView(fresh.apiId))])
      await storage.catalogue.removeApi(fresh.apiId)
      return view
    }

    /** Imports a description. Returns undefined if it is rejected; throws if the service fails. */
    async function importWell(
      bytes: Uint8Array,
      given: { readonly vendorName: string; readonly place: string },
    ): Promise<{ readonly apiId: string; readonly report: ImportReport } | undefined> {
      const { vendorName, place } = given
      try {
        const { apiId, report } = await app.imports.importDescription({
          bytes,
          vendorName,
          categoryName: 'Software & Services',
          baseUrl: 'https://base.example',
          createVendor: true,
          isPublic: true,
        })
        return { apiId, report }
      } catch (error) {
        if (error instanceof ServiceError && PROBLEM_TYPES[error.code].status < 500) {
          refused.push(place)
          return undefined
        }
        throw new Error(`The import of ${place} failed`, { cause: error })
      }
    }

    async function readView(apiId: string) {
      const api = await storage.catalogue.findApi(apiId)
      if (!api) throw new Error(`API ${apiId} not found`)
      const postings = await storage.catalogue.findEndpointPostings(TERMS, [api.id])
      return { api, endpoints: await storage.catalogue.listApiEndpoints(api.id), postings }
    }
  })
}

interface View {
  readonly api: Api
  readonly endpoints: readonly Endpoint[]
  readonly postings: readonly EndpointPosting[]
}

/**
 * Returns all data of an API except IDs, vendor and times, independent of the order of endpoints.
 */
function toContent({ api, endpoints, postings }: View) {
  const keys = new Map(endpoints.map(({ id, key }) => [id, key]))
  const { id: _id, encryptedId: _encryptedId, vendor: _vendor, createdAt: _created, ...row } = api
  const found = postings.flatMap(({ term, endpoints: packed }) => {
    const texts: string[] = []
    visitEndpoints(packed, (id, level) => texts.push(`${term} ${level} ${keys.get(id) ?? id}`))
    return texts
  })
  return {
    api: { ...row, updatedAt: 0 },
    endpoints: endpoints
      .map(({ id: _, shortId: _short, apiId: _api, ...endpoint }) => endpoint)
      .sort((left, right) => (left.key < right.key ? -1 : 1)),
    postings: found.sort(),
  }
}

/** Contract 4.6: an endpoint is identified by method and path without parameter names. */
function expectSameIds(
  before: readonly Endpoint[],
  after: readonly Endpoint[],
  place: string,
): void {
  const toIds = ({ id, shortId }: Endpoint) => `${id} ${shortId}`
  const former = new Map(before.map((endpoint) => [toExactName(endpoint), toIds(endpoint)]))
  const now = new Map(after.map((endpoint) => [toExactName(endpoint), toIds(endpoint)]))
  expect([place, now.size]).toEqual([place, after.length])
  const moved = [...now].filter(([name, ids]) => former.has(name) && former.get(name) !== ids)
  expect([place, moved]).toEqual([place, []])
  const ids = new Set(before.map(toIds))
  const groups = groupBy(
    after.filter(({ isInbound }) => !isInbound),
    toTemplate,
  )
  for (const [template, endpoints] of groups) {
    const stored = before.filter((each) => !each.isInbound && toTemplate(each) === template)
    const kept = endpoints.filter((endpoint) => ids.has(toIds(endpoint)))
    const wanted = Math.min(stored.length, endpoints.length)
    expect([place, template, kept.length]).toEqual([place, template, wanted])
  }
}

function groupBy<T>(items: readonly T[], toKey: (item: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>()
  for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item])
  return groups
}

/** Names a callback with its operation. */
function toExactName({ isInbound, method, path, operationId }: Endpoint): string {
  return `${isInbound ? `inbound ${operationId}` : ''} ${method} ${path}`
}

function toTemplate({ method, path }: Endpoint): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

function serializeRelease(release: Release): Uint8Array {
  const document = toReleaseDocument(release)
  return new TextEncoder().encode(release.isYaml ? dump(document) : JSON.stringify(document))
}

/** All ordered pairs of real descriptions with the same title. */
async function listPairs(): Promise<readonly (readonly [string, string])[]> {
  const entries: readonly { readonly file: string; readonly title?: string }[] = JSON.parse(
    await readFile(`${SHARED}/openapi-manifest.json`, 'utf8'),
  )
  const groups = groupBy(entries, ({ title = '' }) => foldName(title))
  groups.delete('')
  return [...groups.values()].flatMap((group) =>
    group.flatMap((first) =>
      group.flatMap((second) => (first === second ? [] : [[first.file, second.file] as const])),
    ),
  )
}
