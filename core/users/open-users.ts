import type { UserDeps } from './deps.ts'
import { createInvitations } from './invitations.ts'
import { createLockout } from './lockout.ts'
import { createLogIn } from './log-in.ts'
import type { Users } from './service.ts'
import { createSessions } from './sessions.ts'
import { createUserAdmin } from './user-admin.ts'

/** Composes the users service. */
export function openUsers(deps: UserDeps): Users {
  const sessions = createSessions(deps)
  return {
    ...createUserAdmin(deps),
    ...createInvitations(deps, sessions),
    ...createLogIn(deps, { sessions, lockout: createLockout(deps.clock) }),
  }
}
