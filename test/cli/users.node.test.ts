import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createApiDiscovery } from '../../core/app.ts'
import { type CommandOutcome, runCommand } from '../helpers/command-line.ts'
import { makeFolder, type TestFolder } from '../helpers/folder.ts'

const PASSWORD = 'quiet lamps over water'
let folder: TestFolder

beforeAll(async () => {
  folder = await makeFolder()
  await runCli(['accounts', 'create', 'ci'])
})

afterAll(() => folder.remove())

function runCli(words: readonly string[], input = ''): Promise<CommandOutcome> {
  return runCommand(words, {
    environment: { API_DISCOVERY_DATABASE: `sqlite:${folder.pathOf('apis.db')}` },
    input: new TextEncoder().encode(input),
  })
}

/** Reads the purpose of a link's token from the service. */
async function findInvitation(link: string) {
  const storage = await openSqlite({ file: folder.pathOf('apis.db') })
  const app = createApiDiscovery({ storage })
  const token = new URL(link).searchParams.get('token') ?? ''
  const invitation = await app.users.findInvitation(token)
  await app.close()
  return invitation
}

describe('users', () => {
  it('can be empty', async () => {
    expect(await runCli(['users', 'list'])).toMatchObject({
      code: 0,
      results: [],
      notes: ['No users yet. Invite one: api-discovery users invite --account NAME'],
    })
    expect(await runCli(['users', 'list', '--json'])).toMatchObject({ code: 0, results: ['[]'] })
  })

  it('are created with a password from standard input, and a key of the account', async () => {
    const words = ['users', 'create', 'Ada', '--account', 'ci', '--scopes', 'read,call', '--json']
    const created = await runCli(words, `${PASSWORD}\n`)
    expect([created.code, created.notes]).toEqual([0, []])
    const user = JSON.parse(created.results.join(''))
    expect(user).toMatchObject({ name: 'Ada', account: { name: 'ci' }, scopes: ['read', 'call'] })
    expect(created.results.join('')).not.toContain('scrypt')
    const keys = JSON.parse((await runCli(['keys', 'list', '--json'])).results.join(''))
    expect(keys).toMatchObject([{ name: 'default', scopes: ['read', 'call'] }])
    const again = await runCli(words, PASSWORD)
    expect(again).toMatchObject({
      code: 1,
      results: [],
      notes: ['Cannot create the user "Ada": the name is taken'],
    })
  })

  it('cannot have a weak password, which is not printed', async () => {
    const refused = await runCli(['users', 'create', 'Bob', '--account', 'ci'], 'Password-1234')
    expect(refused).toMatchObject({
      code: 2,
      results: [],
      notes: ['Cannot use the password: it is too common'],
    })
    const missing = await runCli(['users', 'create', 'Bob', '--account', 'ci'])
    expect(missing.code).toBe(2)
  })

  it('are created without a password, which they set with a link', async () => {
    const words = ['users', 'create', 'Cleo', '--account', 'ci', '--invite', '--expires', '2h']
    const { code, results } = await runCli([...words, '--public-url', 'https://apis.example/'])
    expect(code).toBe(0)
    const [link = ''] = results
    expect(link).toMatch(/^https:\/\/apis\.example\/console\/welcome\?token=[\w-]{43}$/)
    const invitation = await findInvitation(link)
    expect(invitation).toMatchObject({ kind: 'reset', userName: 'Cleo', scopes: ['read'] })
    expect((invitation?.expiresAt ?? 0) - (invitation?.createdAt ?? 0)).toBe(2 * 3_600_000)
  })

  it('get a note about the default address of a link', async () => {
    const told = async (more: readonly string[]) =>
      (await runCli(['users', 'invite', '--account', 'ci', ...more])).notes
    const note =
      'The link is for a server at http://127.0.0.1:8080. Use --public-url for another address.'
    expect(await told([])).toEqual([note])
    expect(await told(['--public-url', 'https://apis.example'])).toEqual([])
    expect(await told(['--json'])).toEqual([])
  })

  it('are invited with a link, and reset with another', async () => {
    const invited = await runCli([
      'users',
      'invite',
      '--account',
      'ci',
      '--scopes',
      'admin',
      '--json',
    ])
    const { link, expires_at: expiresAt } = JSON.parse(invited.results.join(''))
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8080\/console\/welcome\?token=/)
    const invitation = await findInvitation(link)
    expect(invitation).toMatchObject({ kind: 'invite', account: { name: 'ci' }, scopes: ['admin'] })
    expect(expiresAt).toBe(new Date(invitation?.expiresAt ?? 0).toISOString())
    const [reset = ''] = (await runCli(['users', 'reset', 'ada'])).results
    expect(await findInvitation(reset)).toMatchObject({ kind: 'reset', userName: 'Ada' })
  })

  it('get other scopes, and are removed', async () => {
    expect(await runCli(['users', 'scopes', 'ada', 'admin,read'])).toMatchObject({
      code: 0,
      results: [],
    })
    const { results } = await runCli(['users', 'list', '--account', 'ci'])
    const [heading = '', ...rows] = results
    expect(heading).toMatch(/NAME +ACCOUNT +SCOPES +LAST LOG-IN/)
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['Ada', 'ci', 'read,admin', 'never'],
      ['Cleo', 'ci', 'read', 'never'],
    ])
    expect(await runCli(['users', 'remove', 'cleo'])).toMatchObject({ code: 0, results: [] })
    expect(await runCli(['users', 'remove', 'cleo'])).toMatchObject({
      code: 1,
      notes: ['User "cleo" not found', 'List what exists: api-discovery users list'],
    })
  })

  it('need valid arguments', async () => {
    const wrong = [
      ['users', 'invite', '--account', 'ci', '--public-url', 'apis.example'],
      ['users', 'invite', '--account', 'ci', '--public-url', 'javascript:alert(1)'],
      ['users', 'invite', '--account', 'ci', '--scopes', 'everything'],
      ['users', 'invite', '--account', 'ci', '--expires', '31d'],
      ['users', 'invite', '--account', 'ci', '--expires', 'soon'],
      ['users', 'invite'],
      ['users', 'scopes', 'ada'],
    ]
    const codes = await Promise.all(wrong.map(async (words) => (await runCli(words)).code))
    expect(codes).toEqual(wrong.map(() => 2))
    expect((await runCli(['users', 'invite', '--account', 'nobody'])).code).toBe(1)
  })
})
