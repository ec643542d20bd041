import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedService } from '../../adapters/cli/seed.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import { runCommand } from '../helpers/command-line.ts'
import { runScript } from '../helpers/script.ts'
import { openTestService } from '../helpers/service.ts'

const MAIN = fileURLToPath(new URL('../../adapters/cli/main.ts', import.meta.url))

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-discovery-secrets-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the secret', () => {
  it('is stored in a separate folder if the database is not a file', async () => {
    const words = [MAIN, 'accounts', 'create', 'ci', '--database', ':memory:']
    expect((await runScript(words, { cwd: folder })).code).toBe(0)
    expect(await readdir(join(folder, '.data'))).toEqual(['api-discovery.secret'])
  })

  it('is stored next to the default database, even if the environment variable is empty', async () => {
    const environment = { API_DISCOVERY_DATABASE: '', API_DISCOVERY_SECRET: '' }
    const words = [MAIN, 'accounts', 'create', 'ci']
    const { code } = await runScript(words, { cwd: folder, environment })
    expect(code).toBe(0)
    expect(await readdir(join(folder, '.data'))).toContain('api-discovery.db.secret')
  })

  it('is rotated in the environment if it comes from there', async () => {
    const database = `sqlite:${join(folder, 'rotated.db')}`
    const [old, current] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')]
    const run = (words: readonly string[], secrets: Readonly<Record<string, string>>) =>
      runCommand(words, { environment: { API_DISCOVERY_DATABASE: database, ...secrets } })
    const before = { API_DISCOVERY_SECRET: old }
    const during = { API_DISCOVERY_SECRET: current, API_DISCOVERY_PREVIOUS_SECRET: old }
    await run(['accounts', 'create', 'ci'], before)
    const { results: created } = await run(['keys', 'create', '--account', 'ci'], before)
    expect(await run(['secret', 'rotate'], before)).toEqual({
      code: 1,
      results: [],
      notes: [
        'Cannot rotate the secret: it is set in the environment. Set API_DISCOVERY_PREVIOUS_SECRET to the old secret and API_DISCOVERY_SECRET to a new one, restart the servers, then run this command again.',
      ],
    })
    expect(await run(['secret', 'rotate'], during)).toEqual({
      code: 0,
      results: [],
      notes: [
        'Re-encrypted 1 keys and credentials. API_DISCOVERY_PREVIOUS_SECRET is no longer needed.',
      ],
    })
    const after = { API_DISCOVERY_SECRET: current }
    const [{ id }] = JSON.parse((await run(['keys', 'list', '--json'], after)).results[0] ?? '[]')
    expect((await run(['keys', 'read', id, '--account', 'ci'], after)).results).toEqual(created)
  })
})

describe('the secret file', () => {
  it('is reported as lost if only the database is restored', async () => {
    const file = join(folder, 'restored.db')
    const run = (...words: readonly string[]) =>
      runCommand([...words, '--database', `sqlite:${file}`])
    await run('accounts', 'create', 'ci')
    await run('keys', 'create', '--account', 'ci')
    const [{ id }] = JSON.parse((await run('keys', 'list', '--json')).results[0] ?? '[]')
    await rm(`${file}.secret`)
    const secretLost = `Cannot open a sealed text: it was sealed with another secret. Restore the secret file that belongs to the database, or the earlier API_DISCOVERY_SECRET. The secret file is ${file}.secret.`
    expect(await run('keys', 'read', id, '--account', 'ci')).toMatchObject({
      code: 1,
      notes: [
        `The secret file ${file}.secret was missing and has been created, but the database holds keys or credentials that are sealed with another secret. Stop, and restore the secret file from the backup: otherwise these keys cannot be printed again, and stored credentials are lost.`,
        secretLost,
      ],
    })
    expect((await run('keys', 'read', id, '--account', 'ci')).notes).toEqual([secretLost])
  })

  it('is reported if it is not the one of the database', async () => {
    const database = join(folder, 'exchanged.db')
    const [right, wrong] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const run = (secret: string, words: readonly string[]) =>
      runCommand([...words, '--database', `sqlite:${database}`], {
        environment: { API_DISCOVERY_SECRET: secret },
      })
    await run(right, ['accounts', 'create', 'ci'])
    await run(right, ['keys', 'create', '--account', 'ci'])
    const create = ['accounts', 'create']
    expect((await run(right, [...create, 'one'])).notes.join('\n')).not.toContain('secret')
    expect((await run(wrong, [...create, 'two'])).notes).toContain(
      'The database holds keys or credentials that are sealed with another secret than the value of API_DISCOVERY_SECRET. Stop, and use the secret that belongs to the database: otherwise these keys cannot be printed again, and calls with stored credentials fail.',
    )
  })

  it('is not created by commands that only read', async () => {
    const file = join(folder, 'only-read.db')
    const run = (...words: readonly string[]) =>
      runCommand([...words, '--database', `sqlite:${file}`])
    await run('accounts', 'create', 'ci')
    await run('keys', 'create', '--account', 'ci')
    await rm(`${file}.secret`)
    const words = [
      ['accounts', 'list'],
      ['keys', 'list'],
      ['search', 'tides'],
    ]
    for (const each of words) {
      expect((await run(...each)).notes.join('\n')).not.toContain('secret')
    }
    expect(await readdir(folder)).not.toContain('only-read.db.secret')
    await rm(file)
    await run('accounts', 'create', 'ci')
    await rm(`${file}.secret`)
    expect((await run('keys', 'create', '--account', 'ci')).code).toBe(0)
    expect(await readdir(folder)).toContain('only-read.db.secret')
  })

  it('is not changed by the end of a rotation that was not begun', async () => {
    const database = `sqlite:${join(folder, 'unrotated.db')}`
    const run = (...words: readonly string[]) => runCommand([...words, '--database', database])
    await run('accounts', 'create', 'ci')
    expect(await run('secret', 'rotate', '--finish')).toMatchObject({
      code: 1,
      notes: [
        'Cannot finish the rotation: no rotation is in progress. Start one with "secret rotate".',
      ],
    })
    expect((await run('secret', 'rotate')).code).toBe(0)
    expect((await run('secret', 'rotate', '--finish')).code).toBe(0)
  })
})

describe('the key of a first start', () => {
  it('is not created again after its rotation', async () => {
    const random = (length: number) => Uint8Array.from(randomBytes(length))
    const sealer = createSealer({ current: random(32) }, random)
    const { app, close } = await openTestService({ isEmpty: true, app: { sealer } })
    const first = await seedService(app, { makesKey: true })
    expect(first.key).toMatch(/^adk_live_/)
    const account = await app.accounts.getAccount('default')
    const [record] = await app.accounts.listKeys(account)
    const reference = { account, keyId: record?.id ?? '' }
    await app.accounts.rotateKey({ ...reference, overlapMs: 0 })
    expect(await seedService(app, { makesKey: true })).toEqual({
      key: undefined,
      hasKey: true,
      imported: 0,
      loaded: 0,
      rejected: 0,
    })
    await close()
  })

  it('is not reported as missing if the account has other keys', async () => {
    const { app, close } = await openTestService({ isEmpty: true })
    const account = await app.accounts.createAccount('default')
    await app.accounts.createKey({ account, name: 'own', scopes: ['read'] })
    expect(await seedService(app, { makesKey: false })).toMatchObject({
      key: undefined,
      hasKey: true,
    })
    await close()
  })
})
