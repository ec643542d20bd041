import { Validation } from '@cyclonedx/cyclonedx-library'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderJson, renderXml } from '../../../core/boms/cyclonedx/render.ts'
import { SPEC_VERSIONS } from '../../../core/boms/records.ts'
import { runs } from '../../helpers/runs.ts'
import { openXmlJudge } from '../../helpers/xml-schemas.ts'
import { arbitraryBom, collectArbitrary } from './arbitrary-boms.ts'
import { readText } from './texts.ts'

const samples = await Promise.all(
  fc.sample(arbitraryBom, { numRuns: runs(500), seed: 5 }).map(collectArbitrary),
)

/** Number of documents that are validated together. */
const BATCH = 60

describe.each(SPEC_VERSIONS)('CycloneDX %s', (version) => {
  it('is valid JSON by the official schema with any third-party texts', async () => {
    const validator = new Validation.JsonStrictValidator(version as never)
    for (const [index, bom] of samples.entries()) {
      const text = await readText(await renderJson(bom, version))
      expect([index, await validator.validate(text)]).toEqual([index, null])
    }
  }, 300_000)

  const judge = openXmlJudge(version)
  it.skipIf(!judge)(
    'is valid XML by the official schema with any third-party texts',
    async () => {
      for (let start = 0; start < samples.length; start += BATCH) {
        const texts = samples
          .slice(start, start + BATCH)
          .map(async (bom) => readText(await renderXml(bom, version)))
        expect(await judge?.(await Promise.all(texts))).toEqual([])
      }
    },
    300_000,
  )

  it('is the same document each time', async () => {
    const [first] = fc.sample(arbitraryBom, { numRuns: 1, seed: 5 })
    if (!first) throw new Error('no sample')
    for (const render of [renderJson, renderXml]) {
      const once = await readText(await render(await collectArbitrary(first), version))
      const again = await readText(await render(await collectArbitrary(first), version))
      expect(again).toBe(once)
    }
  })
})
