import { expect, it } from 'vitest'
import { createConsole } from '../../adapters/web/console.ts'
import { toFetchHandler } from '../../core/http/fetch.ts'
import { openTestService } from '../helpers/service.ts'

it('shows commands as the program is started there, and links to the reference', async () => {
  const service = await openTestService({ isEmpty: true })
  const viewer = {
    name: 'Ada',
    caller: { account: service.caller.account, scopes: ['read'] as const },
  }
  const { handle } = await createConsole({
    app: service.app,
    authenticate: () => viewer,
    command: 'npm run -s cli --',
  })
  const fetchPage = toFetchHandler(handle)
  const load = async (path: string) =>
    (await fetchPage(new Request(`http://console.test${path}`))).text()
  const overview = await load('/console/')
  expect(overview).toContain('npm run -s cli -- scan project . --submit')
  expect(overview).toContain('export API_DISCOVERY_KEY=…')
  expect(overview).toContain('<a href="/api/docs">API reference</a>')
  // With the host's own login, there is no account area.
  expect(overview).not.toContain('/console/account')
  expect(await load('/console/scans/submit')).toContain('npm run -s cli -- scan project . --json')
  for (const path of ['/scans', '/vulnerabilities', '/vulnerabilities/vendors', '/apis']) {
    const page = await load(`/console${path}`)
    expect([path, page]).toEqual([path, expect.stringContaining('npm run -s cli -- ')])
  }
  const docs = await load('/api/docs')
  const headings = [...docs.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id)
  expect(headings).toEqual(expect.arrayContaining(['gateway', 'catalogue', 'scans', 'imports']))
  expect(headings).not.toContain('extension')
  expect(headings).not.toContain('more')
  expect(headings.at(-1)).toBe('system')
  await service.close()
})
