import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMcpHandler } from '../../adapters/mcp/index.ts'
import { CLIENTS, callTool, type TestClient } from '../helpers/mcp.ts'
import { openTestService, type TestService } from '../helpers/service.ts'
import { DATA, hasGoldenData, readManifest } from './catalogue.ts'
import type { GoldenQuery } from './queries.ts'
import { GOLDEN_QUESTIONS } from './questions.ts'

/** Questions whose answer is an endpoint. */
const TASKS = GOLDEN_QUESTIONS.filter(({ endpoint }) => endpoint !== undefined).slice(0, 50)
/** Wording of the second search of tasks that use other words than the API. */
const REWORDED: Readonly<Record<string, string>> = {
  'kick user from server': 'delete guild member',
  'clear request log of mock server': 'delete requests',
}

interface FoundApi {
  readonly endpoints: readonly {
    readonly endpoint_id: string
    readonly method: string
    readonly url: string
  }[]
}

describe.skipIf(!hasGoldenData())('An agent', () => {
  let service: TestService
  let client: TestClient

  beforeAll(async () => {
    service = await openTestService()
    for (const { file, vendor } of readManifest()) {
      const bytes = await readFile(`${DATA}/openapi/${file}`)
      const request = { bytes, vendorName: vendor, createVendor: true, isPublic: true }
      // Some files are invalid on purpose, which import tests cover.
      await service.app.imports.importDescription(request).catch(() => undefined)
    }
    const connect = CLIENTS['2026-07-28'] as (typeof CLIENTS)[string]
    client = await connect({ mcp: createMcpHandler(service.app), key: service.keys.all })
  }, 300_000)

  afterAll(async () => {
    await client?.close()
    await service?.close()
  })

  it('finds and describes the endpoint of 50 tasks in three calls each', async () => {
    expect(TASKS).toHaveLength(50)
    const unsolved: string[] = []
    for (const task of TASKS) {
      if (!(await isSolved(client, task))) unsolved.push(task.q)
    }
    expect(unsolved).toEqual([])
  })
})

/**
 * Searches, then among the endpoints of the vendor if no expected one is listed, and describes it:
 * two or three calls.
 */
async function isSolved(client: TestClient, { q, apis, endpoint }: GoldenQuery): Promise<boolean> {
  const expected = [endpoint ?? []].flat()
  const [[vendor = ''] = []] = apis
  for (const input of [{ query: q }, { query: REWORDED[q] ?? q, vendor }]) {
    const found = await callTool(client, 'search_apis', input)
    const listed = ((found.structuredContent?.apis ?? []) as readonly FoundApi[])
      .flatMap(({ endpoints }) => endpoints)
      .find(({ method, url }) => expected.some((name) => isSame(name, method, url)))
    if (!listed) continue
    const described = await callTool(client, 'describe_endpoint', {
      endpoint_id: listed.endpoint_id,
    })
    return described.isError !== true
  }
  return false
}

/** Compares `get /path` with the method and URL of an endpoint. */
function isSame(name: string, method: string, url: string): boolean {
  const [expected = '', path = ''] = name.split(' ')
  return expected.toUpperCase() === method && decodeURI(url).endsWith(path)
}
