import { describe, expect, it } from 'vitest'
import { buildMatcher } from '../../../core/matching/matcher.ts'
import { toFlowQuery, toFlowRow } from '../../../core/scans/stored-rows.ts'
import type { Flow } from '../../../core/traffic/flow.ts'
import { toFlowDocument, toSubmittedFlow } from '../../../core/traffic/flow-document.ts'
import { createNetworkReport } from '../../../core/traffic/network-report.ts'
import { type MatchedFlow, scanNetwork } from '../../../core/traffic/scan-network.ts'

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

const FLOW: Flow = {
  ip: '93.184.216.34',
  port: 443,
  host: 'api.pay.example',
  via: 'tls',
  direction: 'Outgoing',
  capturedAt: AT,
  protocol: 'tls',
  method: undefined,
  url: undefined,
}

const REQUEST: Flow = {
  ...FLOW,
  via: 'har',
  protocol: 'http',
  method: 'post',
  url: 'https://api.pay.example/v1/charges',
}

const LOOK_UP: Flow = { ...FLOW, ip: '10.0.0.1', port: 53, via: 'dns', protocol: 'dns' }
const OTHER: Flow = { ...FLOW, host: 'other.example' }
const CLIENT: Flow = {
  ...FLOW,
  host: undefined,
  via: 'log',
  direction: 'Incoming',
  ip: '203.0.113.9',
}

async function* pages() {
  yield [
    {
      id: 1,
      shortId: 'abcdefg',
      apiId: 1,
      apiName: 'Pay',
      vendorName: 'Pay Inc',
      method: 'post',
      path: '/v1/charges',
      servers: [{ url: 'https://api.pay.example', name: '', variables: [] }],
    },
  ]
}

async function match(flows: readonly Flow[]): Promise<readonly MatchedFlow[]> {
  const catalogue = await buildMatcher(pages())
  const matched: MatchedFlow[] = []
  for await (const flow of scanNetwork({ flows, catalogue })) matched.push(flow)
  return matched
}

describe('flows', () => {
  it('are matched by their visible properties', async () => {
    const incoming = { ...FLOW, direction: 'Incoming' } as const
    const matched = await match([REQUEST, FLOW, LOOK_UP, OTHER, incoming])
    expect(matched.map(({ apiName, endpointId }) => [apiName, endpointId])).toEqual([
      ['Pay', 'abcdefg'],
      ['Pay', undefined],
      ['Pay', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('are printed without unknown properties', async () => {
    const [request, other] = await match([REQUEST, { ...OTHER, ip: '', port: undefined }])
    if (!request || !other) throw new Error('two were given')
    expect(toFlowDocument(request)).toEqual({
      captured_ip: '93.184.216.34',
      port: 443,
      host: 'api.pay.example',
      via: 'har',
      direction: 'Outgoing',
      capture_datetime: '2026-01-02T03:04:05+00:00',
      protocol: 'http',
      method: 'post',
      url: 'https://api.pay.example/v1/charges',
      endpoint_id: 'abcdefg',
      api_name: 'Pay',
      vendor_name: 'Pay Inc',
    })
    expect(toFlowDocument(other)).toEqual({
      host: 'other.example',
      via: 'tls',
      direction: 'Outgoing',
      capture_datetime: '2026-01-02T03:04:05+00:00',
      protocol: 'tls',
    })
  })

  it('contain no secret from a path, printed or sent', async () => {
    const bot = `bot123456:${'A'.repeat(35)}`
    const urls = [
      'https://hooks.slack.com/services/T0/B0/s3cr3t',
      `https://api.telegram.org/${bot}/sendMessage`,
      'https://api.pay.example/v1/users/sk_live_s3cr3tk3y/orders',
      'https://api.pay.example/v1/charges',
    ]
    const told = [
      'https://hooks.slack.com/services/{}/{}/{}',
      'https://api.telegram.org/bot{}/sendMessage',
      'https://api.pay.example/v1/users/{}/orders',
      'https://api.pay.example/v1/charges',
    ]
    const flows = urls.map((url) => ({ ...REQUEST, url }))
    expect((await match(flows)).map((flow) => toFlowDocument(flow).url)).toEqual(told)
    expect(flows.map((flow) => toSubmittedFlow(flow).url)).toEqual(told)
  })

  it('are sent in a form that the service accepts, whatever was captured', () => {
    const wild = {
      ...REQUEST,
      host: `a\u0000${'b'.repeat(400)}`,
      url: `http://x/${'\ud83d\ude00'.repeat(4000)}`,
    }
    const sent = toSubmittedFlow({ ...wild, method: 'g\u0000t', capturedAt: Number.NaN, ip: 'x' })
    expect(sent).toEqual({
      captured_ip: '',
      port: 443,
      host: `a\ufffd${'b'.repeat(298)}`,
      direction: 'Outgoing',
      capture_datetime: '1970-01-01T00:00:00.000Z',
      url: `http://x/${'\ud83d\ude00'.repeat(1995)}`,
    })
  })
})

describe('flows that a service stores', () => {
  const stored = {
    ip: '10.0.0.1',
    port: 53,
    capturedAt: AT,
    direction: 'Outgoing',
    method: '',
  } as const

  it.each([
    [
      'a look-up by its name, not by the port of the resolver',
      { host: 'api.pay.example' },
      undefined,
    ],
    ['a resolver by its address and port', { host: '' }, 53],
  ])('are matched: %s', (_, { host }, port) => {
    const query = toFlowQuery(toFlowRow({ ...stored, host, url: '' }))
    expect(query).toEqual({ host: host || '10.0.0.1', port, method: '' })
  })
})

describe('the report on a network', () => {
  it('counts flows by API and by other hosts', async () => {
    const report = createNetworkReport()
    const later = { ...REQUEST, capturedAt: AT + 5000, ip: '93.184.216.35' }
    for (const flow of await match([LOOK_UP, REQUEST, later, FLOW, OTHER, CLIENT, CLIENT])) {
      report.add(flow)
    }
    expect([report.flows, report.apis(), report.hosts()]).toEqual([
      7,
      [
        {
          apiName: 'Pay',
          vendorName: 'Pay Inc',
          host: 'api.pay.example',
          flows: 4,
          addresses: 2,
          address: '93.184.216.34',
          directions: ['Outgoing'],
          firstAt: AT,
          lastAt: AT + 5000,
          requests: [{ text: 'POST /v1/charges', count: 2 }],
          endpoints: 1,
        },
      ],
      [
        expect.objectContaining({ host: '', flows: 2, directions: ['Incoming'] }),
        expect.objectContaining({ host: 'other.example', flows: 1, directions: ['Outgoing'] }),
      ],
    ])
  })

  it('distinguishes a limited number of addresses and requests, and counts the rest', async () => {
    const report = createNetworkReport({ maxTold: 3 })
    const flows = ['1', '2', '3', '4'].map((id) => ({
      ...REQUEST,
      ip: `93.184.216.${id}`,
      url: `https://${id}.other.example/${id}`,
      host: `${id}.other.example`,
    }))
    for (const flow of await match([...flows, ...flows])) report.add(flow)
    const told = report.hosts().map(({ flows: count, addresses, requests }) => ({
      count,
      addresses,
      requests: requests.length,
    }))
    expect(told).toEqual([
      { count: 2, addresses: 1, requests: 1 },
      { count: 2, addresses: 1, requests: 0 },
      { count: 2, addresses: 0, requests: 0 },
      { count: 2, addresses: 0, requests: 0 },
    ])
  })
})
