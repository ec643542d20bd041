import { describe, expect, it } from 'vitest'
import { describeHost } from '../../../core/boms/build-bom.ts'
import {
  type BomVulnerability,
  type CollectedBom,
  type CollectedService,
  collectBom,
} from '../../../core/boms/collect-bom.ts'
import { renderJson, renderXml } from '../../../core/boms/cyclonedx/render.ts'
import { toCycloneDxService } from '../../../core/boms/cyclonedx/to-service.ts'
import { joinUsages } from '../../../core/boms/join-usages.ts'
import type { BomEndpoint } from '../../../core/boms/model.ts'
import { readText } from './texts.ts'

const SERVICES = 3
const tool = { name: 't', version: '1' }
const subject = {
  kind: 'project',
  id: 'p',
  projectName: 'P',
  networkName: '',
  createdAt: 0,
} as const

/** Blocks for longer than a time slice and returns the text. */
function work(text: string): string {
  for (const end = performance.now() + 12; performance.now() < end; );
  return text
}

/** Counts turns of other tasks. Returns the count at each call of `note`. */
async function watch(run: (note: () => void) => Promise<unknown>): Promise<readonly number[]> {
  const noted: number[] = []
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  await run(() => noted.push(turns))
  clearInterval(timer)
  return noted
}

function toServices(change: (index: number) => Partial<CollectedService>) {
  return Array.from({ length: SERVICES }, (_, index): CollectedService => {
    const service = describeHost(`h${index}.example`)
    const rest = { endpoints: [], captures: [], vulnerabilities: [], vulnerabilityCount: 0 }
    return Object.defineProperties(
      { ...service, ...rest },
      Object.getOwnPropertyDescriptors(change(index)),
    )
  })
}

function toBom(services: readonly CollectedService[]): CollectedBom {
  const serialNumber = 'urn:uuid:00000000-0000-4000-8000-000000000000'
  return { subject, analyzedAt: 0, instances: [], services, packages: [], tool, serialNumber }
}

const CVE: BomVulnerability = {
  id: 'CVE-2026-1',
  description: '',
  publishedAt: 0,
  modifiedAt: 0,
  metric: undefined,
  weaknesses: [],
  isExploited: false,
  authority: 'nvd',
  vendor: 'v',
  product: 'p',
}

const ENDPOINT: BomEndpoint = {
  url: 'https://h.example/v1',
  method: 'get',
  approval: 'yes',
  reason: '',
  decision: { by: '', at: 0 },
  foundIn: [],
  packages: [],
  confidence: undefined,
}

describe('BOMs yield to the event loop', () => {
  it('between the vulnerabilities of two services', async () => {
    const noted = await watch((note) => {
      const services = toServices(() => ({ isMatched: true }))
      const batches = (async function* () {
        yield services
      })()
      const scans = [{ analyzedAt: 0, instance: undefined, services: batches }]
      const findVulnerabilities = async () => {
        note()
        work('')
        return { found: [], count: 0 }
      }
      return collectBom({ subject, scans }, { tool, findVulnerabilities })
    })
    expect(noted).toHaveLength(SERVICES)
    expect(new Set(noted).size).toBe(SERVICES)
  })

  describe.each([
    ['JSON', renderJson],
    ['XML', renderXml],
  ] as const)('while %s is written', (_, render) => {
    it.each([
      [
        'services',
        (note: () => void) => ({
          get version() {
            note()
            return work('')
          },
        }),
      ],
      [
        'vulnerabilities',
        (note: () => void, index: number) => ({
          vulnerabilities: [
            {
              ...CVE,
              id: `CVE-2026-${index}`,
              get product() {
                note()
                return work('p')
              },
            },
          ],
        }),
      ],
      [
        'annotations',
        (note: () => void) => ({
          endpoints: [
            {
              ...ENDPOINT,
              get reason() {
                note()
                return work('r')
              },
            },
          ],
        }),
      ],
    ])('between two %s', async (_, change) => {
      const noted = await watch(async (note) => {
        const services = toServices((index) => change(note, index))
        await readText(await render(toBom(services), '1.6'))
      })
      expect(new Set(noted).size).toBeGreaterThanOrEqual(SERVICES)
    })
  })

  it.each([
    ['read', (endpoints: readonly BomEndpoint[]) => joinUsages(endpoints)],
    ['written', (endpoints: readonly BomEndpoint[]) => toCycloneDxService(toLarge(endpoints))],
  ])('between the endpoints of one service that is %s', (_, begin) => {
    const made = begin(Array.from({ length: 100 }, () => ENDPOINT))
    let pauses = 0
    while (!made.next().done) pauses += 1
    expect(pauses).toBeGreaterThanOrEqual(100)
  })
})

function toLarge(endpoints: readonly BomEndpoint[]): CollectedService {
  const [service] = toServices(() => ({ endpoints }))
  if (!service) throw new Error('There is no service')
  return service
}

describe.each([
  ['JSON', renderJson],
  ['XML', renderXml],
] as const)('the first bytes of a document in %s', (_, render) => {
  it('before services and vulnerabilities are created', async () => {
    let made = 0
    const services = toServices((index) => ({
      description: 'd'.repeat(100_000),
      get version() {
        made += index
        return ''
      },
      vulnerabilities: [
        {
          ...CVE,
          get product() {
            made += 1
            return ''
          },
        },
      ],
    }))
    const chunks = (await render(toBom(services), '1.6'))[Symbol.asyncIterator]()
    const { value } = await chunks.next()
    expect([value instanceof Uint8Array, made]).toEqual([true, 0])
  })
})
