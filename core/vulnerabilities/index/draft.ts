import { createPause, runInSlices } from '../../shared/slices.ts'
import type { AffectedProduct, CveRecord } from '../records.ts'
import type { Load } from '../store.ts'
import { createDraftColumns, type DraftColumns } from './draft-columns.ts'
import { createDraftTerms, type DraftTerms } from './draft-terms.ts'
import { createInverter } from './inverter.ts'
import { createRunWriter } from './runs.ts'
import { orderTerms } from './term-order.ts'

/** An index in the making: records in the order of adding, numbered from 0. */
export interface Draft {
  readonly columns: Omit<DraftColumns, 'add'>
  /** The terms of the records since the last `spill`. */
  readonly terms: DraftTerms
  /** How many runs were written, numbered from 0: the terms of the records before. */
  readonly runs: number
  /** Adds a record with its affected products; gives its number. */
  add(
    record: CveRecord,
    kept: {
      readonly rowId: number
      readonly digest: number
      readonly products: readonly AffectedProduct[]
    },
  ): number
  /** To be awaited when the terms take much memory, which this writes as a run; else undefined. */
  spillWhenLarge(load: Load): Promise<void> | undefined
}

/** `maxBytes` is how much memory the terms may take, 32 MiB unless told. */
export function createDraft(maxBytes: number = MAX_BYTES): Draft {
  const columns = createDraftColumns()
  const terms = createDraftTerms()
  let invert = createInverter(terms)
  let runs = 0

  async function spill(load: Load): Promise<void> {
    const writer = createRunWriter(load, runs)
    const { order, texts } = await runInSlices(orderTerms(terms))
    const pause = createPause()
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
