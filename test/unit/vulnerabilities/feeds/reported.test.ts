import { describe, expect, it } from 'vitest'
import {
  toProductLines,
  toRecordProducts,
} from '../../../../core/vulnerabilities/affected-products.ts'
import { toCpeName, toVendorKey } from '../../../../core/vulnerabilities/names.ts'
import type {
  ReportedProduct,
  ReportedStatus,
  ReportedVersion,
} from '../../../../core/vulnerabilities/records.ts'
import { toReportedProducts } from '../../../../core/vulnerabilities/reported-products.ts'
import { selectProducts } from '../../../../core/vulnerabilities/search/product-filter.ts'
import { unpackProducts } from '../../../../core/vulnerabilities/stored/products.ts'
import { toStoredRecord } from '../../../../core/vulnerabilities/stored-record.ts'
import { coversVersion } from '../../../../core/vulnerabilities/versions.ts'
import { affects, sampleRecord } from '../search/samples.ts'

const affected = (version: string, more: Partial<ReportedVersion> = {}): ReportedVersion => {
  return { version, status: 'affected', ...more }
}
const unaffected = (version: string, more: Partial<ReportedVersion> = {}): ReportedVersion => {
  return { version, status: 'unaffected', ...more }
}

function reports(product: Partial<ReportedProduct>): ReportedProduct {
  return {
    ...{ source: 'cna@acme.example', vendor: 'Acme', product: 'Rocket' },
    ...{ cpes: [], modules: [], platforms: [], defaultStatus: 'unknown', versions: [] },
    ...product,
  }
}

/** Lists the versions of one statement, as contract 4.10 writes them. */
function listVersions(
  versions: readonly ReportedVersion[],
  defaultStatus: ReportedStatus = 'unaffected',
): readonly string[] {
  const products = toReportedProducts([reports({ versions, defaultStatus })])
  return toProductLines(products).map((line) => line.replace(/^acme rocket /, ''))
}

describe('toReportedProducts', () => {
  it.each<[ReportedVersion, string]>([
    [affected('1.0'), '1.0'],
    [affected('0'), '0'],
    [affected('unspecified'), '-'],
    [affected('n/a'), '-'],
    [affected('1.0', { lessThan: '2.0' }), '>=1.0,<2.0'],
    [affected('1.0', { lessThanOrEqual: '2.0' }), '>=1.0,<=2.0'],
    [affected('0', { lessThan: '2.0' }), '<2.0'],
    [affected('unspecified', { lessThan: '2.0' }), '<2.0'],
    [affected('1.0', { lessThan: '*' }), '>=1.0'],
    [affected('0', { lessThanOrEqual: '*' }), '-'],
    [affected('1.0', { lessThanOrEqual: 'unspecified' }), '>=1.0'],
    [
      affected('1.0', {
        lessThan: '3.0',
        changes: [
          { at: '1.5', status: 'affected' },
          { at: '2.1', status: 'unaffected' },
        ],
      }),
      '>=1.0,<2.1',
    ],
    [affected('>= 4.0.0, < 4.0.3'), '>=4.0.0,<4.0.3'],
    [affected('>= 4.0.0,<= 4.0.3'), '>=4.0.0,<=4.0.3'],
    [affected('< 8.21.0'), '<8.21.0'],
    [affected('> 8.21.0'), '>8.21.0'],
    [affected('= 35.0'), '35.0'],
    [affected('1.17.0 - 1.17.2'), '1.17.0 - 1.17.2'],
    [affected('All versions'), 'All versions'],
    [affected('0', { lessThan: '<1101.2' }), '<1101.2'],
    [affected('0', { lessThan: '2.0 \n SP1' }), '<2.0 SP1'],
    [affected('1da177e4', { type: 'git', lessThan: '26b63c77' }), '>=1da177e4,<26b63c77'],
  ])('lists %j as %s', (version, text) => {
    expect(listVersions([version])).toEqual([text])
  })

  it('takes what is not stated as unaffected as affected where that is the default', () => {
    const linux = [
      affected('5.19'),
      unaffected('0', { lessThan: '5.19' }),
      unaffected('6.1.100', { lessThanOrEqual: '6.1.*' }),
      unaffected('6.10', { lessThanOrEqual: '*' }),
    ]
    expect(listVersions(linux, 'affected')).toEqual(['>=5.19'])
    expect(listVersions(linux, 'unaffected')).toEqual(['5.19'])
    const [product] = toReportedProducts([reports({ versions: linux, defaultStatus: 'affected' })])
    const covers = (version: string) =>
      product?.versions.some((each) => coversVersion(each, version)) === true
    const versions = '5.18 5.19 6.1.99 6.1.100 6.1.150 6.2 6.9.9 6.10 7.0'.split(' ')
    expect(versions.filter(covers)).toEqual(['5.19', '6.1.99', '6.2', '6.9.9'])
  })

  it('keeps the exceptions of each statement', () => {
    const fixed = (version: string) => [unaffected(version, { lessThan: '*', type: 'rpm' })]
    const products = toReportedProducts([
      reports({ packageName: 'kernel', versions: fixed('0:5-10'), defaultStatus: 'affected' }),
      reports({ packageName: 'kernel-rt', versions: fixed('0:5-99'), defaultStatus: 'affected' }),
    ])
    expect(toProductLines(products)).toEqual(['acme rocket -'])
    const versions = products[0]?.versions ?? []
    const covers = (version: string) => versions.some((each) => coversVersion(each, version))
    // An epoch counts only if both versions have one.
    expect(['5-9', '0:5-9', '5-50', '5-99', '1:5-9'].filter(covers)).toEqual([
      '5-9',
      '0:5-9',
      '5-50',
    ])
  })

  it.each<[ReportedVersion, string]>([
    [unaffected('>= 4.0.3'), '1.0 2.5 3.9'],
    [unaffected('n/a'), ''],
    [unaffected('2.0', { lessThanOrEqual: '<3.9' }), '1.0 3.9 4.0.3 5.0'],
    [
      unaffected('0', {
        lessThan: '5.0',
        changes: [
          { at: '3.0', status: 'affected' },
          { at: '4.0', status: 'unaffected' },
        ],
      }),
      '3.9 5.0',
    ],
  ])('leaves out what %j states, and keeps %s', (version, kept) => {
    const [product] = toReportedProducts([
      reports({ versions: [version], defaultStatus: 'affected' }),
    ])
    const [first = '-'] = product?.versions ?? []
    const asked = ['1.0', '2.5', '3.9', '4.0.3', '5.0']
    expect(asked.filter((each) => coversVersion(first, each)).join(' ')).toBe(kept)
  })

  it('stores many versions and exceptions in little space', () => {
    const numbers = Array.from({ length: 500 }, (_, number) => `1.${number}`)
    const versions = numbers.flatMap((number) => [affected(number), unaffected(`${number}.5`)])
    const reported = [reports({ versions, defaultStatus: 'affected' })]
    const record = { ...sampleRecord('CVE-2026-0001'), reported }
    const { products } = toStoredRecord(record)
    expect(products.length).toBeLessThan(50_000)
    const [product] = unpackProducts(products).listed
    expect(unpackProducts(products)).toEqual(toRecordProducts(record))
    expect(selectProducts(product ? [product] : [], { version: '0.9' })).toEqual([])
    expect(selectProducts(product ? [product] : [], { version: '1.7.5' })).toEqual([])
  })

  it('takes no text and no commit as a lower bound', () => {
    const texts = [affected('1.9 and earlier'), affected('all'), affected('1da1', { type: 'git' })]
    expect(listVersions(texts, 'affected')).toEqual(['1.9 and earlier', 'all', '1da1'])
  })

  it.each<[ReportedStatus, readonly ReportedVersion[], readonly string[]]>([
    ['unaffected', [], []],
    ['unknown', [], ['-']],
    ['affected', [], ['-']],
    ['unaffected', [unaffected('1.0')], []],
    ['unknown', [unaffected('1.0')], []],
    ['affected', [unaffected('1.0')], ['-']],
  ])('lists a statement with the default %s and versions %j as %j', (status, versions, texts) => {
    expect(listVersions(versions, status)).toEqual(texts)
  })

  it('does not list the version that is stated as unaffected', () => {
    const versions = [unaffected('1.4')]
    const [product] = toReportedProducts([reports({ versions, defaultStatus: 'affected' })])
    const [version = '-'] = product?.versions ?? []
    expect(['1.3', '1.4', '1.5'].filter((each) => coversVersion(version, each))).toEqual([
      '1.3',
      '1.5',
    ])
  })

  it('compares commits only with the ends of their ranges', () => {
    const range = affected('1da177e4', { type: 'git', lessThanOrEqual: '26b63c77' })
    const [product] = toReportedProducts([reports({ versions: [range] })])
    const [version = '-'] = product?.versions ?? []
    const asked = ['1da177e4', '1DA177E4', '26b63c77', '20000000', '1.0']
    expect(asked.filter((each) => coversVersion(version, each))).toEqual(asked.slice(0, 3))
  })

  it.each([
    ['SemVer', '2.0.0-next.1', true],
    ['custom', '2.0.0-next.1', false],
    ['python', '2.0.0rc1', true],
    ['maven', '2.0.0-next.1', false],
    ['semver', '2.0.0-p1', false],
    ['dpkg', '2.0.0~20200101-1', true],
    ['rpm', '2.0.0~rc1', true],
    ['custom', '2.0.0~20200101-1', false],
  ])('compares versions by their type %s', (type, version, isCovered) => {
    const versions = [affected('1.0.0', { type, lessThan: '2.0.0' })]
    const [product] = toReportedProducts([reports({ versions })])
    expect(product?.versions.some((each) => coversVersion(each, version))).toBe(isCovered)
  })

  it('leaves out versions that are stated as unaffected within an affected range', () => {
    const versions = [
      affected('1.0', { lessThan: '3.0' }),
      unaffected('2.1'),
      unaffected('2.5', { lessThanOrEqual: '2.6' }),
      unaffected('3.0', { lessThan: '*' }),
      affected('4.0', { lessThan: '5.0' }),
    ]
    const [product] = toReportedProducts([reports({ versions, defaultStatus: 'unaffected' })])
    expect(listVersions(versions)).toEqual(['>=1.0,<3.0', '>=4.0,<5.0'])
    expect(
      product?.versions.map((each) => typeof each === 'object' && each.except?.length),
    ).toEqual([2, 1])
    const asked = '1.0 2.0 2.1 2.2 2.5 2.6 2.7 3.0 4.1'.split(' ')
    const covers = (each: string) => product?.versions.some((range) => coversVersion(range, each))
    expect(asked.filter(covers)).toEqual(['1.0', '2.0', '2.2', '2.7'])
  })

  it.each<[ReportedVersion, string, string]>([
    [affected('7.4.0', { type: 'git', lessThan: '7.4.9' }), '>=7.4.0,<7.4.9', '7.4.0 7.4.8'],
    [affected('0', { type: 'git', lessThanOrEqual: 'v7.4.8' }), '<=v7.4.8', '7.3 7.4.0 7.4.8'],
    [affected('7.4.0', { type: 'git', lessThan: 'a1b2c3d4' }), '>=7.4.0,<a1b2c3d4', '7.4.0'],
    [affected('7.4.x', { lessThan: '7.4.9' }), '>=7.4.x,<7.4.9', '7.4.0 7.4.8'],
    [affected('7.3.X', { lessThanOrEqual: '7.4.x' }), '>=7.3.X,<=7.4.x', '7.3 7.4.0 7.4.8 7.4.9'],
    [affected('0', { lessThan: '7.4.x' }), '<7.4.x', '7.3'],
    [affected('7.4.x'), '7.4.x', '7.4.0 7.4.8 7.4.9'],
  ])('finds versions of %j, listed as %s: %s', (version, text, found) => {
    const [product] = toReportedProducts([reports({ versions: [version] })])
    const asked = '7.3 7.4.0 7.4.8 7.4.9 7.5'.split(' ')
    const covers = (each: string) => product?.versions.some((range) => coversVersion(range, each))
    expect([listVersions([version]), asked.filter(covers).join(' ')]).toEqual([[text], found])
  })

  it('lists statements where configurations name no product', () => {
    const reported = [reports({ versions: [affected('1.0')] })]
    const configuration = (cpe: string) => ({
      ...({ operator: 'OR', isNegated: false } as const),
      nodes: [
        {
          ...({ operator: 'OR', isNegated: false, children: [] } as const),
          matches: [{ cpe, isVulnerable: cpe.includes('acme') }],
        },
      ],
    })
    const list = (cpe: string) => {
      const { listed, others } = toRecordProducts({
        configurations: [configuration(cpe)],
        reported,
      })
      return [toProductLines(listed), toProductLines(others)]
    }
    const platform = 'cpe:2.3:o:linux:linux_kernel:-:*:*:*:*:*:*:*'
    expect(list(platform)).toEqual([['acme rocket 1.0'], []])
    expect(list('cpe:2.3:a:acme:sail:2.0:*:*:*:*:*:*:*')).toEqual([
      ['acme sail 2.0'],
      ['acme rocket 1.0'],
    ])
  })

  it('groups statements by name and skips those without one', () => {
    const products = toReportedProducts([
      reports({ vendor: 'Acme  Data', product: ' Rocket\tEngine ', versions: [affected('1.0')] }),
      reports({ vendor: 'n/a', product: 'n/a' }),
      reports({ vendor: 'Unknown', product: 'Sail' }),
      reports({ vendor: 'Acme', product: 'N/A', packageName: 'acme/rocket' }),
      reports({ vendor: 'ACME DATA', product: 'rocket engine', versions: [affected('1.1')] }),
    ])
    expect(products).toEqual([
      { vendor: 'acme_data', product: 'rocket_engine', versions: ['1.0', '1.1'] },
      { vendor: '-', product: 'sail', versions: ['*'] },
      { vendor: 'acme', product: 'acme/rocket', versions: ['*'] },
    ])
  })
})

describe('toRecordProducts', () => {
  const reported = [reports({ versions: [affected('1.0')] })]

  it('lists the products of reporters only without configurations', () => {
    const configurations = affects('apache:log4j:2.14.1')
    const log4j = { vendor: 'apache', product: 'log4j', versions: ['2.14.1'] }
    const rocket = { vendor: 'acme', product: 'rocket', versions: ['1.0'] }
    const record = sampleRecord('CVE-2026-0001')
    expect(toRecordProducts({ ...record, reported })).toEqual({ listed: [rocket], others: [] })
    expect(toRecordProducts({ ...record, reported, configurations })).toEqual({
      listed: [log4j],
      others: [rocket],
    })
    expect(toRecordProducts({ ...record, configurations })).toEqual({ listed: [log4j], others: [] })
    expect(toRecordProducts(record)).toEqual({ listed: [], others: [] })
  })
})

describe('toCpeName and toVendorKey', () => {
  it.each([
    ['Acme Data, Inc.', 'acme_data,_inc.', 'acmedata'],
    ['Oracle Corporation', 'oracle_corporation', 'oracle'],
    ['D-Link', 'd-link', 'dlink'],
    ['S.A. Beta S.r.l.', 's.a._beta_s.r.l.', 'sabeta'],
    ['Foo Co., Ltd.', 'foo_co.,_ltd.', 'foo'],
    ['Cafe\u0301', 'caf\u00e9', 'cafe'],
    ['Foo Co.Ltd', 'foo_co.ltd', 'foo'],
    ['Bad\u0001Name', 'bad_name', 'badname'],
    ['  Big\u00a0 Corp ', 'big_corp', 'big'],
    ['Inc.', 'inc.', 'inc'],
    ['N/A', '-', 'na'],
    ['not specified', '-', 'notspecified'],
    ['***', '***', '***'],
  ])('converts %j to %s and %s', (name, spelled, key) => {
    expect([toCpeName(name), toVendorKey(name)]).toEqual([spelled, key])
    expect(toVendorKey(toCpeName(name))).toBe(spelled === '-' ? '-' : key)
  })
})
