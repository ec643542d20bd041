import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readApiFacts } from '../../../../core/scans/report/api-facts.ts'
import { openTestService, type TestService } from '../../../helpers/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

async function findApiId(vendorName: string): Promise<number> {
  const [api] = await service.storage.catalogue.findApisByName({ vendorName })
  return api?.id ?? 0
}

describe('facts of APIs', () => {
  it('name licences and agreements once, documentation aside, and leave out what is unknown', async () => {
    const { catalogue } = service.storage
    const ids = [await findApiId('Ledgerly'), await findApiId('Skycast'), 987_654]
    const facts = await readApiFacts({ catalogue }, [...ids, ...ids])
    expect([...facts.values()]).toEqual([
      {
        id: ids[0],
        name: 'Ledgerly Payments',
        version: '1.4.2',
        vendorName: 'Ledgerly',
        terms: ['Apache-2.0', 'Terms of service'],
        exploited: undefined,
      },
      {
        id: ids[1],
        name: 'Skycast Weather',
        version: '2.1.0',
        vendorName: 'Skycast',
        terms: ['CC BY 4.0', 'Terms of service'],
        exploited: undefined,
      },
    ])
    expect(await readApiFacts({ catalogue }, [])).toEqual(new Map())
  })

  it('name exploited vulnerabilities where they are asked for', async () => {
    const asked: unknown[] = []
    const id = await findApiId('Ledgerly')
    const facts = await readApiFacts(
      {
        catalogue: service.storage.catalogue,
        findVulnerabilities: async (request) => {
          asked.push(request)
          return {
            found: [
              { id: 'CVE-2024-1', isExploited: true },
              { id: 'CVE-2024-2', isExploited: false },
            ],
          }
        },
      },
      [id],
    )
    expect(facts.get(id)?.exploited).toEqual(['CVE-2024-1'])
    expect(asked).toEqual([
      { api: { name: 'Ledgerly Payments', vendorName: 'Ledgerly' }, limit: 20 },
    ])
  })
})

describe('the catalogue for scans', () => {
  it('matches URLs and knows vendors by the domains of their homepages', async () => {
    const catalogue = await service.app.loadScanCatalogue()
    const url = 'https://api.ledgerly.example/v1/payments'
    expect(catalogue.match({ method: 'post', url })).toEqual(
      await service.app.match({ method: 'post', url }),
    )
    expect([
      catalogue.findVendor?.('bakery.example'),
      catalogue.findVendor?.('nobody.example'),
    ]).toEqual(['Ösel Bäckerei', undefined])
  })
})
