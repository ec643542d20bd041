import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readNvdFeed } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import { createVulnerabilityLoads } from '../../../../core/vulnerabilities/service.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'
import { someOf } from '../../../helpers/runs.ts'
import { findSharedData } from '../../../helpers/shared-data.ts'
import { readContent } from './index-content.ts'

const folder = findSharedData()
/** The large feed, or the small one if a share of the runs is enough. */
const FEED = someOf(['nvdcve-2.0-modified', 'nvdcve-2.0-2026']).at(-1)

/** The fields of a raw item that the test reads on its own. */
interface RawItem {
  readonly cve: {
    readonly id: string
    readonly published: string
    readonly vulnStatus: string
    readonly descriptions: readonly { readonly lang: string; readonly value: string }[]
    readonly configurations?: readonly {
      readonly nodes: readonly {
        readonly cpeMatch: readonly { readonly vulnerable: boolean; readonly criteria: string }[]
      }[]
    }[]
  }
}

function toNames({ cve }: RawItem): readonly (readonly [vendor: string, product: string])[] {
  return (cve.configurations ?? [])
    .flatMap(({ nodes }) => nodes.flatMap(({ cpeMatch }) => cpeMatch))
    .filter(({ vulnerable }) => vulnerable)
    .map(({ criteria }) => {
      const [, , , vendor = '', product = ''] = criteria
        .split(/(?<!\\):/)
        .map((value) => value.replace(/\\(.)/g, '$1'))
      return [vendor, product] as const
    })
}

/** Distinct by their bytes. */
function sorted(values: Iterable<string>): readonly string[] {
  const bytes = [...new Set(values)].map((value) => Buffer.from(value))
  return bytes.sort(Buffer.compare).map(String)
}

describe.skipIf(folder === undefined)('A real feed', () => {
  it('is indexed as a count over the raw file expects', async () => {
    const bytes = gunzipSync(readFileSync(join(folder ?? '', 'nvd', `${FEED}.json.gz`)))
    const { vulnerabilities: items } = JSON.parse(bytes.toString()) as {
      readonly vulnerabilities: readonly RawItem[]
    }
    const store = createMemoryVulnerabilities()
    // Little memory, so that terms are spilled to the store as in a large load.
    const loads = createVulnerabilityLoads({ store, clock: () => 0, maxBuilderBytes: 4 << 20 })
    const feed = readNvdFeed(new Blob([bytes]).stream() as unknown as AsyncIterable<Uint8Array>)
    const report = await loads.loadRecords(feed, { source: 'nvd' })
    expect(report).toMatchObject({ read: items.length, added: items.length, total: items.length })

    const content = await readContent(store)
    const shown = items.filter(({ cve }) => cve.vulnStatus !== 'Rejected')
    expect(content?.counts.rejected).toBe(items.length - shown.length)
    const pairs = shown.flatMap(toNames)
    expect(content?.vendors).toEqual(sorted(pairs.map(([vendor]) => vendor)))
    const products = new Map<string, string[]>(pairs.map(([vendor]) => [vendor, []]))
    for (const [vendor, product] of pairs) products.get(vendor)?.push(product)
    expect(Object.fromEntries(content?.products ?? [])).toEqual(
      Object.fromEntries([...products].map(([vendor, names]) => [vendor, sorted(names)])),
    )
    const years = items.map(({ cve }) => Number(cve.published.slice(0, 4)))
    expect(content?.columns.year).toEqual(years.sort((a, b) => a - b))
    const texts = items.map((item) => {
      const { id, descriptions } = item.cve
      const text = descriptions.find(({ lang }) => lang === 'en')?.value ?? ''
      return { id, text: [id, text, ...toNames(item).flat()].join('\n').replaceAll('_', ' ') }
    })
    for (const word of ['remote', 'sql', 'linux', 'php', 'a', 'windows', 'chrome', '2026']) {
      const pattern = new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${word}(?![\\p{L}\\p{N}\\p{M}])`, 'iu')
      const ids = texts.filter(({ text }) => pattern.test(text)).map(({ id }) => id)
      expect(sorted(Object.keys(content?.terms[word] ?? {}))).toEqual(sorted(ids))
    }
  })
})
