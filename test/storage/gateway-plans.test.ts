import { describe, expect, it } from 'vitest'
import { ADA } from '../conformance/storage/gateway-samples.ts'
import { openNoting } from '../helpers/noting-sqlite.ts'

describe('a large audit log', () => {
  it('counts the responses of an endpoint from its index alone', async () => {
    const { storage, noted, explain } = await openNoting(() => 0)
    noted.clear()
    await storage.gateway.countResponses(ADA, 7)
    expect([...noted].flatMap(explain)).toEqual([
      'SEARCH gateway_call USING COVERING INDEX gateway_call_answers (account_id=? AND endpoint_id=?)',
    ])
    await storage.close()
  })
})
