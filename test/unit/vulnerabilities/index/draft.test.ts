import { describe, expect, it } from 'vitest'
import { createIndexBuilder } from '../../../../core/vulnerabilities/index/index-builder.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'
import { sampleRecord } from '../loading/samples.ts'

describe('createDraft', () => {
  it('reuses its memory after each run, regardless of the number of terms', async () => {
    const load = await createMemoryVulnerabilities().beginLoad({ source: 'nvd' })
    const draft = createIndexBuilder(200_000)
    const sizes = [0]
    for (let record = 0; record < 2000; record += 1) {
      const words = Array.from({ length: 20 }, (_, index) => `word${record}x${index}`)
      const descriptions = [{ language: 'en', text: words.join(' ') }]
      draft.add(sampleRecord(record, { descriptions }), {
        rowId: record,
        versions: {},
        products: { listed: [], others: [] },
      })
      sizes[draft.runs] = (sizes[draft.runs] ?? 0) + 1
      await draft.spillWhenLarge(load)
    }
    expect(sizes.length).toBeGreaterThan(10)
    expect(sizes.slice(0, -1).filter((records) => records < 80)).toEqual([])
  })
})
