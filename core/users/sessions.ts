import { getErrorCode } from '../errors.ts'
import type { UserDeps } from './deps.ts'
import type { LoggedIn, User } from './records.ts'
import type { SessionRecord, StoredUser } from './store.ts'
import { createToken, hashToken } from './tokens.ts'

/** Sessions of logged-in users. */
export interface Sessions {
  /**
   * Starts a session with a new token. Returns undefined if the password has changed since it was
   * verified.
   */
  open(
    user: StoredUser,
    newHash?: string,
  ): Promise<{ readonly token: string; readonly loggedIn: LoggedIn } | undefined>
  /** Returns undefined for an unknown token or an ended session. */
  find(token: string): Promise<{ readonly session: SessionRecord; readonly user: User } | undefined>
  close(token: string): Promise<void>
}

/** Maximum idle time of a session, and its maximum duration. */
const IDLE_MS = 12 * 3_600_000
const MAX_SESSION_MS = 7 * 86_400_000
/** Minimum interval between updates of the last use. */
const LAST_USE_INTERVAL_MS = 60_000
const SWEEP_MS = 3_600_000

/**
 * Creates the sessions, which are stored in the database only. No timer: log-ins remove old
 * sessions.
 */
export function createSessions(deps: UserDeps): Sessions {
  const { store, clock, random, logger } = deps
  /** Token hashes whose use is being stored. */
  const noting = new Set<string>()
  let sweptAt = Number.NEGATIVE_INFINITY

  async function storeLastUse({ tokenHash }: SessionRecord, now: number): Promise<void> {
    if (noting.has(tokenHash)) return
    noting.add(tokenHash)
    try {
      await store.touchSession(tokenHash, now)
    } catch (error) {
      logger.log('warn', 'session_use_not_saved', { reason: getErrorCode(error) })
    } finally {
      noting.delete(tokenHash)
    }
  }

  async function sweepIfDue(now: number): Promise<void> {
    if (now >= sweptAt && now - sweptAt < SWEEP_MS) return
    sweptAt = now
    try {
      await store.sweepUsers({ expired: now, seen: now - IDLE_MS })
    } catch (error) {
      logger.log('warn', 'sessions_not_swept', { reason: getErrorCode(error) })
    }
  }

  return {
    async open(user, newHash) {
      const { token, hash } = await createToken(random)
      const now = clock()
      const session: SessionRecord = {
        tokenHash: hash,
        userId: user.id,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: now + MAX_SESSION_MS,
      }
      const verifiedHash = user.passwordHash
      if (!(await store.openSession(session, { verifiedHash, newHash }))) return undefined
      await sweepIfDue(now)
      const { passwordHash: _, ...shown } = user
      return { token, loggedIn: toLoggedIn({ ...shown, lastLoginAt: now }, session) }
    },

    async find(token) {
      const tokenHash = await hashToken(token)
      const found = tokenHash === undefined ? undefined : await store.findSession(tokenHash)
      if (!found) return undefined
      const now = clock()
      const { expiresAt, lastSeenAt } = found.session
      if (now >= expiresAt || now - lastSeenAt >= IDLE_MS) return undefined
      // Not awaited: a page must not wait for a write.
      if (now - lastSeenAt >= LAST_USE_INTERVAL_MS) void storeLastUse(found.session, now)
      return found
    },

    async close(token) {
      const tokenHash = await hashToken(token)
      if (tokenHash !== undefined) await store.removeSession(tokenHash)
    },
  }
}

/** Describes the user of a session. */
export function toLoggedIn(user: User, { expiresAt }: SessionRecord): LoggedIn {
  return { user, caller: { account: user.account, scopes: new Set(user.scopes) }, expiresAt }
}
