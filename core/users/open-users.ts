import type { UserDeps } from './deps.ts'
import { createInvitations } from './invitations.ts'
import { createLockout } from './lockout.ts'
import { createLogIn } from './log-in.ts'
import { createPeople } from './people.ts'
import type { Users } from './service.ts'
import { createSessions } from './sessions.ts'

/** Composes the users service. */
export function openUsers(deps: UserDeps): Users {
  const sessions = createSessions(deps)
  return {
    ...createPeople(deps),
    ...createInvitations(deps, sessions),
    ...createLogIn(deps, { sessions, lockout: createLockout(deps.clock) }),
  }
}
