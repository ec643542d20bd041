import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { SCOPES } from '../../core/shared/account.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'
import { fillScans } from '../helpers/scan-seed.ts'

let folder: TestFolder
let ids: readonly string[] = []

beforeAll(async () => {
  folder = await makeFolder()
  await runCli(['accounts', 'create', 'ci'])
  const storage = await openSqlite({ file: folder.pathOf('apis.db') })
  const app = createApiDiscovery({ storage })
  const account = await app.accounts.getAccount('ci')
  await fillScans(app, { account, scopes: new Set(SCOPES) })
  await app.close()
  const { results } = await runCli(['scans', 'list', '--account', 'ci', '--json'])
  ids = JSON.parse(results.join('')).scans.map(({ id }: { readonly id: string }) => id)
})

afterAll(() => folder.remove())

function runCli(words: readonly string[]): Promise<CommandOutcome> {
  return runCommand(words, {
    environment: { API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}` },
  })
}

describe('scans', () => {
  it('are listed and shown, as tables and as JSON', async () => {
    const [project = '', network = ''] = ids
    const list = await runCli(['scans', 'list', '--account', 'ci'])
    expect([list.code, list.results.join('\n')]).toEqual([0, expect.stringContaining(project)])
    expect(list.results.join('\n')).toMatch(/Storefront +Office +2026-03-13T09:00:00.250Z/)
    const newest = await runCli(['scans', 'list', '--account', 'ci', '--size', '1', '--json'])
    expect(JSON.parse(newest.results.join('')).scans).toMatchObject([{ id: project }])
    const code = await runCli(['scans', 'show', project, '--account', 'ci'])
    expect(code.results.join('\n')).toMatch(
      /get +https:\/\/eu\.api\.skycast\.example.* 2 +approved/,
    )
    const flows = await runCli(['scans', 'show', network, '--account', 'ci'])
    expect(
      flows.results
        .join('\n')
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      [
        ...['METHOD', 'URL OR HOST', 'API', 'VENDOR', 'FLOWS', 'ADDRESSES', 'DIRECTION'],
        ...['FIRST', 'LAST', 'APPROVAL'],
      ],
      // The catalogue has no descriptions.
      [
        ...['-', 'eu.api.skycast.example', '-', '-', '2', '203.0.113.7', 'Outgoing'],
        ...['2026-03-13 09:00', '2026-03-13 09:15', 'unreviewed'],
      ],
      [
        ...['get', 'https://maps.wayfare.example/api/geocode', '-', '-', '1', '203.0.113.8'],
        ...['Outgoing', '2026-03-13 09:00', '2026-03-13 09:00', 'unreviewed'],
      ],
      [
        ...['-', '198.51.100.3', '-', '-', '1', '198.51.100.3', 'Incoming'],
        ...['2026-03-13 09:00', '2026-03-13 09:00', 'unreviewed'],
      ],
    ])
    const json = await runCli(['scans', 'show', project, '--account', 'ci', '--json'])
    expect(JSON.parse(json.results.join(''))).toMatchObject({ project_id: project })
  })

  it('are reviewed, as a whole and URL by URL', async () => {
    const [project = '', network = ''] = ids
    const own = ['--account', 'ci', '--json']
    const url = 'https://unknown.example/v1'
    const words = ['scans', 'review', project, '--reject', url, '--reason', 'Who is it?', ...own]
    const reviewed = await runCli(words)
    expect(JSON.parse(reviewed.results.join(''))).toMatchObject({
      review_status: 'in_progress',
      by: 'ci',
      endpoints: [{ endpoint_url: url, approval: 'no', reason: 'Who is it?' }],
    })
    const whole = await runCli(['scans', 'review', network, '--approval', 'yes', '--account', 'ci'])
    expect([whole.code, whole.notes]).toEqual([0, ['Review complete, scan approved; 0 decisions']])
    expect((await runCli(['scans', 'review', project, '--account', 'ci'])).code).toBe(2)
    const unknown = await runCli(['scans', 'review', project, '--approve', 'x', '--account', 'ci'])
    expect([unknown.code, unknown.notes]).toEqual([
      2,
      [
        `Cannot store the review: "x" is not in the scan. List its URLs and hosts with "scans show ${project}".`,
      ],
    ])
    const host = ['--reset', 'unknown.example', '--account', 'ci']
    expect((await runCli(['scans', 'review', project, ...host])).code).toBe(0)
  })

  it('that are missing are named, with the next step', async () => {
    const [project = '', network = ''] = ids
    const select = 'Select an account with --account (accounts with scans: ci).'
    for (const verb of [['show'], ['review', '--status', 'complete'], ['delete']]) {
      expect(await runCli(['scans', ...verb, project])).toMatchObject({
        code: 1,
        notes: [`Scanned project "${project}" not found. ${select}`],
      })
      expect(await runCli(['scans', ...verb, network])).toMatchObject({
        code: 1,
        notes: [`Network scan "${network}" not found. ${select}`],
      })
      expect(await runCli(['scans', ...verb, 'prj_0', '--account', 'ci'])).toMatchObject({
        notes: [
          'Scanned project "prj_0" not found. List the scans of the account with "scans list".',
        ],
      })
    }
  })

  it('belong to the selected account, by default the operator, in every command', async () => {
    const body = JSON.stringify({
      project_name: 'Sent',
      scan_details: [{ endpoint_url: 'https://a.example' }],
    })
    expect(await runCli(['scans', 'list'])).toMatchObject({
      code: 0,
      notes: [
        'No scans of the operator. Select an account with --account (accounts with scans: ci).',
      ],
    })
    for (const owner of [[], ['--account', 'ci']]) {
      const sent = await runCli(['call', 'submitProjectScan', '--body', body, ...owner])
      const { project_id: id, ...stored } = JSON.parse(sent.results.join(''))
      expect(stored).toEqual({ endpoints: 1, matched: 0 })
      const other = owner.length === 0 ? ['--account', 'ci'] : []
      for (const words of [
        ['scans', 'show', id],
        ['bom', 'export', '--project', id],
        ['call', 'listScannedProjects', '--project_id', id],
      ]) {
        expect([words, (await runCli([...words, ...owner])).code]).toEqual([words, 0])
        expect([words, (await runCli([...words, ...other])).code]).toEqual([words, 1])
      }
      const deleted = await runCli(['scans', 'delete', id, '--json', ...owner])
      expect(JSON.parse(deleted.results.join(''))).toEqual({
        id,
        done: 'delete',
        project_name: 'Sent',
        network_name: '',
        rows: 1,
      })
    }
  })

  it('can be sent as one object', async () => {
    const body = { project_name: 'Sent', scan_details: [{ endpoint_url: 'https://a.example' }] }
    const sent = await runCli(['call', 'submitProjectScan', '--body', JSON.stringify(body)])
    expect(JSON.parse(sent.results.join(''))).toMatchObject({ endpoints: 1, matched: 0 })
    const wrong = JSON.stringify({ ...body, scan_details: {} })
    expect(await runCli(['call', 'submitProjectScan', '--body', wrong])).toMatchObject({
      code: 2,
      notes: ['Cannot read --body: "scan_details" must be an array'],
    })
  })

  it('are deleted permanently, and only by their own account', async () => {
    await runCli(['accounts', 'create', 'other'])
    for (const id of ids) {
      expect((await runCli(['scans', 'delete', id, '--account', 'other'])).code).toBe(1)
      const deleted = await runCli(['scans', 'delete', id, '--account', 'ci'])
      expect([deleted.code, deleted.results, deleted.notes]).toEqual([
        0,
        [],
        [expect.stringMatching(`^Deleted ${id}: Storefront(?:, 4 endpoints|, Office, 4 flows).$`)],
      ])
      expect((await runCli(['scans', 'show', id, '--account', 'ci'])).code).toBe(1)
    }
    const list = await runCli(['scans', 'list', '--account', 'ci'])
    expect(list.notes).toEqual(['No scans in this account yet.'])
  })
})
