import { describe, expect, it } from 'vitest'
import { serve } from '../../adapters/runtime/serve.ts'
import { createClient } from '../../core/client.ts'

describe('a client', () => {
  it('follows no redirect, so that its key reaches no other origin', async () => {
    const keys: (string | undefined)[] = []
    const other = await serve(
      (request) => {
        keys.push(request.header('api-key'))
        return { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }
      },
      { port: 0 },
    )
    const server = await serve(
      ({ target }) => ({
        status: 307,
        headers: { location: `${other.url}${target}` },
        body: undefined,
      }),
      { port: 0 },
    )
    const client = createClient({ baseUrl: `${server.url}/api`, apiKey: 'adk_live_canary' })
    const error = await client.listCategories().catch((each: unknown) => each)
    await server.close(0)
    await other.close(0)
    expect(error).toMatchObject({ name: 'ClientError', status: 307, code: '' })
    expect(keys).toEqual([])
  })
})
