import { describe, expect, it } from 'vitest'
import { readContent } from '../loading/index-content.ts'
import { sampleConfigurations, sampleRecord } from '../loading/samples.ts'
import { openMachine } from './samples.ts'

const DAY_MS = 86_400_000

/** Numbers of records from `first` to `last`. */
function sampleRecords(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, index) => sampleRecord(first + index))
}

async function openFilled(last = 30) {
  const machine = openMachine()
  await machine.load(sampleRecords(1, last))
  await machine.rate(['CVE-2021-0003', 'CVE-2021-0004'], 0.5)
  return machine
}

describe('An archive', () => {
  it('has the same content in another database, with ratings and states of the sources', async () => {
    const source = await openFilled()
    const target = openMachine()
    const report = await target.pull(await source.exportAll())
    expect(report).toEqual({
      kind: 'full',
      exportedAt: Date.UTC(2026, 0, 1),
      isChanged: true,
      load: {
        read: 30,
        added: 30,
        changed: 0,
        unchanged: 0,
        older: 0,
        removed: 0,
        total: 30,
        generation: 1,
        ms: 0,
      },
    })
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
    const { sources, ...status } = await target.vulnerabilities.status()
    const { sources: exported, ...expected } = await source.vulnerabilities.status()
    expect({ ...status, generation: 0 }).toEqual({ ...expected, generation: 0 })
    expect(sources).toEqual([
      ...exported,
      { name: 'pull', loadedAt: Date.UTC(2026, 0, 1), dataAt: Date.UTC(2022, 0, 1) },
    ])
    expect(await target.vulnerabilities.readCheckpoint('nvd')).toBe('{"records":30}')
    expect(await target.search('flaw')).toBe(30)
  })

  it('finds every word at its position, whatever the records contain', async () => {
    const source = openMachine()
    const texts = [
      '',
      'Größe der Größe: ÄÖÜ-Übertragung in ＬＯＧ４Ｊ, e\u0301t\u00e9 et été',
      `${'x'.repeat(300)} then ${'x'.repeat(300)} 2.0-beta9`,
      '数据库 漏洞 via a "phrase with a phrase with a phrase"',
      'word '.repeat(400),
    ]
    const vendors = ['acme', 'a\\&b_corp', 'n'.repeat(400), 'größe']
    const records = texts.flatMap((text, index) =>
      vendors.map((vendor, place) =>
        sampleRecord(index * vendors.length + place + 1, {
          descriptions: [{ language: 'en', text }],
          configurations: [
            ...sampleConfigurations(vendor, 'web_server'),
            ...sampleConfigurations(vendor, 'web_server_2'),
            ...sampleConfigurations('acme', vendor),
          ],
        }),
      ),
    )
    await source.load([...records, sampleRecord(99, { descriptions: [], configurations: [] })])
    await source.load(records.slice(3, 9).map((record) => ({ ...record, modifiedAt: 1e12 * 2 })))
    const target = openMachine()
    await target.pull(await source.exportAll())
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
    expect(await target.search('"phrase with a phrase"')).toBe(vendors.length)
  })

  it('contains the records of both authorities', async () => {
    const source = await openFilled()
    const target = openMachine()
    const own = (number: number) =>
      sampleRecord(number, {
        status: 'PUBLISHED',
        descriptions: [{ language: 'en', text: `Text of the CVE Program\n${number}` }],
      })
    await source.load([29, 30, 31, 32].map(own), { authority: 'cve' })
    await target.pull(await source.exportAll())
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
    await source.load([33].map(own), { authority: 'cve' })
    await target.pull(await source.exportAll())
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
    const found = await target.vulnerabilities.findRecord('CVE-2021-0031')
    expect(found?.record.descriptions[0]?.text).toBe('Text of the CVE Program\n31')
  })

  it('writes only records that differ, and removes the others', async () => {
    const source = await openFilled()
    const target = openMachine()
    await target.pull(await source.exportAll())
    const rows = [...target.store.records.keys()]
    const changed = sampleRecord(7, { modifiedAt: Date.UTC(2023, 0, 1), status: 'Modified' })
    await source.load([...sampleRecords(2, 6), changed, ...sampleRecords(8, 31)], {
      isComplete: true,
    })
    const { load } = await target.pull(await source.exportAll())
    expect(load).toMatchObject({ added: 1, changed: 1, removed: 1, unchanged: 28, total: 30 })
    expect([...target.store.records.keys()].filter((row) => !rows.includes(row)).length).toBe(2)
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
    target.wait(DAY_MS)
    await target.load([])
    expect(target.store.records.size).toBe(30)
  })

  it('that was loaded before changes nothing', async () => {
    const source = await openFilled()
    const target = openMachine()
    const bytes = await source.exportAll()
    await target.pull(bytes)
    const { isChanged, load } = await target.pull(bytes)
    expect([isChanged, load.generation, load.unchanged]).toEqual([false, 1, 30])
  })

  it('with other ratings of the same records replaces only these', async () => {
    const source = await openFilled()
    const target = openMachine()
    await target.pull(await source.exportAll())
    const records = target.store.records.size
    source.wait(DAY_MS)
    await source.rate(['CVE-2021-0005'], 0.25)
    expect(await target.pull(await source.exportAll())).toMatchObject({ isChanged: true })
    expect(target.store.records.size).toBe(records)
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
  })

  it('does not replace newer ratings', async () => {
    const source = await openFilled()
    const target = openMachine()
    target.wait(DAY_MS)
    await target.rate(['CVE-2021-0009'], 0.75)
    await target.pull(await source.exportAll())
    const [record] = [await target.vulnerabilities.findRecord('CVE-2021-0009')]
    expect(record?.exploited?.addedOn).toBe('2022-03-01')
    expect(await target.vulnerabilities.status()).toMatchObject({ exploited: 1, scored: 1 })
    expect((await target.vulnerabilities.status()).sources).toContainEqual({
      name: 'kev',
      loadedAt: Date.UTC(2026, 0, 2),
    })
  })

  it('that is older than the database is refused unless it is allowed', async () => {
    const source = await openFilled()
    const old = await source.exportAll()
    const target = openMachine()
    await target.load([sampleRecord(1, { modifiedAt: Date.UTC(2024, 0, 1) })])
    await expect(target.pull(old)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/the file is older than the database .*2022.*2024/),
    })
    expect(await target.search('flaw')).toBe(1)
    await target.pull(old, { allowsOlder: true })
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
  })

  it('replaces examples and records of another format', async () => {
    const source = await openFilled()
    const target = openMachine()
    const begun = await target.store.beginLoad({ source: 'nvd' })
    await begun.stage({ records: [{ rowId: 1, line: '?', products: '', detail: '' }] })
    await begun.publish({
      manifest: '{"format":0}',
      sets: [],
      dropped: [],
      takesStaged: true,
      source: { name: 'nvd', checkpoint: '"old"', loadedAt: 1 },
    })
    await begun.end()
    await target.pull(await source.exportAll())
    target.wait(DAY_MS)
    await target.load([])
    expect(target.store.records.has(1)).toBe(false)
    expect(await readContent(target.store)).toEqual(await readContent(source.store))
  })

  it('is not written during or after an interrupted load', async () => {
    const source = await openFilled()
    const load = await source.store.beginLoad({ source: 'nvd' })
    await expect(source.exportAll()).rejects.toMatchObject({ code: 'conflict' })
    const rowId = load.nextRowId
    await load.stage({ records: [{ rowId, line: '{}', products: '', detail: '{}' }] })
    await load.end()
    await expect(source.exportAll()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('a load was interrupted; run "sync" again'),
    })
    await expect(openMachine().exportAll()).rejects.toMatchObject({ code: 'not_found' })
  })
})
