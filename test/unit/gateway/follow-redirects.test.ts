import { describe, expect, it } from 'vitest'
import type { ApiDiscoveryOptions } from '../../../core/app-options.ts'
import { EGRESS_LIMITS } from '../../../core/egress/limits.ts'
import type { GatewayCall } from '../../../core/gateway/call-service.ts'
import { EgressError, type EgressRequest } from '../../../core/ports/egress.ts'
import {
  type Answered,
  type GatewayService,
  useGatewayService,
} from '../../helpers/gateway-service.ts'

const ELSEWHERE = 'https://files.elsewhere.example'

const open = useGatewayService()

function getThing({ app, ada, ids }: GatewayService, more: Partial<GatewayCall> = {}) {
  const call = { endpointId: ids.getThing ?? '', values: { id: '1' }, followRedirects: true }
  return app.gateway.call({ ...call, ...more }, { account: ada })
}

/** Redirects calls to another origin, which responds with `answer`. */
function redirect({ egress }: GatewayService, answer: () => Answered): void {
  egress.answer = ({ url }: EgressRequest) =>
    url.startsWith(ELSEWHERE) ? answer() : { status: 302, headers: [['location', ELSEWHERE]] }
}

function urlsOf({ egress }: GatewayService): readonly string[] {
  return egress.sent.map(({ url }) => url)
}

describe('redirects', () => {
  it('are returned unchanged by default', async () => {
    const service = await open()
    redirect(service, () => ({}))
    const { status, headers } = await getThing(service, { followRedirects: false })
    expect([status, headers.location]).toEqual([302, `${ELSEWHERE}/`])
    expect(urlsOf(service)).toEqual(['https://api.acme.example/things/1'])
  })

  it('are followed three times, without headers for the first origin only', async () => {
    const service = await open()
    const key = { apiId: '1', kind: 'header', name: 'X-Key', value: 'canary-1' } as const
    await service.app.gateway.credentials.put(service.ada, key)
    service.egress.answer = ({ url }) => ({
      status: 302,
      headers: [['location', url.startsWith(ELSEWHERE) ? `${url}x` : `${ELSEWHERE}/`]],
    })
    const { status, headers } = await getThing(service)
    expect([status, headers.location]).toEqual([302, `${ELSEWHERE}/xxx`])
    expect(
      service.egress.sent.map(({ url, headers: sent }) => [url, sent.map(([name]) => name)]),
    ).toEqual([
      ['https://api.acme.example/things/1', ['x-key', 'accept', 'accept-encoding', 'user-agent']],
      [`${ELSEWHERE}/`, ['accept', 'accept-encoding', 'user-agent']],
      [`${ELSEWHERE}/x`, ['accept', 'accept-encoding', 'user-agent']],
      [`${ELSEWHERE}/xx`, ['accept', 'accept-encoding', 'user-agent']],
    ])
    expect(service.egress.discarded.length).toBe(3)
  })

  it('share the total time of one call', async () => {
    const service = await open()
    redirect(service, () => ({}))
    const { answer } = service.egress
    service.egress.answer = (request) => {
      service.clock.advance(20_000)
      return answer(request)
    }
    await getThing(service)
    expect(service.egress.sent.map(({ limits }) => limits)).toEqual([
      undefined,
      { totalMs: 10_000 },
    ])
    service.egress.answer = () => {
      service.clock.advance(10_000)
      return { status: 302, headers: [['location', ELSEWHERE]] }
    }
    await expect(getThing(service)).rejects.toMatchObject({ code: 'target_timeout' })
  })

  it.each<[string, () => Answered]>([
    ['answers 503', () => ({ status: 503 })],
    ['asks for fewer calls', () => ({ status: 429, headers: [['retry-after', '60']] })],
    [
      'does not answer',
      () => {
        throw new EgressError('first_byte_timeout', 'The target took too long')
      },
    ],
  ])('keep nobody away from the first origin where the other one %s', async (_, answer) => {
    const service = await open({ app: { gatewayLimits: { failures: 2 } } })
    redirect(service, answer)
    for (const _each of [1, 2, 3]) await getThing(service).catch(() => undefined)
    expect((await getThing(service, { followRedirects: false })).status).toBe(302)
    await expect(getThing(service)).rejects.toMatchObject({
      code: expect.stringMatching(/^target_(?:unavailable|throttled)$/),
    })
  })

  it('release their slots, regardless of how they end', async () => {
    const service = await open({ app: { gatewayLimits: { total: 1, failures: 100 } } })
    const answers: readonly (() => Answered)[] = [
      () => ({ status: 204 }),
      () => ({ status: 302, headers: [['location', '/again']] }),
      () => {
        throw new EgressError('malformed_answer', 'No HTTP')
      },
    ]
    for (const answer of answers) {
      redirect(service, answer)
      const result = await getThing(service).catch(() => undefined)
      const body = result?.body
      if (typeof body === 'object') await body[Symbol.asyncIterator]().return?.()
    }
    expect(service.app.gateway.gauges()[0]?.samples).toEqual([{ labels: {}, value: 0 }])
  })

  it.each<readonly [string, number, Partial<ApiDiscoveryOptions>]>([
    ['of the host', 5000, { gatewayLimits: { totalMs: 5000 } }],
    ['of the egress', 90_000, {}],
  ])('share the time that a call has: %s', async (_, totalMs, app) => {
    const service = await open({ app })
    const { egress, clock } = service
    egress.limits = { ...EGRESS_LIMITS, totalMs: 90_000 }
    redirect(service, () => ({ status: 302, headers: [['location', `${ELSEWHERE}/2`]] }))
    const { answer } = egress
    egress.answer = (request) => {
      clock.advance(totalMs / 2 - 1)
      return answer(request)
    }
    await expect(getThing(service)).rejects.toMatchObject({
      code: 'target_timeout',
      message: `Cannot call ${ELSEWHERE}: the total time of the call has elapsed`,
    })
    const given = egress.sent.map(({ limits }) => limits?.totalMs)
    const own = totalMs === 5000 ? 5000 : undefined
    expect(given).toEqual([own, totalMs / 2 + 1, 2])
  })
})
