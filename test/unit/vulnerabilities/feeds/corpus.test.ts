import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listFeedFiles, readFeedFile } from '../../../../adapters/feeds/feed-files.ts'
import { toAffectedProducts } from '../../../../core/vulnerabilities/affected-products.ts'
import { readEpss } from '../../../../core/vulnerabilities/feeds/epss.ts'
import { readKev } from '../../../../core/vulnerabilities/feeds/kev.ts'
import { readNvdFeed } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'
import { someOf } from '../../../helpers/runs.ts'
import { findSharedData } from '../../../helpers/shared-data.ts'

const data = findSharedData()
const nvd = join(data ?? '', 'nvd')
const isThere = data !== undefined && existsSync(nvd)
const files = isThere ? readdirSync(nvd).filter((name) => name.endsWith('.json.gz')) : []

describe.skipIf(!isThere)('The real feeds', () => {
  it('are all present', async () => {
    const found = await listFeedFiles(nvd)
    expect(found.files.map(({ name }) => name)).toEqual([...files, 'stats.json'].sort())
    expect(found.ignored).toEqual([])
  })

  it.each(someOf(files, 4))(
    'match a plain count over %s',
    async (file) => {
      const counts = new Map<string, number>()
      const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
      const problems: unknown[] = []
      for await (const event of readNvdFeed(readFeedFile(join(nvd, file)))) {
        problems.push(...event.problems)
        for (const record of event.records) countRecord(record, add)
      }
      expect(problems).toEqual([])
      expect(toSorted(counts)).toEqual(toSorted(countRaw(join(nvd, file))))
    },
    300_000,
  )

  it('contain the whole catalogue of CISA', async () => {
    const folder = join(data ?? '', 'kev')
    for (const file of readdirSync(folder)) {
      const raw = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const catalogue = await readKev(readFeedFile(join(folder, file)))
      expect(catalogue.problems).toEqual([])
      expect(catalogue.version).toBe(raw.catalogVersion)
      expect(catalogue.entries).toEqual(
        raw.vulnerabilities.map((entry: Readonly<Record<string, string>>) => ({
          id: entry.cveID,
          name: entry.vulnerabilityName,
          addedOn: entry.dateAdded,
          dueOn: entry.dueDate,
          action: entry.requiredAction,
          isRansomware: entry.knownRansomwareCampaignUse === 'Known',
        })),
      )
    }
  })

  it('contain all EPSS scores', async () => {
    const path = join(data ?? '', 'epss', 'epss-all.csv.gz')
    const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
    let count = 0
    const wrong: string[] = []
    for await (const event of readEpss(readFeedFile(path))) {
      for (const { message } of event.problems) wrong.push(message)
      for (const { id, score, percentile } of event.scores) {
        const line = lines[count] ?? ''
        const [rawId, rawScore, rawPercentile] = line.trim().split(';')
        const isSame =
          id === rawId && score === Number(rawScore) && percentile === Number(rawPercentile)
        if (!isSame) wrong.push(line)
        count += 1
      }
    }
    expect([wrong, count]).toEqual([[], lines.length])
  })
})

type Add = (name: string) => void

function countRecord(record: CveRecord, add: Add): void {
  add('records')
  add(`id ${record.id}`)
  add(`status ${record.status}`)
  add(`year ${new Date(record.publishedAt).getUTCFullYear()}`)
  add(`modified ${new Date(record.modifiedAt).toISOString().slice(0, 10)}`)
  if (record.isRejected) add('rejected')
  if (record.exploited) add('exploited')
  for (const { language } of record.descriptions) add(`language ${language}`)
  for (const tag of record.tags) add(`tag ${tag}`)
  for (const { version, isPrimary, score, severity } of record.metrics) {
    add(`metric ${version} ${isPrimary} ${score} ${severity}`)
  }
  for (const { id } of record.weaknesses) add(`weakness ${id}`)
  for (const { tags } of record.references) {
    add('reference')
    for (const tag of tags) add(`reference tag ${tag}`)
  }
  for (const { vendor, product, versions } of toAffectedProducts(record.configurations)) {
    add(`product ${vendor} ${product}`)
    for (const _ of versions) add('version')
  }
}

/** An item of a file that is parsed as a whole, independently of the reader. */
// biome-ignore lint/suspicious/noExplicitAny: the raw data are read as they come
type Raw = any

function countRaw(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const document: Raw = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'))
  for (const { cve } of document.vulnerabilities ?? []) countRaw2(cve, add)
  for (const item of document.CVE_Items ?? []) countRaw1(item, add)
  return counts
}

function countRaw2(cve: Raw, add: Add): void {
  add('records')
  add(`id ${cve.id}`)
  add(`status ${cve.vulnStatus}`)
  add(`year ${Number(cve.published.slice(0, 4))}`)
  add(`modified ${cve.lastModified.slice(0, 10)}`)
  if (cve.vulnStatus === 'Rejected') add('rejected')
  if (cve.cisaExploitAdd) add('exploited')
  for (const { lang } of cve.descriptions) add(`language ${lang}`)
  for (const { tags } of cve.cveTags) for (const tag of tags) add(`tag ${tag}`)
  const keys = {
    cvssMetricV2: '2.0',
    cvssMetricV30: '3.0',
    cvssMetricV31: '3.1',
    cvssMetricV40: '4.0',
  }
  for (const [key, version] of Object.entries(keys)) {
    for (const { type, cvssData, baseSeverity } of cve.metrics[key] ?? []) {
      const severity = version === '2.0' ? baseSeverity : cvssData.baseSeverity
      add(`metric ${version} ${type === 'Primary'} ${cvssData.baseScore} ${severity}`)
    }
  }
  for (const { description } of cve.weaknesses ?? []) {
    for (const { value } of description) add(`weakness ${value}`)
  }
  countReferences(cve.references ?? [], add)
  const nodes = (cve.configurations ?? []).flatMap((configuration: Raw) => configuration.nodes)
  countProducts(
    nodes.flatMap((node: Raw) => node.cpeMatch),
    'criteria',
    add,
  )
}

function countRaw1(item: Raw, add: Add): void {
  const { cve, impact } = item
  const texts = cve.description.description_data
  add('records')
  add(`id ${cve.CVE_data_meta.ID}`)
  add('status ')
  add(`year ${Number(item.publishedDate.slice(0, 4))}`)
  add(`modified ${item.lastModifiedDate.slice(0, 10)}`)
  if (/^(?:\*\* REJECT|Rejected reason:)/.test(texts[0].value)) add('rejected')
  for (const { lang } of texts) add(`language ${lang}`)
  const v3 = impact.baseMetricV3?.cvssV3
  if (v3) add(`metric ${v3.version} true ${v3.baseScore} ${v3.baseSeverity}`)
  const v2 = impact.baseMetricV2
  if (v2) add(`metric 2.0 true ${v2.cvssV2.baseScore} ${v2.severity}`)
  for (const { description } of cve.problemtype.problemtype_data) {
    for (const { value } of description) add(`weakness ${value}`)
  }
  countReferences(cve.references.reference_data, add)
  const matches: Raw[] = []
  const nodes: Raw[] = [...item.configurations.nodes]
  for (let node = nodes.shift(); node; node = nodes.shift()) {
    matches.push(...(node.cpe_match ?? []))
    nodes.unshift(...(node.children ?? []))
  }
  countProducts(matches, 'cpe23Uri', add)
}

function countReferences(references: readonly Raw[], add: Add): void {
  for (const { tags } of references) {
    add('reference')
    for (const tag of tags ?? []) add(`reference tag ${tag}`)
  }
}

function countProducts(matches: readonly Raw[], key: string, add: Add): void {
  const products = new Set<string>()
  const versions = new Set<string>()
  for (const match of matches) {
    if (!match.vulnerable) continue
    const parts: readonly string[] = match[key].match(/(?:[^:\\]|\\.)+/g) ?? []
    const [vendor, product, version, update] = parts
      .slice(3, 7)
      .map((part) => part.replace(/\\(.)/g, '$1'))
    const isUpdated = !['*', '-'].includes(update ?? '') && !['*', '-'].includes(version ?? '')
    const exact = isUpdated ? `${version} ${update}` : version
    const bounds = Object.entries(match).filter(([name]) => name.startsWith('version'))
    products.add(`product ${vendor} ${product}`)
    versions.add(JSON.stringify([vendor, product, bounds.length > 0 ? bounds.sort() : exact]))
  }
  for (const product of products) add(product)
  for (const _ of versions) add('version')
}

function toSorted(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts].map(([name, count]) => `${name}: ${count}`).sort()
}
