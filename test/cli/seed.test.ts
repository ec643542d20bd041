import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findOrCreateAccount, prepareOnlyKey, seedService } from '../../adapters/cli/seed.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { CveRecord } from '../../core/vulnerabilities/records.ts'
import { createSeededRandom } from '../helpers/random.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

let service: TestService
beforeEach(async () => {
  const random = createSeededRandom(7)
  const sealer = createSealer({ current: random(32) }, random)
  service = await openTestService({ isEmpty: true, app: { sealer } })
})
afterEach(() => service.close())

const ENTRY = {
  id: 'CVE-1999-9999',
  name: 'Known',
  addedOn: '2022-01-01',
  dueOn: '',
  action: 'Update.',
  isRansomware: false,
}

async function* inBatches(...batches: readonly (readonly CveRecord[])[]) {
  for (const records of batches) yield { records, checkpoint: '{}' }
}

async function countHeld() {
  const { records, exploited, scored } = await service.app.vulnerabilities.status()
  return { records, exploited, scored }
}

/** The example records as stored. */
async function readExamples(): Promise<readonly CveRecord[]> {
  const { vulnerabilities } = service.app
  const found = await vulnerabilities.search({
    term: 'cve',
    includesRejected: true,
    isExtended: true,
  })
  const records: CveRecord[] = []
  for await (const batch of found.hits) {
    for (const { extended } of batch) if (extended) records.push(extended.record)
  }
  return records
}

describe('a first start with examples', () => {
  it('loads records, known exploited vulnerabilities and scores, once', async () => {
    expect(await seedService(service.app, { makesKey: true })).toMatchObject({
      loaded: 67,
      rejected: 2,
    })
    const held = await countHeld()
    expect(held).toEqual({ records: 67, exploited: 40, scored: 44 })
    expect((await seedService(service.app, { makesKey: true })).loaded).toBe(0)
    expect(await countHeld()).toEqual(held)
  })

  it('creates a key once, and only if it can be printed', async () => {
    // The service has keys of other accounts.
    const later = { key: undefined, hasKey: true }
    expect(await seedService(service.app, { makesKey: false })).toMatchObject(later)
    const { key } = await seedService(service.app, { makesKey: true })
    expect(key).toMatch(/^adk_live_/)
    expect(await seedService(service.app, { makesKey: true })).toMatchObject(later)
    expect(await prepareOnlyKey(service.app)).toEqual(later)
  })

  it('finds the account if another server creates it at the same time', async () => {
    const { app } = service
    const starts = [findOrCreateAccount(app), findOrCreateAccount(app)]
    const [one, other] = await Promise.all(starts)
    expect(one?.id).toEqual(expect.any(String))
    expect(other?.id).toBe(one?.id)
  })

  it('does not create the key again after its revocation', async () => {
    await seedService(service.app, { makesKey: true })
    for (const account of await service.app.accounts.listAccounts()) {
      for (const { id: keyId } of await service.app.accounts.listKeys(account)) {
        await service.app.accounts.revokeKey({ account, keyId })
      }
    }
    const later = { key: undefined, hasKey: true }
    expect(await seedService(service.app, { makesKey: true })).toMatchObject(later)
    expect(await prepareOnlyKey(service.app)).toEqual(later)
  })

  it('resumes an interrupted first start', async () => {
    await seedService(service.app, { makesKey: true })
    const examples = await readExamples()
    const held = await countHeld()
    await service.close()
    service = await openTestService({ isEmpty: true })
    await service.app.vulnerabilities.loadRecords(inBatches(examples), { source: 'examples' })
    expect(await countHeld()).toEqual({ records: 67, exploited: 0, scored: 0 })
    await seedService(service.app, { makesKey: true })
    expect(await countHeld()).toEqual(held)
  })

  it('loads nothing if lists were loaded before the records', async () => {
    await service.app.vulnerabilities.loadKnownExploited([ENTRY], { source: 'kev' })
    expect((await seedService(service.app, { makesKey: true })).loaded).toBe(0)
    expect(await countHeld()).toEqual({ records: 0, exploited: 1, scored: 0 })
  })

  it('shows no records of an interrupted load', async () => {
    await seedService(service.app, { makesKey: true })
    const [record] = await readExamples()
    if (!record) throw new Error('No example')
    await service.close()
    service = await openTestService({ isEmpty: true })
    async function* broken() {
      yield* inBatches([record as CveRecord])
      throw new Error('Stopped')
    }
    const load = service.app.vulnerabilities.loadRecords(broken(), { source: 'nvd' })
    await expect(load).rejects.toThrow('Stopped')
    expect((await seedService(service.app, { makesKey: true })).loaded).toBe(0)
    expect((await countHeld()).records).toBe(0)
  })

  it('loads records that real ones replace, regardless of the age of their last change', async () => {
    await seedService(service.app, { makesKey: true })
    const examples = await readExamples()
    const real = examples.map((record) => ({
      ...record,
      // The shortest time after publication at which NVD changes a record.
      modifiedAt: record.publishedAt + 1,
      descriptions: [{ language: 'en', text: 'As it really is' }],
    }))
    const report = await service.app.vulnerabilities.loadRecords(inBatches(real), { source: 'nvd' })
    expect(report).toMatchObject({ changed: 67, unchanged: 0, older: 0 })
  })

  it.each(['nvd', 'cve'] as const)(
    'is replaced by the first load of real records: %s',
    async (authority) => {
      await seedService(service.app, { makesKey: true })
      const [first, second] = await readExamples()
      if (!first || !second) throw new Error('No examples')
      const real = [
        { ...first, source: 'nvd@nist.gov', modifiedAt: first.publishedAt + 1 },
        { ...second, id: 'CVE-2031-0001', source: 'nvd@nist.gov' },
      ]
      const { vulnerabilities } = service.app
      const options = { source: authority, authority }
      const report = await vulnerabilities.loadRecords(inBatches(real), options)
      const replaced = authority === 'nvd' ? 1 : 0
      expect(report).toMatchObject({
        read: 2,
        removed: 67 - replaced,
        removedExamples: 67 - replaced,
        total: 2,
      })
      expect(await countHeld()).toEqual({ records: 2, exploited: 0, scored: 0 })
      const found = await readExamples()
      expect(found.map(({ id }) => id).sort()).toEqual([first.id, 'CVE-2031-0001'].sort())
      expect(found.map(({ source }) => source)).toEqual(['nvd@nist.gov', 'nvd@nist.gov'])
      const { sources } = await vulnerabilities.status()
      expect(sources.map(({ name }) => name)).toEqual([authority])
      expect((await seedService(service.app, { makesKey: true })).loaded).toBe(0)
      const again = await vulnerabilities.loadRecords(inBatches(real), options)
      expect([again.unchanged, again.removed, again.removedExamples]).toEqual([2, 0, undefined])
    },
  )

  it('keeps real lists when the first load of real records removes the examples', async () => {
    await seedService(service.app, { makesKey: true })
    const { vulnerabilities } = service.app
    const [example] = await readExamples()
    if (!example) throw new Error('No example')
    await vulnerabilities.loadKnownExploited([ENTRY], { source: 'kev' })
    const real = { ...example, id: ENTRY.id }
    await vulnerabilities.loadRecords(inBatches([real]), { source: 'nvd' })
    expect(await countHeld()).toEqual({ records: 1, exploited: 1, scored: 0 })
    expect((await vulnerabilities.findRecord(ENTRY.id))?.exploited).toEqual(ENTRY)
  })

  it('keeps a real list that equals that of the examples', async () => {
    await seedService(service.app, { makesKey: true })
    const { vulnerabilities } = service.app
    const [example] = await readExamples()
    if (!example) throw new Error('No example')
    async function* scores() {
      yield [{ id: ENTRY.id, score: 0.5, percentile: 0.9 }]
    }
    for (const isReal of [false, true]) {
      await vulnerabilities.loadKnownExploited([ENTRY], { source: isReal ? 'kev' : 'examples' })
      await vulnerabilities.loadEpss(scores(), { source: isReal ? 'epss' : 'examples' })
    }
    await vulnerabilities.loadRecords(inBatches([example]), { source: 'nvd' })
    expect(await countHeld()).toMatchObject({ exploited: 1, scored: 1 })
  })

  it('loads a KEV list that does not hide entries of real records', async () => {
    await seedService(service.app, { makesKey: true })
    const [example] = await readExamples()
    if (!example) throw new Error('No example')
    const { name, addedOn, dueOn, action } = ENTRY
    const real = { ...example, id: ENTRY.id, exploited: { name, addedOn, dueOn, action } }
    const { vulnerabilities } = service.app
    await vulnerabilities.loadRecords(inBatches([real]), { source: 'nvd' })
    expect((await vulnerabilities.findRecord(ENTRY.id))?.exploited).toEqual(ENTRY)
    const query = { term: ENTRY.id, filters: { isExploited: true } }
    expect((await vulnerabilities.search(query)).count).toBe(1)
  })
})
