import { describe, expect, it } from 'vitest'
import { diffUsages, isEmptyDiff } from '../../../../core/scans/report/diff.ts'
import type { StoredUsage } from '../../../../core/scans/report/stored-uses.ts'

const PAY = 'https://api.acme.io/v1/payments'

function createStoredUsage(url: string, more: Partial<StoredUsage> = {}): StoredUsage {
  return {
    url,
    method: 'get',
    host: new URL(url).host,
    apiName: undefined,
    vendorName: undefined,
    approval: undefined,
    reason: '',
    files: ['a.ts'],
    ...more,
  }
}

const payments = { apiName: 'Payments', vendorName: 'Acme' } as const

describe('the difference of two scans', () => {
  it('tells new and gone endpoints, APIs and hosts', () => {
    const kept = createStoredUsage('https://api.kept.io/v1')
    const before = [createStoredUsage(PAY, payments), kept]
    const mail = { apiName: 'Mail', vendorName: 'Hopper' }
    const after = [
      kept,
      createStoredUsage('https://api.hopper.io/send', { ...mail, method: 'post' }),
    ]
    expect(diffUsages(before, after)).toEqual({
      endpoints: { new: [after[1]], gone: [before[0]], changed: [] },
      apis: { new: [mail], gone: [payments] },
      hosts: { new: ['api.hopper.io'], gone: ['api.acme.io'] },
    })
  })

  it('takes another method as another endpoint', () => {
    const before = [createStoredUsage(PAY)]
    const after = [createStoredUsage(PAY, { method: 'delete' })]
    const { endpoints, hosts } = diffUsages(before, after)
    expect([endpoints.new, endpoints.gone]).toEqual([after, before])
    expect(hosts).toEqual({ new: [], gone: [] })
  })

  it('tells what both say of an endpoint, and what only one says is no change', () => {
    const before = createStoredUsage(PAY, { ...payments, approval: 'yes' })
    const after = createStoredUsage(PAY, {
      apiName: 'Pay',
      vendorName: 'Acme',
      approval: 'no',
      files: ['b.ts'],
    })
    const changesTo = (use: StoredUsage) =>
      diffUsages([before], [use]).endpoints.changed.map(({ what }) => what)
    expect(changesTo(after)).toEqual([['api', 'approval', 'files']])
    expect(changesTo({ ...before, files: ['b.ts'] })).toEqual([['files']])
    const silent = createStoredUsage(PAY, { files: undefined })
    expect(changesTo(silent)).toEqual([])
  })

  it('compares by URL alone where one of them tells no methods', () => {
    const before = [
      createStoredUsage(PAY),
      createStoredUsage(PAY, { method: 'post', files: ['b.ts'] }),
    ]
    const same = [createStoredUsage(PAY, { method: undefined, files: ['a.ts', 'b.ts'] })]
    expect(isEmptyDiff(diffUsages(before, same))).toBe(true)
    expect(isEmptyDiff(diffUsages(before, before))).toBe(true)
    expect(isEmptyDiff(diffUsages([], before))).toBe(false)
  })
})
