import { existsSync, readFileSync } from 'node:fs'
import { buildPostingsSync } from '../../core/catalogue/search/postings.ts'
import type { SearchStore } from '../../core/catalogue/search/search-apis.ts'
import { extractDescription } from '../../core/imports/extract/extract-description.ts'
import { readDescription } from '../../core/imports/read-description.ts'
import { foldName } from '../../core/shared/text.ts'
import { createMemoryPostings } from '../helpers/memory-postings.ts'

/** Real descriptions, read in place; they are not part of the project. */
export const DATA = '../shared/data'

/** A search index of the real descriptions, with the names that queries refer to. */
export interface GoldenCatalogue {
  readonly store: SearchStore
  /** `vendor / title` by API ID. */
  readonly apis: ReadonlyMap<number, string>
  /** `method path` by endpoint ID. */
  readonly endpoints: ReadonlyMap<number, string>
}

/** True if the real descriptions are available. */
export function hasGoldenData(): boolean {
  return existsSync(`${DATA}/openapi-manifest.json`)
}

/**
 * Indexes all importable descriptions, with only the last version of each API. Optionally adds the
 * examples of the project.
 */
export function openGoldenCatalogue(options?: { readonly withExamples: boolean }): GoldenCatalogue {
  const store = createMemoryPostings()
  const apis = new Map<number, string>()
  const endpoints = new Map<number, string>()
  const described = [...readLatest(), ...(options?.withExamples ? readExamples() : [])]
  for (const { vendor, api, endpoints: ofApi } of described) {
    const id = apis.size + 1
    apis.set(id, `${vendor} / ${api.name}`)
    const numbered = ofApi.map((description) => {
      const endpointId = endpoints.size + 1
      endpoints.set(endpointId, `${description.method} ${description.path}`)
      return { id: endpointId, description }
    })
    const indexed = { vendorName: vendor, categoryName: '', api, endpoints: numbered }
    store.add({ id, name: foldName(api.name) }, buildPostingsSync(indexed))
  }
  return { store, apis, endpoints }
}

function readLatest() {
  const latest = new Map<string, ReturnType<typeof readOne> & { readonly vendor: string }>()
  for (const { file, vendor } of readManifest()) {
    const description = readOne(`${DATA}/openapi/${file}`)
    if (!description) continue
    const { name, majorVersion } = description.api
    latest.set(`${vendor}\n${foldName(name)}\n${majorVersion}`, { vendor, ...description })
  }
  return [...latest.values()]
}

function readExamples() {
  return EXAMPLES.flatMap(([vendor, file]) => {
    const description = readOne(`fixtures/seed/descriptions/${file}`)
    return description ? [{ vendor, ...description }] : []
  })
}

const EXAMPLES = [
  ['Ledgerly', 'ledgerly-payments.json'],
  ['Pigeon', 'pigeon-messaging.json'],
  ['Skycast', 'skycast-weather.yaml'],
  ['Wayfare', 'wayfare-maps.yaml'],
] as const

function readOne(path: string) {
  try {
    return extractDescription(readDescription(readFileSync(path)))
  } catch {
    // Some files are invalid on purpose, which import tests cover.
    return undefined
  }
}

/** Lists the real descriptions and their vendors. */
export function readManifest(): readonly { readonly file: string; readonly vendor: string }[] {
  return JSON.parse(readFileSync(`${DATA}/openapi-manifest.json`, 'utf8'))
}
