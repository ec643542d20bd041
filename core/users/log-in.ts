import { ServiceError } from '../http/problems.ts'
import { foldName } from '../shared/text.ts'
import type { UserDeps } from './deps.ts'
import type { Lockout, LogInAttempt } from './lockout.ts'
import { checkPassword, readPassword } from './passwords.ts'
import type { Users } from './service.ts'
import { type Sessions, toLoggedIn } from './sessions.ts'
import type { StoredUser } from './store.ts'
import { readUserName } from './user-names.ts'

/** Creates the log-in and what goes on with a session. */
export function createLogIn(
  deps: UserDeps,
  parts: { readonly sessions: Sessions; readonly lockout: Lockout },
): Pick<Users, 'logIn' | 'findLoggedIn' | 'logOut' | 'changePassword'> {
  const { store, passwords, logger } = deps
  const { sessions, lockout } = parts

  /** One hash of the same cost, whether there is such a user or not. */
  async function verify(
    attempted: { readonly user: StoredUser | undefined; readonly password: string },
    isPreferred: boolean,
  ): Promise<boolean> {
    const { user } = attempted
    const hasher = (isPreferred && passwords.preferred) || passwords
    const password = readPassword(attempted.password)
    if (user && password !== undefined) return hasher.verify(password, user.passwordHash)
    await hasher.hash(password ?? '')
    return false
  }

  /** Runs what may turn out to be nobody's fault. */
  async function attempt<T>(counted: LogInAttempt, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      counted.takeBack()
      throw error
    }
  }

  /** Names are logged of users only: others may be passwords that were typed in the wrong place. */
  function refuse(
    counted: LogInAttempt,
    origin: { readonly user: string | undefined; readonly address: string },
  ): ServiceError {
    const waitSeconds = counted.retryAfter()
    logger.log('warn', 'user_login_failed', origin)
    if (waitSeconds > 0) logger.log('warn', 'user_login_locked', { ...origin, waitSeconds })
    return new ServiceError('unauthenticated', 'Cannot log in: name or password is wrong')
  }

  return {
    async logIn({ name: typed, password, clientAddress: address }) {
      const name = readUserName(typed)
      const counted = lockout.enter({ name: foldName(name ?? ''), address })
      const { user, isRight } = await attempt(counted, async () => {
        const found = name === undefined ? undefined : await store.findUser(name)
        const isRight = await verify({ user: found, password }, counted.isPreferred)
        return { user: found, isRight }
      })
      if (!user || !isRight) throw refuse(counted, { user: user?.name, address })
      const opened = await attempt(counted, async () => {
        const isOutdated = passwords.isOutdated(user.passwordHash)
        const renewed = isOutdated ? await passwords.hash(readPassword(password) ?? '') : undefined
        return sessions.open(user, renewed)
      })
      if (!opened) throw refuse(counted, { user: user.name, address })
      counted.succeed()
      logger.log('info', 'user_logged_in', { user: user.name, address })
      return opened
    },

    async findLoggedIn(token) {
      const found = await sessions.find(token)
      return found && toLoggedIn(found.user, found.session)
    },

    async logOut(token) {
      const found = await sessions.find(token)
      await sessions.close(token)
      if (found) logger.log('info', 'user_logged_out', { user: found.user.name })
    },

    async changePassword({ token, oldPassword, newPassword }) {
      const found = await sessions.find(token)
      const user = found && (await store.findUser(found.user.id))
      if (!user) throw new ServiceError('unauthenticated', 'Log in to change the password')
      const password = checkPassword(newPassword, [user.name, user.account.name])
      // Apart from log-ins: who keeps guessing at those does not hold this up.
      const counted = lockout.enter({ name: user.id, address: '' })
      // Whoever has a session has logged in before.
      const attempted = { user, password: oldPassword }
      const isRight = await attempt(counted, () => verify(attempted, true))
      if (!isRight) {
        logger.log('warn', 'user_password_refused', { user: user.name })
        throw new ServiceError(
          'forbidden',
          'Cannot change the password: the present password is wrong',
        )
      }
      counted.succeed()
      const isChanged = await store.changePassword({
        userId: user.id,
        oldHash: user.passwordHash,
        newHash: await (passwords.preferred ?? passwords).hash(password),
        tokenHash: found.session.tokenHash,
      })
      if (!isChanged) {
        throw new ServiceError('conflict', 'Cannot change the password: it was changed meanwhile')
      }
      logger.log('info', 'user_password_changed', { user: user.name })
    },
  }
}
