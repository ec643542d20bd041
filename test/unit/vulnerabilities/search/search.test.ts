import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAffectedProducts } from '../../../../core/vulnerabilities/affected-products.ts'
import { coversVersion } from '../../../../core/vulnerabilities/versions.ts'
import { runs } from '../../../helpers/runs.ts'
import { loadAll, toHits } from './loaded.ts'
import { searchReference } from './reference.ts'
import { filters, pages, samples, terms } from './samples.ts'

describe('A search', () => {
  it('returns the same records in the same order as a scan of all records', async () => {
    const queries = fc.array(fc.tuple(terms, filters, pages, fc.boolean()), {
      minLength: 30,
      maxLength: 30,
    })
    const property = fc.asyncProperty(samples, queries, async (data, asked) => {
      const reads = await loadAll(data)
      const products = new Map(
        data.records.map(({ id, configurations }) => [id, toAffectedProducts(configurations)]),
      )
      for (const [term, given, page, includesRejected] of asked) {
        const query = { ...term, filters: given, page, includesRejected }
        const results = await reads.search(query)
        const hits = await toHits(results)
        const expected = searchReference({ ...data, products, covers: coversVersion }, query)
        expect({ query, count: results.count, hits }).toEqual({ query, ...expected })
      }
    })
    await fc.assert(property, { seed: 21, numRuns: runs(60) })
  })
})
