import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { toAffectedProducts } from '../../../../core/vulnerabilities/affected-products.ts'
import { toCveRecord } from '../../../../core/vulnerabilities/feeds/read-nvd.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'
import { findSharedData } from '../../../helpers/shared-data.ts'
import { loadAll, toHits } from './loaded.ts'

const folder = findSharedData()

describe.skipIf(folder === undefined)('Searches of real records', () => {
  it('find the same words and phrases as a regular expression', async () => {
    const records = readRecords()
    const texts = records.map(toFields)
    const scan = (...words: readonly string[]) => {
      const letters = '[\\p{L}\\p{N}]'
      const between = words.join(`[^\\p{L}\\p{N}]+`)
      const pattern = new RegExp(`(?<!${letters})${between}(?!${letters})`, 'u')
      return records
        .filter((_, index) => texts[index]?.some((field) => pattern.test(field)))
        .map(({ id }) => id)
    }
    const reads = await loadAll({ records })
    const find = async (term: string) =>
      (await toHits(await reads.search({ term }))).map(({ id }) => id)
    const step = Math.ceil(records.length / 60)
    const chosen = texts.filter((_, index) => index % step === 0)
    for (const [index, fields] of chosen.entries()) {
      const words = fields[(index * 7) % fields.length]?.match(/[\p{L}\p{N}]+/gu) ?? []
      const start = (index * 13) % words.length
      const [first = 'the', ...more] = words.slice(start, start + 1 + (index % 4))
      expect([first, await find(first)]).toEqual([first, scan(first)])
      const phrase = [first, ...more]
      expect([phrase, await find(`"${phrase.join(' ')}"`)]).toEqual([phrase, scan(...phrase)])
    }
  })
})

/** The records of a feed that are not rejected, in the order of results. */
function readRecords(): readonly CveRecord[] {
  const file = `${folder}/nvd/nvdcve-2.0-modified.json.gz`
  const feed = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    readonly vulnerabilities: readonly unknown[]
  }
  return feed.vulnerabilities
    .map(toCveRecord)
    .filter(({ isRejected }) => !isRejected)
    .sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1))
}

/** Folded by hand: the texts contain no marks except those of letters. */
function toFields({ id, descriptions, configurations }: CveRecord): readonly string[] {
  const names = toAffectedProducts(configurations).flatMap(({ vendor, product }) => [
    vendor,
    product,
  ])
  return [id, descriptions[0]?.text ?? '', ...names].map((field) =>
    field.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
  )
}
