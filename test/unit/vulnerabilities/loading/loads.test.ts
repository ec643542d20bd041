import { describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../../../core/errors.ts'
import { FORMAT } from '../../../../core/vulnerabilities/index/manifest.ts'
import type { LoadOptions, RecordBatch } from '../../../../core/vulnerabilities/loading/batches.ts'
import type { CveRecord } from '../../../../core/vulnerabilities/records.ts'
import { createVulnerabilityLoads } from '../../../../core/vulnerabilities/service.ts'
import { LOAD_LEASE_MS, type VulnerabilityStore } from '../../../../core/vulnerabilities/store.ts'
import { createMemoryVulnerabilities } from '../../../helpers/memory-vulnerabilities.ts'
import { readContent } from './index-content.ts'
import { sampleConfigurations, sampleRecord } from './samples.ts'

function openLoads() {
  let now = 1_000_000
  const store = createMemoryVulnerabilities(() => now)
  const loads = createVulnerabilityLoads({ store, clock: () => now })
  return {
    store,
    loads,
    wait: (ms: number) => {
      now += ms
    },
    load: (records: readonly CveRecord[], more: Partial<LoadOptions> = {}) =>
      loads.loadRecords(batchesOf([{ records }]), { source: 'nvd', ...more }),
  }
}

async function* batchesOf(batches: readonly RecordBatch[]): AsyncIterable<RecordBatch> {
  yield* batches
}

/** A record of another format. */
async function publishForeign(store: VulnerabilityStore): Promise<void> {
  const begun = await store.beginLoad({ source: 'nvd' })
  await begun.stage({ records: [{ rowId: 1, line: '?', products: '', detail: '' }] })
  await begun.publish({
    manifest: '{"format":0}',
    sets: [],
    dropped: [],
    takesStaged: true,
    source: { name: 'nvd', checkpoint: '"old"', loadedAt: 1 },
  })
  await begun.end()
}

describe('loadRecords', () => {
  it('publishes one generation, in order of publication', async () => {
    const { load, store } = openLoads()
    const report = await load([sampleRecord(3), sampleRecord(1), sampleRecord(2)])
    expect(report).toEqual({
      read: 3,
      added: 3,
      changed: 0,
      unchanged: 0,
      older: 0,
      removed: 0,
      total: 3,
      generation: 1,
      ms: 0,
    })
    const content = await readContent(store)
    expect(content?.ids).toEqual(['CVE-2021-0001', 'CVE-2021-0002', 'CVE-2021-0003'])
    expect(content?.records).toEqual([sampleRecord(1), sampleRecord(2), sampleRecord(3)])
    expect(content?.counts).toMatchObject({ documents: 3, rejected: 0, vendors: 1, products: 1 })
    expect(content?.columns).toMatchObject({ year: [2021, 2021, 2021], score3: [75, 75, 75] })
  })

  it('puts the greater id first among records of the same instant', async () => {
    const { load, store } = openLoads()
    const publishedAt = Date.UTC(2021, 0, 1)
    await load([sampleRecord(9999, { publishedAt }), sampleRecord(10_000, { publishedAt })])
    await load([sampleRecord(9, { publishedAt }), sampleRecord(99_999, { publishedAt })])
    expect((await readContent(store))?.ids).toEqual([
      'CVE-2021-99999',
      'CVE-2021-9999',
      'CVE-2021-10000',
      'CVE-2021-0009',
    ])
  })

  it('indexes the words of each field with a gap between fields', async () => {
    const { load, store } = openLoads()
    const descriptions = [
      { language: 'en', text: 'Log4j2 in Café: log4j2’s flaw' },
      { language: 'es', text: 'fallo' },
    ]
    await load([sampleRecord(1, { descriptions })])
    const terms = (await readContent(store))?.terms ?? {}
    const words = Object.entries(terms)
      .filter(([term]) => !term.includes(':'))
      .map(([term, postings]) => [term, postings['CVE-2021-0001']])
    expect(Object.fromEntries(words)).toEqual({
      cve: [0],
      2021: [1],
      '0001': [2],
      log4j2: [4, 7],
      in: [5],
      cafe: [6],
      s: [8],
      flaw: [9],
      acme: [11],
      web: [13],
      server: [14],
    })
    expect(Object.keys(terms).filter((term) => term.includes(':'))).toEqual([
      'b:acme\tweb_server',
      'c:cwe-79',
      'h:example.com',
      'm:3.1.0/a:n',
      'm:3.1.0/ac:l',
      'm:3.1.0/av:n',
      'm:3.1.0/c:h',
      'm:3.1.0/i:n',
      'm:3.1.0/pr:n',
      'm:3.1.0/s:u',
      'm:3.1.0/ui:n',
      'n:acme',
      'n:server',
      'n:web',
      'p:web_server',
      't:patch',
      'v:acme',
    ])
  })

  it('changes nothing the second time', async () => {
    const { load, store, loads, wait } = openLoads()
    await load([sampleRecord(1), sampleRecord(2)])
    wait(5)
    const report = await loads.loadRecords(
      batchesOf([
        { records: [sampleRecord(2)] },
        { records: [sampleRecord(1)], checkpoint: '"x"' },
      ]),
      { source: 'nvd' },
    )
    expect(report).toMatchObject({ read: 2, unchanged: 2, total: 2, generation: 1 })
    expect(await store.generation()).toBe(1)
    expect(await store.listSources()).toEqual([
      { name: 'nvd', checkpoint: '"x"', loadedAt: 1_000_005 },
    ])
    expect(store.records.size).toBe(2)
  })

  it('never replaces a newer record with an older one', async () => {
    const newer = sampleRecord(1, { modifiedAt: 20, status: 'Modified' })
    const older = sampleRecord(1, { modifiedAt: 10 })
    for (const records of [
      [newer, older],
      [older, newer],
    ]) {
      const { load, store } = openLoads()
      for (const record of records) await load([record])
      expect((await readContent(store))?.records).toEqual([newer])
      const together = openLoads()
      await together.load(records)
      expect(await readContent(together.store)).toEqual(await readContent(store))
    }
  })

  it('prefers the record with a status if both were modified at the same time', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => [
      { language: 'en', text: `text ${index}` },
    ])
    for (const descriptions of texts) {
      const former = sampleRecord(1, { status: '', descriptions })
      const present = sampleRecord(1)
      for (const records of [
        [former, present],
        [present, former],
      ]) {
        const { load, store } = openLoads()
        await load(records)
        expect((await readContent(store))?.records).toEqual([present])
      }
    }
  })

  it('selects between records modified at the same time regardless of their order', async () => {
    const one = sampleRecord(1, { status: 'Modified' })
    const other = sampleRecord(1, { status: 'Received' })
    const [a, b] = [openLoads(), openLoads()]
    await a.load([one])
    await a.load([other])
    await b.load([other, one])
    expect(await readContent(a.store)).toEqual(await readContent(b.store))
  })

  it('removes records that a whole source no longer has, with their terms and names', async () => {
    const { load, store } = openLoads()
    const gone = sampleRecord(2, {
      configurations: sampleConfigurations('vanished', 'thing'),
      descriptions: [{ language: 'en', text: 'Unheard' }],
    })
    await load([sampleRecord(1), gone])
    const report = await load([sampleRecord(1)], { isComplete: true })
    expect(report).toMatchObject({ unchanged: 1, removed: 1, total: 1, generation: 2 })
    const only = openLoads()
    await only.load([sampleRecord(1)])
    expect(await readContent(store)).toEqual(await readContent(only.store))
  })

  it('keeps the other authority’s record if a whole source no longer has a CVE', async () => {
    const { store, load } = openLoads()
    const program = { status: 'PUBLISHED', configurations: [] }
    await load([sampleRecord(1), sampleRecord(2), sampleRecord(3)])
    const joined = await load(
      [1, 2].map((number) => sampleRecord(number, program)),
      {
        source: 'cve',
        authority: 'cve',
      },
    )
    expect(joined).toMatchObject({ read: 2, added: 0, joined: 2, changed: 0, total: 3 })
    const report = await load([sampleRecord(1)], { isComplete: true })
    expect(report).toMatchObject({ unchanged: 1, removed: 2, total: 2 })
    const fresh = openLoads()
    await fresh.load([sampleRecord(1)])
    await fresh.load(
      [1, 2].map((number) => sampleRecord(number, program)),
      {
        source: 'cve',
        authority: 'cve',
      },
    )
    expect(await readContent(store)).toEqual(await readContent(fresh.store))
  })

  it('removes everything if a whole source is empty', async () => {
    const { load, store } = openLoads()
    await load([sampleRecord(1)])
    expect(await load([], { isComplete: true })).toMatchObject({ removed: 1, total: 0 })
    expect(await readContent(store)).toMatchObject({ ids: [], terms: {}, vendors: [] })
  })

  it('keeps rejected records, but lists none of their names', async () => {
    const { load, store } = openLoads()
    const configurations = sampleConfigurations('vanished', 'thing')
    await load([sampleRecord(1), sampleRecord(2, { isRejected: true, configurations })])
    const content = await readContent(store)
    expect(content?.counts).toMatchObject({ documents: 2, rejected: 1, vendors: 1, products: 1 })
    expect(content?.vendors).toEqual(['acme'])
    expect(content?.products).toEqual([['acme', ['web_server']]])
    expect(content?.terms['v:vanished']).toEqual({ 'CVE-2021-0002': [] })
  })

  it('sweeps replaced records once no reader can need them', async () => {
    const { load, store, wait } = openLoads()
    await load([sampleRecord(1)])
    await load([sampleRecord(1, { modifiedAt: Date.UTC(2023, 0, 1) })])
    expect([...store.records.keys()]).toEqual([1, 2])
    wait(600_000)
    await load([sampleRecord(2)])
    expect([...store.records.keys()]).toEqual([2, 3])
  })

  it('first sweeps data of loads that were interrupted while indexing', async () => {
    const { load, store } = openLoads()
    await load([sampleRecord(1)])
    const setsOf = () => new Set([...store.parts.keys()].map((key) => Number.parseInt(key, 10)))
    for (let number = 2; number < 6; number += 1) {
      store.beforeCall = (name) => {
        if (name === 'publish') throw new Error('disk full')
      }
      await expect(load([sampleRecord(number)])).rejects.toThrow('disk full')
      expect([...setsOf()]).toEqual([1, number])
    }
    store.beforeCall = () => {}
    await load([sampleRecord(1)])
    expect((await readContent(store))?.records).toEqual([1, 2, 3, 4, 5].map((n) => sampleRecord(n)))
  })

  it('stops between two batches if aborted, and resumes there', async () => {
    const { loads, store } = openLoads()
    const stop = new AbortController()
    async function* stopping(): AsyncIterable<RecordBatch> {
      yield { records: [sampleRecord(1)], checkpoint: '1' }
      stop.abort(new Error('stopped'))
      yield { records: [sampleRecord(2)], checkpoint: '2' }
      yield { records: [sampleRecord(3)], checkpoint: '3' }
    }
    await expect(
      loads.loadRecords(stopping(), { source: 'nvd', signal: stop.signal }),
    ).rejects.toThrow('stopped')
    expect(await store.generation()).toBe(0)
    expect(await loads.readCheckpoint('nvd')).toBe('2')
    const rest = [{ records: [sampleRecord(3)], checkpoint: '3' }]
    const report = await loads.loadRecords(batchesOf(rest), { source: 'nvd' })
    expect(report).toMatchObject({ read: 3, added: 3, total: 3, generation: 1 })
    expect((await readContent(store))?.records).toEqual([1, 2, 3].map((n) => sampleRecord(n)))
  })

  it('keeps the records read before the source failed', async () => {
    const { loads } = openLoads()
    async function* failing(): AsyncIterable<RecordBatch> {
      yield { records: [sampleRecord(1)], checkpoint: '1' }
      throw new Error('cut off')
    }
    await expect(loads.loadRecords(failing(), { source: 'nvd' })).rejects.toThrow('cut off')
    expect(await loads.readCheckpoint('nvd')).toBe('1')
    expect(await loads.loadRecords(batchesOf([]), { source: 'nvd' })).toMatchObject({
      read: 1,
      added: 1,
      total: 1,
    })
  })

  it('counts the records of an interrupted load as read, regardless of their outcome', async () => {
    const { load, loads } = openLoads()
    await load([sampleRecord(1), sampleRecord(2)])
    const newer = (number: number) =>
      sampleRecord(number, { modifiedAt: Date.UTC(2023, 0, 1), status: 'Modified' })
    async function* failing(): AsyncIterable<RecordBatch> {
      yield { records: [newer(1), sampleRecord(2), sampleRecord(3)] }
      throw new Error('cut off')
    }
    await expect(loads.loadRecords(failing(), { source: 'nvd' })).rejects.toThrow('cut off')
    const report = await load([sampleRecord(1), newer(2), sampleRecord(3), sampleRecord(4)])
    expect(report).toMatchObject({ read: 6, added: 2, changed: 2, unchanged: 1, older: 1 })
  })

  it('does not change when the source was last loaded if nothing was readable', async () => {
    const { load, loads, store, wait } = openLoads()
    const options = { source: 'nvd', hasRead: () => false }
    await loads.loadRecords(batchesOf([]), options)
    expect(await store.listSources()).toEqual([{ name: 'nvd', checkpoint: '' }])
    await load([sampleRecord(1)])
    wait(5)
    await loads.loadRecords(batchesOf([]), options)
    expect(await store.listSources()).toEqual([
      { name: 'nvd', checkpoint: '', loadedAt: 1_000_000 },
    ])
  })

  it('rejects a second loader unless it takes over', async () => {
    const { loads, store } = openLoads()
    const other = await store.beginLoad({ source: 'other' })
    await expect(loads.loadRecords(batchesOf([]), { source: 'nvd' })).rejects.toMatchObject({
      code: 'conflict',
    })
    const options = { source: 'nvd', takeOver: true }
    await loads.loadRecords(batchesOf([{ records: [sampleRecord(1)] }]), options)
    await expect(other.renew()).rejects.toBeInstanceOf(ServiceError)
  })

  it('stops without publishing if another loader takes over', async () => {
    const { loads, store } = openLoads()
    async function* robbed(): AsyncIterable<RecordBatch> {
      yield { records: [sampleRecord(1)] }
      await store.beginLoad({ source: 'other', takeOver: true })
    }
    await expect(loads.loadRecords(robbed(), { source: 'nvd' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await store.generation()).toBe(0)
  })

  it('renews its lease while the source is slow, and leaves no timer', async () => {
    const { loads, store } = openLoads()
    const calls: string[] = []
    store.beforeCall = (name) => calls.push(name)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      async function* slow(): AsyncIterable<RecordBatch> {
        await vi.advanceTimersByTimeAsync(LOAD_LEASE_MS)
        yield { records: [sampleRecord(1)], checkpoint: '1' }
        await vi.advanceTimersByTimeAsync(LOAD_LEASE_MS / 2)
      }
      await loads.loadRecords(slow(), { source: 'nvd' })
      // Read records are stored when the lease is next renewed.
      expect(calls.slice(2, 8)).toEqual(['beat', 'beat', 'beat', 'beat', 'stage', 'beat'])
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends the source if its records cannot be stored', async () => {
    const { loads, store } = openLoads()
    let isEnded = false
    async function* source(): AsyncIterable<RecordBatch> {
      try {
        yield { records: [sampleRecord(1)], checkpoint: '1' }
        yield { records: [sampleRecord(2)], checkpoint: '2' }
      } finally {
        isEnded = true
      }
    }
    const stop = new AbortController()
    store.beforeCall = (name) => {
      if (name === 'stage') throw new Error('disk full')
    }
    const options = {
      source: 'nvd',
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('stopped')),
    }
    await expect(loads.loadRecords(source(), options)).rejects.toThrow('disk full')
    expect(isEnded).toBe(true)
  })

  it('rejects a record without a CVE ID', async () => {
    const { load } = openLoads()
    await expect(load([sampleRecord(1, { id: 'GHSA-1' })])).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Cannot load the record "GHSA-1": it is not a CVE ID',
    })
  })

  it('replaces content of another format', async () => {
    const { load, loads, store } = openLoads()
    await publishForeign(store)
    expect(await loads.readCheckpoint('nvd')).toBeUndefined()
    await load([sampleRecord(1)])
    expect((await readContent(store))?.records).toEqual([sampleRecord(1)])
  })
})

describe('Loads of ratings', () => {
  const entry = {
    id: 'CVE-2021-0002',
    name: 'Flaw',
    addedOn: '2021-12-10',
    dueOn: '2021-12-24',
    action: 'Update',
    isRansomware: true,
  }
  const scores = [
    { id: 'CVE-2021-0002', score: 0.97565, percentile: 0.99999 },
    { id: 'CVE-2021-0001', score: 0, percentile: 1 },
    { id: 'CVE-1999-0001', score: 0.00001, percentile: 0.5 },
  ]

  async function* scoresOf(list: typeof scores) {
    yield list
  }

  it('show EPSS scores of records that were loaded before or after them', async () => {
    const [first, last] = [openLoads(), openLoads()]
    for (const step of ['load', 'rate', 'rate', 'load'] as const) {
      const now = step === 'load' ? first.load([sampleRecord(1), sampleRecord(2)]) : rate(first)
      await now
    }
    await rate(last)
    await last.load([sampleRecord(1), sampleRecord(2)])
    const content = await readContent(first.store)
    expect(content).toMatchObject({ epss: [0, 97_565], percentile: [100_000, 99_999] })
    expect(await readContent(last.store)).toEqual(content)
    expect(await first.store.generation()).toBe(2)

    function rate({ loads }: ReturnType<typeof openLoads>) {
      return loads.loadEpss(scoresOf(scores), { source: 'epss' })
    }
  })

  it('report their changes', async () => {
    const { loads } = openLoads()
    expect(await loads.loadEpss(scoresOf(scores), { source: 'epss' })).toEqual({
      read: 3,
      added: 3,
      changed: 0,
      unchanged: 0,
      older: 0,
      removed: 0,
      total: 3,
      generation: 1,
      ms: 0,
    })
    const next = [{ id: 'CVE-2021-0002', score: 0.9, percentile: 0.9 }, ...scores.slice(1, 2)]
    expect(await loads.loadEpss(scoresOf(next), { source: 'epss' })).toMatchObject({
      changed: 1,
      unchanged: 1,
      removed: 1,
      total: 2,
      generation: 2,
    })
  })

  it('keep entries that are missing in a partly unreadable list', async () => {
    const { loads, store } = openLoads()
    const rest = { source: 'epss', keepsRest: true }
    await loads.loadEpss(scoresOf(scores), { source: 'epss' })
    const next = [
      { id: 'CVE-2021-0002', score: 0.9, percentile: 0.9 },
      { id: 'CVE-2021-0007', score: 0.5, percentile: 0.5 },
    ]
    expect(await loads.loadEpss(scoresOf(next), rest)).toEqual({
      read: 2,
      added: 1,
      changed: 1,
      unchanged: 0,
      older: 0,
      removed: 0,
      total: 4,
      generation: 2,
      ms: 0,
    })
    expect(await loads.loadEpss(scoresOf(scores.slice(1, 2)), rest)).toMatchObject({
      read: 1,
      unchanged: 1,
      removed: 0,
      total: 4,
      generation: 2,
    })
    await loads.loadKnownExploited([entry], { source: 'kev' })
    const other = { ...entry, id: 'CVE-2021-0009' }
    const options = { source: 'kev', keepsRest: true }
    expect(await loads.loadKnownExploited([other], options)).toMatchObject({
      read: 1,
      added: 1,
      unchanged: 0,
      removed: 0,
      total: 2,
    })
    const before = await store.generation()
    expect(await loads.loadKnownExploited([entry], options)).toMatchObject({
      read: 1,
      unchanged: 1,
      total: 2,
      generation: before,
    })
  })

  it('reject an invalid CVE id', async () => {
    const { loads, store } = openLoads()
    const refusal = {
      code: 'invalid_input',
      message: 'Cannot load the entry "GHSA-1": it is not a CVE ID',
    }
    const score = { id: 'GHSA-1', score: 0.5, percentile: 0.5 }
    await expect(loads.loadEpss(scoresOf([score]), { source: 'epss' })).rejects.toMatchObject(
      refusal,
    )
    await expect(
      loads.loadKnownExploited([{ ...entry, id: 'GHSA-1' }], { source: 'kev' }),
    ).rejects.toMatchObject(refusal)
    expect(await store.generation()).toBe(0)
  })

  it('fail if the records have another format', async () => {
    const { loads, store } = openLoads()
    await publishForeign(store)
    const refusal = {
      code: 'storage_unavailable',
      message: `Cannot read the vulnerabilities: their format is 0, not ${FORMAT}; sync the CVE records again`,
    }
    await expect(loads.loadEpss(scoresOf(scores), { source: 'epss' })).rejects.toMatchObject(
      refusal,
    )
    await expect(loads.loadKnownExploited([entry], { source: 'kev' })).rejects.toMatchObject(
      refusal,
    )
    expect(await store.generation()).toBe(1)
    expect(await loads.readCheckpoint('nvd')).toBeUndefined()
  })

  it("combine CISA's catalogue with NVD's copies; the catalogue wins", async () => {
    const { load, loads, store } = openLoads()
    const exploited = { name: 'Flaw', addedOn: '2021-12-11', dueOn: '', action: '' }
    await load([sampleRecord(1, { exploited }), sampleRecord(2, { exploited })])
    expect(await readContent(store)).toMatchObject({
      kevDay: [18_972, 18_972],
      overlayFlags: [1, 1],
    })
    const report = await loads.loadKnownExploited([entry], { source: 'kev', finalCheckpoint: '7' })
    expect(report).toMatchObject({ read: 1, added: 1, total: 1, generation: 2 })
    expect(await readContent(store)).toMatchObject({
      kevDay: [18_972, 18_971],
      overlayFlags: [1, 3],
    })
    expect(await loads.readCheckpoint('kev')).toBe('7')
    expect(await loads.loadKnownExploited([entry], { source: 'kev' })).toMatchObject({
      unchanged: 1,
      generation: 2,
    })
    expect(await loads.loadKnownExploited([], { source: 'kev' })).toMatchObject({ removed: 1 })
    expect(await readContent(store)).toMatchObject({
      kevDay: [18_972, 18_972],
      overlayFlags: [1, 1],
    })
  })

  it('leave staged records of an interrupted load for the next one', async () => {
    const { load, loads, store } = openLoads()
    async function* failing(): AsyncIterable<RecordBatch> {
      yield { records: [sampleRecord(1)] }
      throw new Error('cut off')
    }
    await expect(loads.loadRecords(failing(), { source: 'nvd' })).rejects.toThrow('cut off')
    await loads.loadKnownExploited([entry], { source: 'kev' })
    expect(await readContent(store)).toBeUndefined()
    expect(await load([sampleRecord(2)])).toMatchObject({ read: 2, added: 2, total: 2 })
    expect((await readContent(store))?.kevDay).toEqual([0, 18_971])
  })
})
