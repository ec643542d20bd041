import { createYieldIfDue, runInTimeSlices } from '../../shared/time-slices.ts'
import type { AffectedProduct, CveRecord } from '../records.ts'
import type { Load } from '../store.ts'
import { createDraftColumns, type DraftColumns } from './draft-columns.ts'
import { createDraftTerms, type DraftTerms } from './draft-terms.ts'
import { createInverter } from './inverter.ts'
import { createRunWriter } from './runs.ts'
import { orderTerms } from './term-order.ts'

/** An index under construction: records in the order of adding, numbered from 0. */
export interface Draft {
  readonly columns: Omit<DraftColumns, 'add'>
  /** Terms of the records added since the last spill. */
  readonly terms: DraftTerms
  /** Number of runs written so far, which contain the terms of earlier records. */
  readonly runs: number
  /** Adds a record with its affected products; returns its number. */
  add(
    record: CveRecord,
    kept: {
      readonly rowId: number
      readonly digest: number
      readonly products: readonly AffectedProduct[]
    },
  ): number
  /** Writes the terms as a run if they use much memory; undefined if there is nothing to await. */
  spillWhenLarge(load: Load): Promise<void> | undefined
}

/** `maxBytes` limits the memory of the terms, 32 MiB by default. */
export function createDraft(maxBytes: number = MAX_BYTES): Draft {
  const columns = createDraftColumns()
  const terms = createDraftTerms()
  let invert = createInverter(terms)
  let runs = 0

  async function spill(load: Load): Promise<void> {
    const writer = createRunWriter(load, runs)
    const { order, texts } = await runInTimeSlices(orderTerms(terms))
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
    add(record, { rowId, digest, products }) {
      const document = columns.count
      columns.add(record, { rowId, digest })
      invert(record, { document, products })
      return document
    },
    spillWhenLarge: (load) =>
      terms.count === 0 || terms.bytes < maxBytes ? undefined : spill(load),
  }
}

const MAX_BYTES = 32 << 20
