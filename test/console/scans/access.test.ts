import { expect, test } from 'vitest'
import type { Viewer } from '../../../adapters/web/page.ts'
import { SCOPES, type Scope } from '../../../core/shared/account.ts'
import { openTestConsole } from '../../helpers/console.ts'
import { addProject, findNetwork, listBoxes } from '../../helpers/console-scans.ts'

const ENDS = ['', '/endpoints', '/history', '/compare', '/bom', '/remove'] as const

test('returns 404 for the scans of another account', async () => {
  const other: Viewer = {
    name: 'Bob',
    caller: { account: { id: 'somebody-else', name: 'Bob' }, scopes: new Set(SCOPES) },
  }
  const pages = await openTestConsole({ viewer: other })
  const { after } = await addProject(pages)
  const network = await findNetwork(pages)
  expect((await pages.get('/console/scans')).text).toContain('No scans yet.')
  const paths = [
    ...ENDS.map((end) => `/console/scans/projects/${after}${end}`),
    ...[...ENDS, '/places'].map((end) => `/console/scans/networks/${network}${end}`),
  ]
  for (const path of paths) {
    const toUnknown = (text: string) => text.replace(/(prj|net)_\w+/, '$1_0000000000000000000000')
    const missing = await pages.get(toUnknown(path))
    const { status, text } = await pages.get(path)
    expect([path, status, toUnknown(text)]).toEqual([path, 404, missing.text])
  }
  for (const end of ['/review', '/match', '/remove', '/vendor']) {
    const sent = { use: ['0'], approval: 'yes', reason: '', domain: 'new.example', vendor: 'New' }
    const { status } = await pages.post(`/console/scans/projects/${after}${end}`, sent)
    expect([end, status]).toEqual([end, 404])
  }
  const { 'review status': status } = (await pages.app.call(
    'listScannedProjects',
    { project_id: after },
    pages.caller,
  )) as { 'review status': string }
  expect(status).toBe('not_started')
  await pages.close()
})

test('requires the scope for reviewing, submitting and removing', async () => {
  const scopes = new Set<Scope>(['read'])
  const full = await openTestConsole()
  const viewer = { name: 'Reader', caller: { ...full.caller, scopes } }
  await full.close()
  const pages = await openTestConsole({ viewer })
  const { after } = await addProject(pages)
  const path = `/console/scans/projects/${after}`
  const shown = await pages.get(path)
  expect([shown.status, listBoxes(shown.html, 'use')]).toEqual([200, []])
  expect(shown.text).toContain('To review, you need the scope review')
  expect(shown.text).not.toContain('Remove this scan')
  expect((await pages.get('/console/scans/submit')).text).toContain(
    'To submit, you need the scope ingest',
  )
  expect((await pages.get(`${path}/remove`)).status).toBe(403)
  expect(shown.html).not.toContain('Import its description')
  for (const end of ['/review', '/remove', '/vendor']) {
    expect([end, (await pages.post(path + end, {})).status]).toEqual([end, 403])
  }
  expect((await pages.upload('/console/scans/submit', {})).status).toBe(403)
  await pages.close()
})

test('removes a scan after confirmation', async () => {
  const pages = await openTestConsole()
  const { after, before } = await addProject(pages)
  const path = `/console/scans/projects/${after}`
  expect((await pages.get(`${path}/remove`)).text).toContain('with its 4 endpoints')
  const done = await pages.post(`${path}/remove`, {})
  expect([done.status, done.headers.get('location')]).toEqual([303, '/console/scans?done=removed'])
  expect((await pages.get(path)).status).toBe(404)
  const list = await pages.get('/console/scans?done=removed')
  expect(list.text).toContain('Scan removed.')
  expect(list.html).toContain(before)
  await pages.close()
})
