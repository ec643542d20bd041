import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveNode } from '../../adapters/runtime/node.ts'
import { createClient } from '../../core/client.ts'
import { ROOT } from '../helpers/build.ts'
import { runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { openTestService, type TestService } from '../helpers/service.ts'

const BOOKSHOP = join(ROOT, 'fixtures', 'projects', 'bookshop')

let folder: TestFolder
let service: TestService
let server: Awaited<ReturnType<typeof serveNode>>

beforeAll(async () => {
  folder = await makeFolder()
  expect((await runCommand(['migrate', '--database', folder.pathOf('a.db')])).code).toBe(0)
  service = await openTestService()
  server = await serveNode(service.app.handle, { port: 0 })
})
afterAll(async () => {
  await server.close(0)
  await service.close()
  await folder.remove()
})

function submitBookshop(url: string, key: string, more: readonly string[] = ['--json']) {
  const words = ['scan', 'project', BOOKSHOP, '--database', folder.pathOf('a.db')]
  return runCommand([...words, '--name', 'Bookshop', '--submit', url, ...more], {
    environment: { API_DISCOVERY_KEY: key },
  })
}

const lastOf = (notes: readonly string[]) => notes.at(-1) ?? ''

describe('scan project --submit', () => {
  it('stores the scan in a service once, and explains where to read it', async () => {
    const sent = await submitBookshop(server.url, service.keys.only.ingest)
    expect([sent.code, lastOf(sent.notes)]).toEqual([
      0,
      expect.stringMatching(
        /^Stored as prj_\w{22}: 6 endpoints and libraries, 0 matched\. Read it from the API: GET http:\/\/127\.0\.0\.1:\d+\/api\/scanned\/projects\?project_id=prj_\w{22}$/,
      ),
    ])
    const again = await submitBookshop(`${server.url}/api/`, service.keys.only.ingest)
    expect(lastOf(again.notes)).toBe(lastOf(sent.notes))
    const client = createClient({ baseUrl: `${server.url}/api`, apiKey: service.keys.readOnly })
    const [, id = ''] = /Stored as (\w+)/.exec(lastOf(sent.notes)) ?? []
    const stored = await client.listScannedProjects({ project_id: id })
    if (Array.isArray(stored)) throw new Error('one was asked for')
    const { project_name: name, scan_details: details } = stored
    expect([name, details.map(({ endpoint_url: url }) => url)]).toEqual([
      'Bookshop',
      [
        'https://api.github.com/repos/{}/{}/releases',
        'https://api.twilio.com',
        'https://api.stripe.com/v1/charges',
        'https://api.stripe.com/v1/charges/{}',
        'https://api.mailhopper.io/v3/messages',
        // A build script: after production code.
        'https://ci.jenkins.io/job/{}/build',
      ],
    ])
    expect(details[1]).toMatchObject({
      endpoint_method: '',
      found_in: [{ file: 'jobs/requirements.txt', line: 2, column: 1 }],
      package: 'pkg:pypi/twilio@9.3.0',
      vendor_name: 'Twilio',
      confidence: 0.9,
    })
  })

  it('prints the page of the scan if the service has a console', async () => {
    const own = await openTestService({ app: { consolePath: '/console', publicUrl: '/tools' } })
    const served = await serveNode(own.app.handle, { port: 0 })
    const words = ['scan', 'project', join(folder.pathOf('one')), '--name', 'One']
    await mkdir(folder.pathOf('one'))
    await writeFile(folder.pathOf('one/a.ts'), "await fetch('https://api.acme.io/v1/things')\n")
    const sent = await runCommand(
      [...words, '--database', folder.pathOf('a.db'), '--submit', `${served.url}/tools/api`],
      { environment: { API_DISCOVERY_KEY: own.keys.only.ingest } },
    )
    const link = new RegExp(
      `^Stored as prj_\\w{22}: 1 endpoint or library, 0 matched\\. Open ${served.url}/tools/console/scans/projects/prj_\\w{22}$`,
    )
    expect([sent.code, lastOf(sent.notes)]).toEqual([0, expect.stringMatching(link)])
    await served.close(0)
    await own.close()
  })

  it('applies the reviews of the service if the key may read them', async () => {
    const body = { project_name: 'Bookshop' }
    const endpoint = { endpoint_url: 'https://ci.jenkins.io/job/{}/build', endpoint_method: 'post' }
    const { project_id } = await service.app.call(
      'submitProjectScan',
      { head: body, rows: [endpoint] },
      service.caller,
    )
    const review = { project_id, endpoints: [{ ...endpoint, approval: 'yes' as const }] }
    await service.app.call('reviewProjectScan', { body: review }, service.caller)
    const approvalOf = async (key: string) => {
      const { results } = await submitBookshop(server.url, key, [])
      const line = results.find((each) => each.includes(' ci.jenkins.io '))
      return line?.trim().split(/ +/).at(-1)
    }
    expect(await approvalOf(service.keys.all)).toBe('approved')
    const blind = await submitBookshop(server.url, service.keys.only.ingest, [])
    expect(blind.notes[1]).toBe(
      'Reviews of the service are ignored: the key lacks the scope "read".',
    )
  })

  it('fails before the scan for an unknown key', async () => {
    const { code, bytes, notes } = await submitBookshop(server.url, service.keys.unknown)
    expect([code, lastOf(notes)]).toEqual([
      1,
      `Cannot submit the scan to ${server.url}: it does not accept the key of API_DISCOVERY_KEY. Create one there: api-discovery keys create --account NAME --scopes read,ingest`,
    ])
    expect(bytes).toBeUndefined()
  })

  it('fails for a key without the scope, but still prints the findings', async () => {
    const { code, bytes, notes } = await submitBookshop(server.url, service.keys.readOnly)
    expect([code, lastOf(notes)]).toEqual([
      1,
      `Cannot submit the scan to ${server.url}: the key lacks the scope "ingest"`,
    ])
    expect(JSON.parse(new TextDecoder().decode(bytes)).files).toBe(5)
  })

  it('fails without a service, or with another kind of server', async () => {
    const other = createServer((_, response) => {
      response.writeHead(418, { 'content-type': 'text/html' }).end('<h1>no</h1>')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const origin = `http://127.0.0.1:${port}`
    const teapot = await submitBookshop(origin, service.keys.all)
    await new Promise((resolve) => other.close(resolve))
    expect([teapot.code, lastOf(teapot.notes)]).toEqual([
      1,
      `Cannot submit the scan to ${origin}: it responded with 418 below /api`,
    ])
    const gone = await submitBookshop(origin, service.keys.all)
    expect([gone.code, lastOf(gone.notes)]).toEqual([
      1,
      `Cannot submit the scan to ${origin}: the service is not reachable`,
    ])
  })
})
