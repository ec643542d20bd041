import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createClient } from '../../core/client.ts'
import { startPostgres } from '../helpers/postgres.ts'
import { isFull } from '../helpers/runs.ts'
import { startScript } from '../helpers/script.ts'
import { openTestService } from '../helpers/service.ts'

const HELPERS = join(import.meta.dirname, '../helpers')
// Other runtimes use too few rows to fill the memory, except in full test runs.
const ROWS = isFull ? 60_000 : 15_000
/** Far less than the size of 60,000 rows, but more than normal fluctuations of a heap. */
const MAX_GROWTH_BYTES = 288 * 1024 * 1024

function* findings(count: number) {
  for (let index = 0; index < count; index += 1) {
    const host = index % 2 === 0 ? 'eu.api.skycast.example/v2' : `host${index % 5000}.example`
    yield {
      endpoint_url: `https://${host}/forecast?${'long=query&'.repeat(140)}n=${index}`,
      endpoint_method: 'GET',
      found_in: [{ file: `src/folder/file${index % 7000}.ts`, line: index + 1 }],
    }
  }
}

describe(`scan with ${ROWS} findings`, () => {
  it.each([
    ['SQLite', undefined],
    ...(process.env.API_DISCOVERY_LONG ? [['PostgreSQL', startPostgres] as const] : []),
  ] as const)(
    'is stored and read with constant memory over %s, while other requests are answered',
    async (_, start) => {
      const postgres = await start?.()
      const database = postgres ? [await postgres.createDatabase()] : []
      // Runs in a separate process, because other tests and the client share this one.
      const server = await startScript(['large-scan-child.ts', ...database], { cwd: HELPERS })
      const [, apiKey = ''] = /key (\S+)/.exec(server.output()) ?? []
      const client = createClient({ baseUrl: `${server.url}/api`, apiKey })
      const read = { bytes: 0, others: 0 }
      const upload = client.submitProjectScan({
        head: { project_name: 'Large' },
        rows: findings(ROWS),
      })
      let isOver = false
      const end = () => {
        isOver = true
      }
      upload.then(end, end)
      while (!isOver) {
        expect(await client.listScannedProjects({ name: 'Storefront' })).toHaveLength(1)
        read.others += 1
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const stored = await upload
      expect(stored).toMatchObject({ endpoints: ROWS, matched: ROWS / 2 })
      const url = `${server.url}/api/scanned/projects?project_id=${stored.project_id}`
      const response = await fetch(url, { headers: { 'api-key': apiKey } })
      for await (const chunk of response.body ?? []) read.bytes += chunk.byteLength
      expect(read.bytes).toBeGreaterThan(ROWS * 1600)
      expect(read.others).toBeGreaterThan(1)
      await server.end()
      const [, growth] = /growth (\d+)/.exec(server.output()) ?? []
      await postgres?.stop()
      expect(Number(growth)).toBeLessThan(MAX_GROWTH_BYTES)
    },
    300_000,
  )
})

describe('malicious scan', () => {
  it('returns scripts, formulas and SQL as plain texts', async () => {
    const { app, caller, close } = await openTestService()
    const texts = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "'; drop table scan; --",
      '=cmd|calc!A1',
      '{{constructor.constructor("return 1")()}}',
      '../../../../etc/passwd',
      '__proto__',
      'javascript:alert(1)',
      '\u0024{jndi:ldap://x.example/a}',
      '\u202Egnp.exe',
    ]
    const rows = texts.map((text) => ({
      endpoint_url: toSampleUrl(text),
      found_in: [{ file: text }],
      package: text,
    }))
    for (const project_name of texts) {
      const head = { project_name }
      const { project_id } = await app.call('submitProjectScan', { head, rows }, caller)
      const endpoints = texts.map((text) => ({
        endpoint_url: toSampleUrl(text),
        approval: 'no' as const,
        reason: text,
      }))
      await app.call('reviewProjectScan', { body: { project_id, endpoints } }, caller)
      const [project] = [await app.call('listScannedProjects', { project_id }, caller)].flat()
      expect(project?.project_name).toBe(project_name)
      expect(
        project?.scan_details.map((each) => [
          each.endpoint_url,
          each.found_in[0]?.file,
          each.package,
          each.reason,
          each.api_name,
        ]),
      ).toEqual(texts.map((text) => [toSampleUrl(text), text, text, text, '']))
    }
    await close()
  })

  it('is returned as JSON that no browser runs', async () => {
    const { app, keys, close } = await openTestService()
    const answer = await app.fetch(
      new Request('http://service.test/api/scanned/projects', {
        headers: { 'api-key': keys.all, accept: 'text/html' },
      }),
    )
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await answer.text()
    await close()
  })
})

function toSampleUrl(text: string): string {
  return `https://x.example/${text}`
}
