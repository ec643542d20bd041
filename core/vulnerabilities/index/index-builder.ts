import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { CveRecord } from '../records.ts'
import type { Load } from '../store.ts'
import { type ColumnsBuilder, createColumnsBuilder, type RecordRow } from './columns-builder.ts'
import { createInverter } from './inverter.ts'
import { createRunWriter } from './runs.ts'
import { sortTerms } from './sort-terms.ts'
import { createTermsBuilder, type TermsBuilder } from './terms-builder.ts'

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
