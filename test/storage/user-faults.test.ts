import { describe, it } from 'vitest'
import type { FullStorage } from '../../core/ports/storage.ts'
import { sampleInvite, sampleReset } from '../conformance/storage/user-invitations.ts'
import { sampleSession, sampleUser, saveAccounts, verified } from '../conformance/storage/users.ts'
import { failAtEachCall } from '../helpers/failing-writes.ts'
import { openFaultySqlite } from '../helpers/faulty-sqlite.ts'
import { makeFolder } from '../helpers/folder.ts'

describe('a user write with a driver that fails at any call', () => {
  for (const [name, write] of Object.entries(listWrites())) {
    it(`leaves no data: ${name}`, async () => {
      const folder = await makeFolder()
      const { storage, failAt } = await openFaultySqlite(folder.pathOf('users.db'))
      await addSampleUsers(storage)
      await failAtEachCall({
        failAt,
        write: () => write(storage),
        takeState: () => takeUserSnapshot(storage),
      })
      await storage.close()
      await folder.remove()
    })
  }
})

async function addSampleUsers(storage: FullStorage): Promise<void> {
  const { users } = storage
  await saveAccounts(storage)
  for (const n of [1, 2]) {
    await users.saveUser(sampleUser(n))
    await users.openSession(sampleSession(n), verified(n))
  }
  await users.openSession({ ...sampleSession(3), userId: 'usr-1' }, verified(1))
  await users.saveInvitation({ ...sampleInvite(1), tokenHash: 'token-1' })
  await users.saveInvitation({ ...sampleReset(2), tokenHash: 'token-2' })
}

function listWrites(): Readonly<Record<string, (storage: FullStorage) => Promise<unknown>>> {
  return {
    'an accepted invitation': ({ users }) => users.acceptInvitation('token-1', sampleUser(3)),
    'an accepted reset': ({ users }) =>
      users.acceptReset('token-2', { passwordHash: 'new', now: 1 }),
    'another link to reset': ({ users }) =>
      users.saveInvitation({ ...sampleReset(3), tokenHash: 'token-3' }),
    'a log-in': ({ users }) =>
      users.openSession({ ...sampleSession(4), userId: 'usr-2' }, verified(2)),
    'a changed password': ({ users }) =>
      users.changePassword({
        userId: 'usr-1',
        oldHash: 'hash-1',
        newHash: 'new',
        tokenHash: 'session-1',
      }),
    'a removed user': ({ users }) => users.removeUser('usr-1'),
  }
}

/** Reads all data that the writes can change. */
async function takeUserSnapshot({ users }: FullStorage): Promise<unknown> {
  const numbers = [1, 2, 3, 4]
  return {
    users: await Promise.all(numbers.map((n) => users.findUser(`usr-${n}`))),
    sessions: await Promise.all(numbers.map((n) => users.findSession(`session-${n}`))),
    invitations: await Promise.all(numbers.map((n) => users.findInvitation(`token-${n}`))),
  }
}
