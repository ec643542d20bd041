import { ServiceError } from '../errors.ts'
import { foldName } from '../shared/text.ts'
import type { UserDeps } from './deps.ts'
import type { Lockout, LogInAttempt } from './lockout.ts'
import { normalizePassword, validatePassword } from './passwords.ts'
import type { Users } from './service.ts'
import { type Sessions, toLoggedIn } from './sessions.ts'
import type { StoredUser } from './store.ts'
import { tryParseUserName } from './user-names.ts'

/** Creates the methods for log-in and for logged-in users. */
export function createLogIn(
  deps: UserDeps,
  parts: { readonly sessions: Sessions; readonly lockout: Lockout },
): Pick<Users, 'logIn' | 'findLoggedIn' | 'logOut' | 'changePassword'> {
  const { store, passwords, logger } = deps
  const { sessions, lockout } = parts

  /** Computes one hash of the same cost, whether or not the user exists. */
  async function verify(
    attempted: { readonly user: StoredUser | undefined; readonly password: string },
    isPreferred: boolean,
  ): Promise<boolean> {
    const { user } = attempted
    const hasher = (isPreferred && passwords.preferred) || passwords
    const password = normalizePassword(attempted.password)
    if (user && password !== undefined) return hasher.verify(password, user.passwordHash)
    await hasher.hash(password ?? '')
    return false
  }

  /** Runs `work`, and doesn't count the attempt if it throws. */
  async function attempt<T>(counted: LogInAttempt, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      counted.undo()
      throw error
    }
  }

  /**
   * Logs names of existing users only: other input may be a password typed into the wrong field.
   */
  function createLogInError(
    counted: LogInAttempt,
    origin: { readonly user: string | undefined; readonly address: string },
  ): ServiceError {
    const waitSeconds = counted.retryAfter()
    logger.log('warn', 'user_login_failed', origin)
    if (waitSeconds > 0) logger.log('warn', 'user_login_locked', { ...origin, waitSeconds })
    return new ServiceError('unauthenticated', 'Cannot log in: incorrect user name or password')
  }

  return {
    async logIn({ name: typed, password, clientAddress: address }) {
      const name = tryParseUserName(typed)
      const counted = lockout.enter({ name: foldName(name ?? ''), address })
      const { user, isRight } = await attempt(counted, async () => {
        const found = name === undefined ? undefined : await store.findUser(name)
        const isRight = await verify({ user: found, password }, counted.isPreferred)
        return { user: found, isRight }
      })
      if (!user || !isRight) throw createLogInError(counted, { user: user?.name, address })
      const opened = await attempt(counted, async () => {
        const isOutdated = passwords.isOutdated(user.passwordHash)
        const renewed = isOutdated
          ? await passwords.hash(normalizePassword(password) ?? '')
          : undefined
        return sessions.open(user, renewed)
      })
      if (!opened) throw createLogInError(counted, { user: user.name, address })
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
      const password = validatePassword(newPassword, [user.name, user.account.name])
      // A separate name, so that failed log-ins of others don't delay the password change.
      const counted = lockout.enter({ name: user.id, address: '' })
      // A user with a session has logged in before, so the check is preferred.
      const attempted = { user, password: oldPassword }
      const isRight = await attempt(counted, () => verify(attempted, true))
      if (!isRight) {
        logger.log('warn', 'user_password_refused', { user: user.name })
        throw new ServiceError(
          'forbidden',
          'Cannot change the password: the current password is incorrect',
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
        throw new ServiceError(
          'conflict',
          'Cannot change the password: it was changed in the meantime',
        )
      }
      logger.log('info', 'user_password_changed', { user: user.name })
    },
  }
}
