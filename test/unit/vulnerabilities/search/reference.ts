import type {
  AffectedProduct,
  CveRecord,
  EpssScore,
  KnownExploited,
} from '../../../../core/vulnerabilities/records.ts'
import type {
  Comparisons,
  CveFilters,
  CveQuery,
} from '../../../../core/vulnerabilities/search/query.ts'

/** The reference implementation of a search: a scan of arrays. */
export interface ReferenceData {
  readonly records: readonly CveRecord[]
  readonly products: ReadonlyMap<string, readonly AffectedProduct[]>
  readonly epss: readonly EpssScore[]
  readonly exploited: readonly KnownExploited[]
  readonly covers: (affected: AffectedProduct['versions'][number], version: string) => boolean
}

/** IDs of the page's records in order, the total, and the named products. */
export interface ReferenceResults {
  readonly count: number
  readonly hits: readonly { readonly id: string; readonly named: string }[]
}

/**
 * Written for simplicity. The words of a term are passed separately, because `search/term.ts` has
 * its own tests.
 */
export function searchReference(
  data: ReferenceData,
  query: CveQuery & {
    readonly words: readonly string[]
    readonly phrases: readonly (readonly string[])[]
    readonly ids: readonly string[]
  },
): ReferenceResults {
  const { filters = {}, page } = query
  const found = data.records
    .filter((record) => query.includesRejected || !record.isRejected)
    .filter(({ id }) => query.ids.every((wanted) => wanted === id))
    .filter((record) => {
      const fields = toFields(data, record).map(toPlainWords)
      const all = fields.flat()
      return (
        query.words.every((word) => all.includes(word)) &&
        query.phrases.every((phrase) => fields.some((field) => hasPhrase(field, phrase)))
      )
    })
    .filter((record) => passes(data, record, filters))
    .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1))
  const start = page ? (page.page - 1) * page.size : 0
  const words = [...query.words, ...query.phrases.flat()]
  return {
    count: found.length,
    hits: found.slice(start, page ? start + page.size : undefined).map((record) => ({
      id: record.id,
      named: nameBest(toWanted(data, record, query.filters ?? {}), words),
    })),
  }
}

/** Runs of ASCII letters and digits in lower case; the test's texts contain no other words. */
function toPlainWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

function toFields(data: ReferenceData, { id, descriptions }: CveRecord): readonly string[] {
  const names = (data.products.get(id) ?? []).flatMap(({ vendor, product }) => [vendor, product])
  return [id, descriptions[0]?.text ?? '', ...names]
}

function hasPhrase(field: readonly string[], phrase: readonly string[]): boolean {
  return field.some((_, start) => phrase.every((word, index) => field[start + index] === word))
}

function passes(data: ReferenceData, record: CveRecord, filters: CveFilters): boolean {
  const epss = data.epss.find(({ id }) => id === record.id)
  const listed = data.exploited.find(({ id }) => id === record.id)
  const addedOn = (listed ?? record.exploited)?.addedOn
  const score = (...versions: readonly string[]) =>
    versions
      .flatMap((version) => [true, false].map((isPrimary) => ({ version, isPrimary })))
      .map(({ version, isPrimary }) =>
        record.metrics.find((each) => each.version === version && each.isPrimary === isPrimary),
      )
      .find((metric) => metric !== undefined)?.score
  const toDay = (ms: number) => ms - (ms % 86_400_000)
  const { cweId, vendor, product, version, vector, referenceHost, referenceTag } = filters
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  return (
    compares(score('2.0'), filters.cvss2) &&
    compares(score('3.1', '3.0'), filters.cvss3) &&
    compares(score('4.0'), filters.cvss4) &&
    compares(new Date(record.publishedAt).getUTCFullYear(), filters.year) &&
    compares(epss?.score, filters.epss) &&
    compares(epss?.percentile, filters.epssPercentile) &&
    compares(toDay(record.publishedAt), filters.published) &&
    compares(toDay(record.modifiedAt), filters.modified) &&
    compares(addedOn === undefined ? undefined : Date.parse(addedOn), filters.exploitedSince) &&
    (filters.isExploited !== true || addedOn !== undefined) &&
    (filters.isRansomware !== true || listed?.isRansomware === true) &&
    (cweId === undefined || record.weaknesses.some(({ id }) => same(id, cweId))) &&
    ((vendor ?? product ?? version) === undefined || toWanted(data, record, filters).length > 0) &&
    (vector === undefined ||
      vector.every((wanted) => wanted.endsWith(':X')) ||
      record.metrics.some((metric) =>
        vector
          .filter((wanted) => !wanted.endsWith(':X'))
          .every((wanted) => metric.vector.split('/').some((each) => same(each, wanted))),
      )) &&
    (referenceHost === undefined ||
      record.references.some(({ url }) => same(new URL(url).hostname, referenceHost))) &&
    (referenceTag === undefined ||
      record.references.some(({ tags }) => tags.some((tag) => same(tag, referenceTag))))
  )
}

function compares(present: number | undefined, wanted: Comparisons | undefined): boolean {
  if (!wanted) return true
  if (!('operator' in wanted)) return wanted.every((each) => compares(present, each))
  if (present === undefined) return false
  const { operator, value } = wanted
  if (operator === '=') return present === value
  if (operator === '>') return present > value
  if (operator === '<') return present < value
  return operator === '>=' ? present >= value : present <= value
}

/** The affected products that match the filters. */
function toWanted(
  data: ReferenceData,
  { id }: CveRecord,
  { vendor, product, version }: CveFilters,
): readonly AffectedProduct[] {
  const same = (a: string, b: string | undefined) => a.toLowerCase() === (b ?? a).toLowerCase()
  return (data.products.get(id) ?? [])
    .filter((each) => same(each.vendor, vendor) && same(each.product, product))
    .filter(
      ({ versions }) =>
        version === undefined || versions.some((each) => data.covers(each, version)),
    )
}

/**
 * `vendor product` of the product whose names contain most of the words; the first of equal ones.
 */
function nameBest(products: readonly AffectedProduct[], words: readonly string[]): string {
  const distinct = [...new Set(words)]
  const count = (names: string) => {
    const held = toPlainWords(names)
    return distinct.filter((word) => held.includes(word)).length
  }
  const ranked = products
    .map(({ vendor, product }) => ({
      text: `${vendor} ${product}`,
      all: count(`${vendor} ${product}`),
      inProduct: count(product),
    }))
    .sort((a, b) => b.all - a.all || b.inProduct - a.inProduct)
  return ranked[0]?.text ?? ''
}
