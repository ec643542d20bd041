import { afterEach, describe, expect, it } from 'vitest'
import { checkPolicy, type PolicyRequest } from '../../../core/gateway/policies.ts'
import type { KeyPolicy } from '../../../core/gateway/records.ts'
import { type GatewayService, openGatewayService, START } from '../../helpers/gateway-service.ts'

let opened: GatewayService | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

async function openService(): Promise<GatewayService> {
  opened = await openGatewayService()
  return opened
}

function callOperation({ app, ada, key, ids }: GatewayService, operation = 'getThing') {
  const values = operation === 'getThing' ? { id: '1' } : {}
  const asked = { endpointId: ids[operation] ?? '', values }
  return app.gateway.call(asked, { account: ada, keyId: key.id })
}

function putPolicy({ app, ada, key }: GatewayService, more: Partial<PolicyRequest>) {
  return app.gateway.policies.put(ada, { keyId: key.id, ...more })
}

const REFUSED = { code: 'call_not_permitted' }

describe('checkPolicy', () => {
  const GET = { method: 'GET', apiId: 1, vendorId: 2 }
  const NOTHING: KeyPolicy = {
    keyId: 'key_1',
    vendorIds: undefined,
    apiIds: undefined,
    methods: undefined,
    dailyBudget: undefined,
    updatedAt: 0,
  }

  it.each<readonly [Partial<KeyPolicy>, boolean]>([
    [{}, true],
    [{ vendorIds: [2] }, true],
    [{ vendorIds: [1] }, false],
    [{ apiIds: [1] }, true],
    [{ apiIds: [2] }, false],
    [{ vendorIds: [9], apiIds: [1] }, true],
    [{ vendorIds: [2], apiIds: [9] }, true],
    [{ vendorIds: [9], apiIds: [9] }, false],
    [{ vendorIds: [] }, false],
    [{ apiIds: [] }, false],
    [{ vendorIds: [], apiIds: [1] }, true],
    [{ methods: ['GET', 'PUT'] }, true],
    [{ methods: ['PUT'] }, false],
    [{ methods: [] }, false],
    [{ vendorIds: [2], methods: ['PUT'] }, false],
  ])('%o permits: %s', (limits, isPermitted) => {
    const check = () => checkPolicy({ ...NOTHING, ...limits }, GET)
    if (isPermitted) check()
    else expect(check).toThrow(expect.objectContaining(REFUSED))
  })
})

describe('policies', () => {
  it('accept names and IDs, and return them', async () => {
    const service = await openService()
    const limits = { vendors: ['acme'], apiIds: ['1'], methods: ['GET'], dailyBudget: 5 }
    const named = {
      policy: {
        keyId: service.key.id,
        vendorIds: [1],
        apiIds: [1],
        methods: ['GET'],
        dailyBudget: 5,
        updatedAt: START,
      },
      vendors: ['Acme'],
    }
    expect(await putPolicy(service, limits)).toEqual(named)
    expect(await service.app.gateway.policies.list(service.ada)).toEqual([named])
    expect(await service.app.gateway.policies.list(service.bob)).toEqual([])
  })

  it('take effect with the next call, as does their removal', async () => {
    const service = await openService()
    await callOperation(service)
    await putPolicy(service, { methods: ['POST'] })
    await expect(callOperation(service)).rejects.toMatchObject(REFUSED)
    await callOperation(service, 'addThing')
    await service.app.gateway.policies.remove(service.ada, service.key.id)
    await callOperation(service)
    expect(service.egress.sent.length).toBe(3)
  })

  it('of another process take effect within a second', async () => {
    const service = await openService()
    const { storage, ada, key, clock } = service
    await callOperation(service)
    await storage.gateway.savePolicy(ada, {
      keyId: key.id,
      vendorIds: undefined,
      apiIds: [],
      methods: undefined,
      dailyBudget: undefined,
      updatedAt: START,
    })
    clock.advance(1000)
    await expect(callOperation(service)).rejects.toMatchObject(REFUSED)
  })

  it('apply to dry runs too', async () => {
    const service = await openService()
    await putPolicy(service, { apiIds: [] })
    const { app, ada, key, ids } = service
    const asked = { endpointId: ids.getThing ?? '', values: { id: '1' }, isDryRun: true }
    await expect(app.gateway.call(asked, { account: ada, keyId: key.id })).rejects.toMatchObject(
      REFUSED,
    )
  })

  it('require keys of the own account, and existing vendors and APIs', async () => {
    const service = await openService()
    const { app, bob, ada, key } = service
    await expect(app.gateway.policies.put(bob, { keyId: key.id })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      putPolicy(service, { vendors: ['Nobody'], apiIds: ['1', '9'] }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ name: 'vendors' }, { name: 'api_ids' }],
    })
    await expect(app.gateway.policies.remove(ada, key.id)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('daily budget', () => {
  it('ends with its last call, and resets at midnight UTC', async () => {
    const service = await openService()
    await putPolicy(service, { dailyBudget: 3 })
    for (const _ of [1, 2, 3]) await callOperation(service)
    await expect(callOperation(service)).rejects.toMatchObject({
      code: 'budget_exhausted',
      retryAfter: 16 * 3600,
    })
    service.clock.advance(16 * 3_600_000)
    await callOperation(service)
    expect(service.egress.sent.length).toBe(4)
  })

  it('does not count calls that were refused before sending', async () => {
    const service = await openService()
    await putPolicy(service, { dailyBudget: 1, methods: ['GET'] })
    await expect(callOperation(service, 'addThing')).rejects.toMatchObject(REFUSED)
    const { app, ada, key, ids } = service
    const invalid = { endpointId: ids.getThing ?? '', values: {} }
    const refused = app.gateway.call(invalid, { account: ada, keyId: key.id })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
    await callOperation(service)
  })

  it('can be raised with immediate effect', async () => {
    const service = await openService()
    await putPolicy(service, { dailyBudget: 1 })
    await callOperation(service)
    await expect(callOperation(service)).rejects.toMatchObject({ code: 'budget_exhausted' })
    await putPolicy(service, { dailyBudget: 2 })
    await callOperation(service)
    await expect(callOperation(service)).rejects.toMatchObject({ code: 'budget_exhausted' })
  })

  it('of 0 permits no calls', async () => {
    const service = await openService()
    await putPolicy(service, { dailyBudget: 0 })
    await expect(callOperation(service)).rejects.toMatchObject({ code: 'budget_exhausted' })
    expect(service.egress.sent).toEqual([])
  })
})
