import { describe, expect, it } from 'vitest'
import { collectServices } from '../../../core/boms/collect.ts'
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

describe('two bills', () => {
  it('are the same whatever the order of their services', async () => {
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

describe('several bills', () => {
  it('become one, with each service once and the strictest approvals', async () => {
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

  it('make an empty one when there are none', async () => {
    expect((await mergeBoms([], undefined)).subject.projectName).toBe('')
  })
})
