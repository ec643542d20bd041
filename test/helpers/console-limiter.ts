import { createPinnedEgress } from '../../adapters/egress/index.ts'
import { serveLimiter } from './limiters/serve-limiter.ts'
import { openTestService } from './service.ts'

/** A service with two endpoints on loopback. It may test only the host of the first one. */
export async function openLimitedService() {
  const target = await serveLimiter(createLimiter())
  const closed = await serveLimiter(createLimiter())
  const egress = createPinnedEgress({ allow: [target.address, closed.address] })
  const service = await openTestService({
    isEmpty: true,
    app: { egress, rateLimitTests: { hosts: [target.address] }, clock: Date.now },
  })
  const ids: string[] = []
  for (const [title, { origin }] of [['Tides', target] as const, ['Rocks', closed] as const]) {
    const responses = { 200: { description: 'Well' } }
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } }
    const operation = { responses, parameters: [limit] }
    const paths = { [`/${title.toLowerCase()}`]: { get: operation } }
    const info = { title, version: '1.0.0' }
    const description = { openapi: '3.1.0', info, servers: [{ url: origin }], paths }
    const { apiId } = await service.app.imports.importDescription({
      bytes: new TextEncoder().encode(JSON.stringify(description)),
      vendorName: 'Harbour',
      createVendor: true,
      isPublic: true,
    })
    const { id } = await service.app.catalogue.getApi(apiId)
    const page = { size: 1, page: 1 }
    const { items } = await service.app.catalogue.listEndpoints({ apiId: id }, page)
    ids.push(items[0]?.shortId ?? '')
  }
  const [open = '', shut = ''] = ids
  return {
    service,
    target,
    /** Short IDs of the endpoint that may be tested and of the one that may not. */
    ids: { open, shut },
    async close() {
      await service.close()
      egress.close()
      await target.close()
      await closed.close()
    },
  }
}

/** Allows ten calls in two seconds. */
function createLimiter() {
  let since = 0
  let calls = 0
  return {
    answer: () => {
      const now = Date.now()
      if (now - since >= 2_000) [since, calls] = [now, 0]
      calls += 1
      const isOver = calls > 10
      const headers = isOver ? ([['retry-after', '2']] as const) : []
      return { status: isOver ? 429 : 200, headers, body: '{}', delayMs: 0 }
    },
  }
}
