import { afterAll, describe, expect, it } from 'vitest'
import { openTestService } from '../helpers/service.ts'
import { INSTANCE_ID } from './valid-requests.ts'
import { askOverHttp } from './ways.ts'

const service = await openTestService()
afterAll(() => service.close())

const target = '/api/networks/user_scan_mappings/'
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' }

/** The forms in which clients send the ID (Specification 4.12, contract 1). */
const FORMS = {
  'an urlencoded form': [URLENCODED, `instance_id=${INSTANCE_ID}`],
  'a multipart form': [
    { 'content-type': 'multipart/form-data; boundary=b' },
    `--b\r\nContent-Disposition: form-data; name="instance_id"\r\n\r\n${INSTANCE_ID}\r\n--b--\r\n`,
  ],
  'a multipart form of attachments that is labelled otherwise': [
    URLENCODED,
    `--b\r\nContent-Disposition: attachment; name="instance_id"\r\n\r\n${INSTANCE_ID}\r\n--b--\r\n`,
  ],
  JSON: [{ 'content-type': 'application/json' }, JSON.stringify({ instance_id: INSTANCE_ID })],
  'JSON that is labelled otherwise': [URLENCODED, JSON.stringify({ instance_id: INSTANCE_ID })],
} as const

const key = { 'api-key': service.keys.all }
const isNode = !('Bun' in globalThis || 'Deno' in globalThis)

describe('the mappings of a network scan', () => {
  it.each(Object.entries(FORMS))('respond to GET and POST with %s', async (_, form) => {
    const [headers, body] = form
    const way = await askOverHttp(service, 'node')
    const request = { target, headers: { ...key, ...headers, 'x-request-id': 'x' }, body }
    const asked = await Promise.all([
      way.ask({ ...request, method: 'GET' }),
      way.ask({ ...request, method: 'POST' }),
      way.ask({ target: `${target}?instance_id=${INSTANCE_ID}`, headers: key }),
      way.ask({ target: `${target.slice(0, -1)}?instance_id=${INSTANCE_ID}`, headers: key }),
    ])
    await way.close()
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [first] = asked
    const mappings: unknown = JSON.parse(first.body).scan_mappings.mappings
    expect(mappings).toHaveLength(4)
    expect(asked.map(({ body: answer }) => answer)).toEqual(asked.map(() => first.body))
  })

  it.skipIf(isNode)(
    'are required in the query if a native listener drops the body of a GET (Node has none)',
    async () => {
      const way = await askOverHttp(service, 'native')
      const [headers, body] = FORMS['an urlencoded form']
      const request = { target, headers: { ...key, ...headers }, body }
      const lost = await way.ask({ ...request, method: 'GET' })
      expect(lost.status).toBe(400)
      expect(JSON.parse(lost.body).errors).toEqual([
        {
          in: 'form',
          name: 'instance_id',
          message: 'is required: this server drops the body of a GET, so pass it in the query',
        },
      ])
      expect((await way.ask({ ...request, method: 'POST' })).status).toBe(200)
      const inQuery = `${target}?instance_id=${INSTANCE_ID}`
      expect((await way.ask({ target: inQuery, headers: key })).status).toBe(200)
      await way.close()
    },
  )
})
