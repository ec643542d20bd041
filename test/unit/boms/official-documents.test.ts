import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explainBom, type ValidatorCache } from '../../../core/boms/explaining/explain-bom.ts'
import { findSharedData } from '../../helpers/shared-data.ts'

const folder = findSharedData()
const VERSIONS = ['1.4', '1.5', '1.6', '1.7']
const documents = (folder === undefined ? [] : VERSIONS).flatMap((version) =>
  readdirSync(`${folder}/cyclonedx/${version}`).map((name) => ({ name, version })),
)

const judges: ValidatorCache = new Map()

async function validateOfficial({
  name,
  version,
}: {
  readonly name: string
  readonly version: string
}) {
  return explainBom(readFileSync(`${folder}/cyclonedx/${version}/${name}`, 'utf8'), judges)
}

const named = (sort: 'valid' | 'invalid') =>
  documents.filter(({ name }) => name.startsWith(`${sort}-`))

describe.skipIf(folder === undefined)('the official CycloneDX documents', () => {
  it.each(named('valid'))('$name is reported as valid', async (document) => {
    expect((await validateOfficial(document)).explanations).toEqual([])
  })

  it.each(named('invalid'))('$name is reported as invalid, with a reason', async (document) => {
    const { isValid, version, explanations } = await validateOfficial(document)
    expect([isValid, version]).toEqual([false, document.version])
    for (const { what, why, repair } of explanations) {
      expect([what, why, repair].every((text) => text.length > 3)).toBe(true)
    }
    expect(explanations.length).toBeGreaterThan(0)
  })
})
