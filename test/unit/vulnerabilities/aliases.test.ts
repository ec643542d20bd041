import { describe, expect, it } from 'vitest'
import { listAliases } from '../../../core/vulnerabilities/aliases.ts'
import { sampleRecord } from './loading/samples.ts'
import { loadAll, toHits } from './search/loaded.ts'

const GHSA = 'GHSA-jfh8-c2jp-5v3q'

function withReferences(number: number, ...urls: readonly string[]) {
  return sampleRecord(number, {
    references: urls.map((url) => ({ url, source: 'cna@example.com', tags: [] })),
  })
}

const RECORDS = [
  withReferences(
    1,
    'https://github.com/acme/web/security/advisories/ghsa-JFH8-c2jp-5v3q',
    'https://euvd.enisa.europa.eu/vulnerability/EUVD-2021-0001',
    `https://github.com/advisories/${GHSA}`,
  ),
  withReferences(2, 'https://example.com/ghsa-notes', `https://example.com/not-${GHSA}`),
]

describe('listAliases', () => {
  it('lists each ID to which a reference points, as its database spells it', () => {
    expect(RECORDS.map(listAliases)).toEqual([[GHSA, 'EUVD-2021-0001'], []])
  })
})

describe('A search for an alias', () => {
  it('finds the records that refer to it', async () => {
    const { search, findRecord } = await loadAll({ records: RECORDS })
    const find = async (term: string) => (await toHits(await search({ term }))).map(({ id }) => id)
    expect(await find(GHSA)).toEqual(['CVE-2021-0001'])
    expect(await find(`remote ${GHSA.toLowerCase()}`)).toEqual(['CVE-2021-0001'])
    expect(await find('euvd-2021-0001')).toEqual(['CVE-2021-0001'])
    expect(await find('EUVD-2021-0002')).toEqual([])
    expect(await find(`"${GHSA}"`)).toEqual([])
    expect((await findRecord(GHSA.toUpperCase()))?.record.id).toBe('CVE-2021-0001')
    expect(await findRecord('GHSA-jfh8-c2jp-5v3r')).toBeUndefined()
  })
})
