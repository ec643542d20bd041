import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/index.ts'
import { makeFolder } from '../helpers/folder.ts'

it('an endpoint stored before import limits is listed, but not read', async () => {
  const folder = await makeFolder()
  const file = folder.pathOf('a.db')
  const app = createApiDiscovery({ storage: await openSqlite({ file }) })
  const bytes = new TextEncoder().encode(
    '{"openapi":"3.1.0","info":{"title":"Large"},"paths":{"/a":{"get":{}},"/b":{"get":{}}}}',
  )
  await app.imports.importDescription({
    bytes,
    vendorName: 'V',
    createVendor: true,
    isPublic: true,
  })
  const parameter = { name: 'p', placement: 'query', enum: ['x'.repeat(5_000_000)] }
  const database = new DatabaseSync(file)
  const { short_id: id } = database
    .prepare(`select short_id from endpoint where path = '/a'`)
    .get() as { readonly short_id: string }
  database
    .prepare(
      `update endpoint_detail set detail = json_set(detail, '$.parameters', json(?))
       where row_id = (select row_id from endpoint where short_id = ?)`,
    )
    .run(JSON.stringify([parameter]), id)
  database.close()
  const refusal = {
    code: 'too_expensive',
    message: expect.stringMatching(
      /^Cannot read the endpoint: its details have 5000\d{3} characters, more than 4194304\. Import the API's description again$/,
    ),
  }
  const storage = await openSqlite({ file })
  const { catalogue } = storage
  await expect(async () => catalogue.findEndpoint(id)).rejects.toMatchObject(refusal)
  await expect(async () => catalogue.findEndpointParameters(id)).rejects.toMatchObject(refusal)
  const api = await catalogue.findApiOfEndpoint(id)
  const endpoints = await catalogue.listApiEndpoints(api?.id ?? 0)
  expect(endpoints.map(({ path, parameters }) => [path, parameters.length])).toEqual([
    ['/a', 0],
    ['/b', 0],
  ])
  await storage.close()
  await app.close()
  await folder.remove()
})
