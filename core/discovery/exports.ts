import type { AgreementLink, Api } from '../catalogue/records.ts'
import type { ApiFacts, CatalogueStore } from '../catalogue/store.ts'
import type { ImportStore } from '../imports/store.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoredScan } from '../scans/store.ts'
import type { Account } from '../shared/account.ts'
import { isHttpUrl } from '../shared/urls.ts'
import { type ApisJsonOptions, toApisJsonEntry, toApisJsonHead } from './apis-json.ts'
import type { BackstageOptions } from './backstage.ts'
import { readApis } from './entry-index.ts'

/** Writes the catalogue in formats of other registries, streamed. */
export interface Exports {
  /** Writes the catalogue as APIs.json 0.17, with the agreements of each API and of its vendor. */
  apisJson(options: ApisJsonOptions): AsyncIterable<Uint8Array>
  /**
   * Writes Backstage entities as YAML documents: an `API` for each catalogued API, and a `Component`
   * for each scanned project of the account, from its newest scan.
   */
  backstage(options: BackstageOptions & { readonly account: Account }): AsyncIterable<Uint8Array>
}

/** A stored project scan with the APIs that it uses. */
interface CountedScan {
  readonly scan: StoredScan
  readonly apis: readonly { readonly apiId: number | undefined }[]
  readonly isCurrent: boolean
}

type ScanName = { readonly kind: 'project'; readonly id: string }

/** Creates the exports. */
export function createExports(deps: {
  readonly catalogue: Pick<
    CatalogueStore,
    'listFacts' | 'findApis' | 'listAgreementsOf' | 'listVendorAgreements'
  >
  readonly findSource: ImportStore['findSource']
  readonly scans: {
    listGroups(
      account: Account,
      request: { readonly kind: 'project'; readonly page: number; readonly size: number },
    ): Promise<{ readonly items: readonly CountedScan[]; readonly total: number }>
    rematch(account: Account, name: ScanName): Promise<void>
    getCounted(account: Account, name: ScanName): Promise<CountedScan>
  }
  readonly clock: Clock
}): Exports {
  const { catalogue, scans, findSource, clock } = deps

  /** Reads all APIs by name with their agreements: links of its own, then those of its vendor. */
  async function* readDescribedApis(facts: readonly ApiFacts[]): AsyncIterable<{
    readonly api: Api
    readonly agreements: readonly AgreementLink[]
  }> {
    for await (const apis of readApis(catalogue, facts)) {
      const own = await catalogue.listAgreementsOf(apis.map(({ id }) => id))
      for (const api of apis) {
        const all = [
          ...(own.get(api.id) ?? []),
          ...(await catalogue.listVendorAgreements(api.vendor.id)),
        ]
        yield { api, agreements: all.filter(({ link }) => isHttpUrl(link)) }
      }
    }
  }

  /** Reads the newest scan of each project, matched to the current catalogue. */
  async function* readProjects(account: Account) {
    for (let page = 1; ; page += 1) {
      const { items, total } = await scans.listGroups(account, {
        kind: 'project',
        page,
        size: SCANS_AT_ONCE,
      })
      for (const item of items) {
        const name = { kind: 'project', id: item.scan.id } as const
        if (!item.isCurrent) await scans.rematch(account, name)
        const { scan, apis } = item.isCurrent ? item : await scans.getCounted(account, name)
        const used = apis.flatMap(({ apiId }) => apiId ?? [])
        yield { scan, apis: await catalogue.findApis(used) }
      }
      if (page * SCANS_AT_ONCE >= total) return
    }
  }

  return {
    async *apisJson(options) {
      const facts = await catalogue.listFacts()
      const head = JSON.stringify(toApisJsonHead(options, { facts, now: clock() }), undefined, 2)
      yield encode(`${head.slice(0, -2)},\n  "apis": [`)
      let separator = '\n    '
      for await (const described of readDescribedApis(facts)) {
        yield encode(separator + JSON.stringify(toApisJsonEntry(described, options)))
        separator = ',\n    '
      }
      yield encode(facts.length === 0 ? ']\n}\n' : '\n  ]\n}\n')
    },

    async *backstage({ account, ...options }) {
      const { toApiEntity, toComponentEntity, writeYamlDocument } = await import('./backstage.ts')
      const facts = await catalogue.listFacts()
      const byId = new Map(facts.map((each) => [each.id, each]))
      for await (const described of readDescribedApis(facts)) {
        const { id } = described.api
        const source = options.baseUrl === undefined ? await findSource(id) : undefined
        const entity = toApiEntity({ ...described, facts: byId.get(id), source }, options)
        yield encode(writeYamlDocument(entity))
      }
      for await (const project of readProjects(account)) {
        yield encode(writeYamlDocument(toComponentEntity({ ...project, owner: options.owner })))
      }
    },
  }
}

const SCANS_AT_ONCE = 50

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
