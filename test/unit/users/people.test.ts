import { expect, it } from 'vitest'
import { openTestUsers } from '../../helpers/users.ts'

it('does not find users of other accounts by name or ID', async () => {
  const { app, users, account, logIn, close } = await openTestUsers()
  const other = await app.accounts.createAccount('Other')
  const [ada] = await users.listUsers(account)
  const { token } = await logIn()
  for (const userName of ['Ada', 'nobody', ada?.id ?? '']) {
    const refused = {
      code: 'not_found',
      message: `User "${userName}" not found`,
    }
    const reference = { userName, account: other }
    await expect(users.inviteToReset(reference)).rejects.toMatchObject(refused)
    await expect(users.removeUser(reference)).rejects.toMatchObject(refused)
    const changed = users.changeScopes({ ...reference, scopes: ['admin'] })
    await expect(changed).rejects.toMatchObject(refused)
  }
  expect(await users.listInvitations()).toEqual([])
  expect((await users.findLoggedIn(token))?.caller.scopes).toEqual(new Set(['read', 'call']))
  await users.changeScopes({ userName: 'Ada', account, scopes: ['read'] })
  expect((await users.findLoggedIn(token))?.caller.scopes).toEqual(new Set(['read']))
  await users.removeUser({ userName: ada?.id ?? '', account })
  expect(await users.listUsers()).toEqual([])
  await close()
})
