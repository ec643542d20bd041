import { memoizeByText } from '../../shared/memoize.ts'
import { findStatedPackage } from '../../shared/package-urls.ts'
import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { RecordProducts } from '../affected-products.ts'
import { listAliases } from '../aliases.ts'
import type { AffectedProduct, CveRecord, CvssVersion, ReportedProduct } from '../records.ts'
import { toReportedProducts } from '../reported-products.ts'
import type { Load } from '../store.ts'
import { packShortVersion } from '../stored/products.ts'
import { type ColumnsBuilder, createColumnsBuilder, type RecordRow } from './columns-builder.ts'
import { createFieldWriter } from './field-writer.ts'
import { createRunWriter } from './runs.ts'
import { sortTerms } from './sort-terms.ts'
import {
  extractHost,
  toAliasTerm,
  toCweTerm,
  toHostTerm,
  toMetricTerms,
  toNameWordTerm,
  toPackageTerm,
  toPackageVersionTerm,
  toPairTerm,
  toProductTerm,
  toSsvcTerm,
  toTagTerm,
  toVendorTerm,
} from './terms.ts'
import { createTermsBuilder, type TermsBuilder } from './terms-builder.ts'
import { splitWords } from './words.ts'

/** An index under construction: records in the order of adding, numbered from 0. */
export interface IndexBuilder {
  readonly columns: Omit<ColumnsBuilder, 'add'>
  /** Terms of the records added since the last spill. */
  readonly terms: TermsBuilder
  /** Number of runs written so far, which contain the terms of earlier records. */
  readonly runs: number
  /** Adds a record with its affected products; returns its number. */
  add(record: CveRecord, row: RecordRow): number
  /** Writes the terms as a run if they use much memory; undefined if there is nothing to await. */
  spillWhenLarge(load: Load): Promise<void> | undefined
}

/** Adds the terms of a document. Document numbers must ascend. */
type Inverter = (
  record: CveRecord,
  noted: { readonly document: number; readonly products: RecordProducts },
) => void

/** A vendor or product name as term numbers. */
interface NameTerms {
  readonly term: number
  readonly words: readonly number[]
  readonly nameWords: readonly number[]
}

/** `maxBytes` limits the memory of the terms, 32 MiB by default. */
export function createIndexBuilder(maxBytes: number = MAX_BYTES): IndexBuilder {
  const columns = createColumnsBuilder()
  const terms = createTermsBuilder()
  let invert = createInverter(terms)
  let runs = 0

  async function spill(load: Load): Promise<void> {
    const writer = createRunWriter(load, runs)
    const { order, texts } = await runInTimeSlices(sortTerms(terms))
    const pause = createYieldIfDue()
    for (const term of order) {
      writer.add(texts[term] ?? '', terms.read(term))
      await writer.flushWhenLarge()
      await pause()
    }
    await writer.flush()
    runs += 1
    terms.clear()
    invert = createInverter(terms)
  }

  return {
    columns,
    terms,
    get runs() {
      return runs
    },
    add(record, row) {
      const document = columns.count
      columns.add(record, row)
      invert(record, { document, products: row.products })
      return document
    },
    spillWhenLarge: (load) =>
      terms.count === 0 || terms.bytes < maxBytes ? undefined : spill(load),
  }
}

const MAX_BYTES = 32 << 20

/** Creates a function that adds the terms of records to `terms`. */
function createInverter(terms: TermsBuilder): Inverter {
  const hosts = memoizeByText((host) => terms.numberOf(toHostTerm(host)))
  const tags = memoizeByText((tag) => terms.numberOf(toTagTerm(tag)))
  const weaknesses = memoizeByText((id) => terms.numberOf(toCweTerm(id)))
  const vendors = memoizeByText((vendor) => toNameTerms(vendor, toVendorTerm(vendor)))
  const products = memoizeByText((product) => toNameTerms(product, toProductTerm(product)))
  const vectors = memoizeByText((key) => {
    // A version and its vectors, one per line.
    const [version, ...lines] = key.split('\n')
    const scorings = lines.map((vector) => ({ version: version as CvssVersion, vector }))
    return toMetricTerms(scorings).map((term) => terms.numberOf(term))
  })
  const fields = createFieldWriter(terms)
  let document = 0

  function toNameTerms(name: string, term: string): NameTerms {
    const words = splitWords(name)
    return {
      term: terms.numberOf(term),
      words: words.map((word) => terms.numberOf(word)),
      nameWords: words.map((word) => terms.numberOf(toNameWordTerm(word))),
    }
  }

  /** Adds the words of a name as a separate field, and the name itself, once per record. */
  function addName(name: NameTerms): void {
    if (!terms.add(name.term, document)) return
    fields.addWords(name.words)
    for (const word of name.nameWords) terms.add(word, document)
  }

  function addProducts(affected: readonly AffectedProduct[]): void {
    for (const { vendor, product } of affected) {
      addName(vendors(vendor))
      addName(products(product))
      terms.add(terms.numberOf(toPairTerm(vendor, product)), document)
    }
  }

  function addPackages(reported: readonly ReportedProduct[]): void {
    for (const one of reported) {
      const stated = findStatedPackage(one)
      if (!stated) continue
      terms.add(terms.numberOf(toPackageTerm(stated.key)), document)
      for (const version of toReportedProducts([one]).flatMap(({ versions }) => versions)) {
        const term = toPackageVersionTerm(stated.key, packShortVersion(version))
        terms.add(terms.numberOf(term), document)
      }
    }
  }

  /**
   * A term contains the position of its vector, so that a search can match metrics of one vector.
   */
  function addVectors(metrics: CveRecord['metrics']): void {
    for (const version of VERSIONS) {
      let key: string = version
      for (const metric of metrics) if (metric.version === version) key += `\n${metric.vector}`
      if (key === version) continue
      for (const term of vectors(key)) terms.add(term, document)
    }
  }

  return (record, noted) => {
    document = noted.document
    fields.begin(document)
    fields.addText(record.id)
    fields.addText(record.descriptions[0]?.text ?? '')
    addProducts(noted.products.listed)
    addProducts(noted.products.others)
    addPackages(record.reported ?? [])
    if (record.ssvc) terms.add(terms.numberOf(toSsvcTerm(record.ssvc.exploitation)), document)
    for (const { id } of record.weaknesses) terms.add(weaknesses(id), document)
    addVectors(record.metrics)
    for (const alias of listAliases(record)) terms.add(terms.numberOf(toAliasTerm(alias)), document)
    for (const { url, tags: names } of record.references) {
      const host = extractHost(url)
      if (host !== '') terms.add(hosts(host), document)
      for (const name of names) terms.add(tags(name), document)
    }
  }
}

const VERSIONS: readonly CvssVersion[] = ['2.0', '3.0', '3.1', '4.0']
