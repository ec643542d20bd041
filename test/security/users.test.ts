import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../helpers/folder.ts'
import { codeOf, openTestUsers, PASSWORD } from '../helpers/users.ts'

const CANARIES = {
  first: 'canary lamps over water',
  second: 'canary boats under stones',
  wrong: 'canary birds behind fences',
  weak: 'canary7',
  typedAsName: 'canary in the wrong field',
}

describe('passwords and tokens of users', () => {
  it('appear in no log, no error and no file of the database', async () => {
    const folder = await makeFolder()
    const service = await openTestUsers({ file: folder.pathOf('users.db') })
    const { users, account, lines, logIn } = service
    const errors: string[] = []
    const note = (promise: Promise<unknown>) =>
      promise.catch((error: Error) => {
        errors.push(JSON.stringify([error.message, error, error.stack, String(error.cause)]))
      })

    const invited = await users.invite({ account, scopes: ['read'] })
    const bob = { token: invited.token, name: 'Bob' }
    await note(users.acceptInvitation({ ...bob, password: CANARIES.weak }))
    await note(users.acceptInvitation({ ...bob, name: 'Ada', password: CANARIES.first }))
    const joined = await users.acceptInvitation({ ...bob, password: CANARIES.first })
    await note(users.acceptInvitation({ ...bob, password: CANARIES.first }))
    await note(logIn({ name: 'Bob', password: CANARIES.wrong }))
    await note(logIn({ name: CANARIES.typedAsName, password: CANARIES.wrong }))
    const session = await logIn({ name: 'Bob', password: CANARIES.first })
    const change = { token: session.token, newPassword: CANARIES.second }
    await note(users.changePassword({ ...change, oldPassword: CANARIES.wrong }))
    await users.changePassword({ ...change, oldPassword: CANARIES.first })
    await note(users.changePassword({ ...change, token: joined.token, oldPassword: 'x' }))
    const reset = await users.inviteToReset({ userName: 'Bob', account: undefined })
    const back = { token: reset.token, name: '' }
    const again = await users.acceptInvitation({ ...back, password: CANARIES.first })
    for (let n = 0; n < 8; n += 1) await note(logIn({ name: 'Bob', password: CANARIES.wrong }))
    const open = await users.inviteToReset({ userName: 'Bob', account: undefined })
    const live = await readAllFiles(folder.pathOf('.'))
    await users.logOut(again.token)
    await service.close()
    const stored = `${live}\n${await readAllFiles(folder.pathOf('.'))}`
    await folder.remove()

    const secrets = [
      ...Object.values(CANARIES),
      ...[invited, joined, session, reset, again, open].map(({ token }) => token),
    ]
    expect(errors).toHaveLength(15)
    for (const [place, text] of Object.entries({
      errors: errors.join('\n'),
      log: lines.join('\n'),
      stored,
    })) {
      const found = secrets.filter((secret) => text.includes(secret.slice(0, 20)))
      expect([place, found]).toEqual([place, []])
    }
    // The searched files do contain the written data.
    expect(stored).toContain('$scrypt$ln=4,')
    expect(lines.filter((line) => line.includes('Bob')).length).toBeGreaterThan(8)
  })

  it('are logged with names of users only', async () => {
    const { users, account, lines, logIn, close } = await openTestUsers()
    const { token } = await logIn()
    await codeOf(logIn({ name: 'nobody', password: 'x' }))
    for (let n = 0; n < 5; n += 1) await codeOf(logIn({ password: 'x', clientAddress: '' }))
    await users.invite({ account, scopes: ['read', 'call'] })
    const reset = await users.inviteToReset({ userName: 'Ada', account: undefined })
    await users.acceptInvitation({ token: reset.token, name: '', password: `${PASSWORD}s` })
    await users.logOut(token)
    await users.changeScopes({ userName: 'Ada', account: undefined, scopes: ['admin'] })
    await users.removeUser({ userName: 'Ada', account: undefined })
    const home = '192.0.2.1'
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      ['info', 'user_created', { user: 'Ada', account: 'Acme' }],
      ['info', 'user_logged_in', { user: 'Ada', address: home }],
      ['warn', 'user_login_failed', { address: home }],
      ...Array(5).fill(['warn', 'user_login_failed', { user: 'Ada', address: '' }]),
      ['warn', 'user_login_locked', { user: 'Ada', address: '', waitSeconds: 1 }],
      ['info', 'user_invited', { account: 'Acme', scopes: 'read call' }],
      ['info', 'user_reset_invited', { user: 'Ada' }],
      ['info', 'user_reset', { user: 'Ada' }],
      ['info', 'user_logged_in', { user: 'Ada' }],
      ['info', 'user_scopes_changed', { user: 'Ada', scopes: 'admin' }],
      ['info', 'user_removed', { user: 'Ada' }],
    ])
    await close()
  })

  it('do not allow clients to choose a session token', async () => {
    const { users, logIn, close } = await openTestUsers()
    const planted = 'A'.repeat(43)
    expect(await users.findLoggedIn(planted)).toBeUndefined()
    const { token } = await logIn()
    expect(token).not.toBe(planted)
    expect(await users.findLoggedIn(planted)).toBeUndefined()
    await users.logOut(planted)
    expect(await users.findLoggedIn(token)).toBeDefined()
    await close()
  })
})

/** Reads the database files, one character per byte. */
async function readAllFiles(folder: string): Promise<string> {
  const names = await readdir(folder)
  const files = names.map((name) => readFile(`${folder}/${name}`, 'latin1'))
  return (await Promise.all(files)).join('\n')
}
