import { ServiceError } from '../http/problems.ts'
import type { UserDeps } from './deps.ts'
import type { LoggedIn, User } from './records.ts'
import type { SessionRecord, StoredUser } from './store.ts'
import { createToken, hashToken } from './tokens.ts'

/** Sessions of people who are logged in. */
export interface Sessions {
  /**
   * Begins a session under a token of its own. Undefined when the password is not the one any more
   * that was verified.
   */
  open(
    user: StoredUser,
    newHash?: string,
  ): Promise<{ readonly token: string; readonly loggedIn: LoggedIn } | undefined>
  /** Undefined for a token that is unknown or whose session is over. */
  find(token: string): Promise<{ readonly session: SessionRecord; readonly user: User } | undefined>
  close(token: string): Promise<void>
}

/** A session ends after so much idleness, and after a week at the latest. */
const IDLE_MS = 12 * 3_600_000
const LONGEST_MS = 7 * 86_400_000
/** How often a use is written down at most. */
const NOTED_MS = 60_000
const SWEEP_MS = 3_600_000

/** Creates the sessions, which live in the store alone. It starts no timer: log-ins sweep. */
export function createSessions(deps: UserDeps): Sessions {
  const { store, clock, random, logger } = deps
  /** Whose use is being written down. */
  const noting = new Set<string>()
  let sweptAt = Number.NEGATIVE_INFINITY

  async function note({ tokenHash }: SessionRecord, now: number): Promise<void> {
    if (noting.has(tokenHash)) return
    noting.add(tokenHash)
    try {
      await store.touchSession(tokenHash, now)
    } catch (error) {
      logger.log('warn', 'session_use_not_saved', { reason: toReason(error) })
    } finally {
      noting.delete(tokenHash)
    }
  }

  async function sweep(now: number): Promise<void> {
    if (now >= sweptAt && now - sweptAt < SWEEP_MS) return
    sweptAt = now
    try {
      await store.sweepUsers({ expired: now, seen: now - IDLE_MS })
    } catch (error) {
      logger.log('warn', 'sessions_not_swept', { reason: toReason(error) })
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
        expiresAt: now + LONGEST_MS,
      }
      const verifiedHash = user.passwordHash
      if (!(await store.openSession(session, { verifiedHash, newHash }))) return undefined
      await sweep(now)
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
      // Not waited for: a page must not wait for whoever writes.
      if (now - lastSeenAt >= NOTED_MS) void note(found.session, now)
      return found
    },

    async close(token) {
      const tokenHash = await hashToken(token)
      if (tokenHash !== undefined) await store.removeSession(tokenHash)
    },
  }
}

/** What the holder of a session is and may do. */
export function toLoggedIn(user: User, { expiresAt }: SessionRecord): LoggedIn {
  return { user, caller: { account: user.account, scopes: new Set(user.scopes) }, expiresAt }
}

function toReason(error: unknown): string {
  return error instanceof ServiceError ? error.code : 'unknown'
}
