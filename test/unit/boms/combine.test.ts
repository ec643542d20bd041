import { describe, expect, it } from 'vitest'
import { collectServices } from '../../../core/boms/collect-bom.ts'
import { compareBoms, mergeBoms } from '../../../core/boms/combine.ts'
import { readBom } from '../../../core/boms/reading/read-bom.ts'

function toBom(name: string, services: readonly object[]) {
  const document = {
    project_id: name,
    project_name: name,
    datetime_created: '2026-03-14 08:00',
    scan_details: { services },
  }
  const [bom] = readBom(JSON.stringify(document)).boms
  if (!bom) throw new Error('no bill')
  return bom
}

function service(name: string, endpoints: Readonly<Record<string, string>>, more: object = {}) {
  return {
    name,
    provider: { name: 'Acme' },
    endpoints: Object.keys(endpoints),
    properties: Object.entries(endpoints).map(([url, value]) => ({
      name: `${url} approval status`,
      value,
    })),
    ...more,
  }
}

const WEB = 'https://api.acme.example/web'
const JOBS = 'https://api.acme.example/jobs'

describe('two BOMs', () => {
  it('are equal regardless of the order of their services', async () => {
    const services = [service('A', { [WEB]: 'yes' }), service('B', {})]
    expect(
      await compareBoms(toBom('one', services), toBom('two', [...services].reverse())),
    ).toEqual({ services: { added: [], gone: [], changed: [] }, isSame: true })
  })

  it('differ in services, versions, agreements, endpoints and approvals', async () => {
    const before = [
      service('A', { [WEB]: 'unreviewed', [JOBS]: 'yes' }, { version: '1' }),
      service('Old', {}),
    ]
    const licenses = [{ name: 'Terms', url: 'https://acme.example/terms' }]
    const after = [
      service(
        'A',
        { [WEB]: 'no', 'https://api.acme.example/new': 'yes' },
        { version: '2', licenses },
      ),
      service('New', {}),
    ]
    expect(await compareBoms(toBom('p', before), toBom('p', after))).toEqual({
      services: {
        added: ['New'],
        gone: ['Old'],
        changed: [
          {
            name: 'A',
            fields: [
              ['version', '1', '2'],
              ['agreements', '', 'Terms (https://acme.example/terms)'],
            ],
            added: ['https://api.acme.example/new'],
            gone: [JOBS],
            approvals: [{ endpoint: WEB, before: 'unreviewed', after: 'no' }],
          },
        ],
      },
      isSame: false,
    })
  })
})

describe('services with the same name and vendor', () => {
  const [one, two, three] = ['1', '2', '3'].map((version) => service('A', {}, { version }))

  it('are compared by version, then in order', async () => {
    const compare = async (before: readonly unknown[], after: readonly unknown[]) => {
      const [first, second] = [before, after].map((each) => toBom('p', each as object[]))
      if (!first || !second) throw new Error('no bill')
      const { added, gone, changed } = (await compareBoms(first, second)).services
      return { added, gone, fields: changed.map(({ fields }) => fields) }
    }
    expect(await compare([one, two], [two])).toEqual({ added: [], gone: ['A'], fields: [] })
    expect(await compare([two], [one, two])).toEqual({ added: ['A'], gone: [], fields: [] })
    expect(await compare([one, two], [two, three])).toEqual({
      added: [],
      gone: [],
      fields: [[['version', '1', '3']]],
    })
  })

  it('are distinct if their vendors differ', async () => {
    const other = { ...service('A', { [JOBS]: 'yes' }), provider: { name: 'Other' } }
    const services = await collectServices(toBom('p', [service('A', { [WEB]: 'yes' }), other]))
    expect(services.map(({ provider, endpoints }) => [provider.name, endpoints.length])).toEqual([
      ['Acme', 1],
      ['Other', 1],
    ])
  })
})

describe('several BOMs', () => {
  it('retain distinct services with the same reference', async () => {
    const boms = ['Mail', 'Maps'].flatMap((name) => {
      const services = [{ 'bom-ref': 'service-1', name, endpoints: [WEB] }]
      return readBom(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', services })).boms
    })
    const services = await collectServices(await mergeBoms(boms, undefined))
    expect(services.map(({ name, endpoints }) => [name, endpoints.length])).toEqual([
      ['Mail', 1],
      ['Maps', 1],
    ])
  })

  it('are merged, with each service once and the strictest approvals', async () => {
    const merged = await mergeBoms(
      [
        toBom('web', [service('A', { [WEB]: 'yes' })]),
        toBom('jobs', [service('A', { [WEB]: 'no', [JOBS]: 'yes' }), service('B', {})]),
      ],
      'storefront',
    )
    const services = await collectServices(merged)
    expect([merged.subject.projectName, merged.subject.id]).toEqual(['storefront', ''])
    expect(
      services.map(({ name, endpoints }) => [
        name,
        endpoints.map(({ url, approval }) => `${url} ${approval}`),
      ]),
    ).toEqual([
      ['A', [`${WEB} no`, `${JOBS} yes`]],
      ['B', []],
    ])
  })

  it('are merged to an empty one if there are none', async () => {
    expect((await mergeBoms([], undefined)).subject.projectName).toBe('')
  })
})
