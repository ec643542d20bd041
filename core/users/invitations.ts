import { createId } from '../accounts/keys.ts'
import { parseScopes } from '../accounts/scopes.ts'
import { createNotFoundError, ServiceError } from '../errors.ts'
import type { UserDeps } from './deps.ts'
import { validatePassword } from './passwords.ts'
import type { Invitation } from './records.ts'
import type { Users } from './service.ts'
import type { Sessions } from './sessions.ts'
import type { StoredUser } from './store.ts'
import { createToken, hashToken } from './tokens.ts'
import { buildUser, getUser } from './user-admin.ts'
import { parseUserName } from './user-names.ts'

const EXPIRES_IN_MS = 7 * 86_400_000
const MAX_EXPIRES_IN_MS = 30 * 86_400_000

/** Creates the methods for invitation and reset links. */
export function createInvitations(
  deps: UserDeps,
  sessions: Sessions,
): Pick<
  Users,
  | 'invite'
  | 'inviteToReset'
  | 'findInvitation'
  | 'acceptInvitation'
  | 'listInvitations'
  | 'revokeInvitation'
> {
  const { store, clock, logger } = deps

  /**
   * True if the user has received scopes since the reset link was created: its creator may lack
   * them.
   */
  async function hasNewScopes({ userName, scopes }: Invitation): Promise<boolean> {
    const user = userName === undefined ? undefined : await store.findUser(userName)
    return user?.scopes.some((scope) => !scopes.includes(scope)) ?? false
  }

  /**
   * Returns undefined for a used, expired or unknown link, and for a reset link of a user with new
   * scopes.
   */
  async function findOpen(token: string) {
    const tokenHash = await hashToken(token)
    const invitation = tokenHash === undefined ? undefined : await store.findInvitation(tokenHash)
    if (tokenHash === undefined || !invitation || clock() >= invitation.expiresAt) return undefined
    return (await hasNewScopes(invitation)) ? undefined : { tokenHash, invitation }
  }

  return {
    async invite({ account, scopes, expiresInMs }) {
      const permitted = parseScopes('invite a user', scopes)
      const made = await saveInvitation(deps, {
        kind: 'invite',
        userName: undefined,
        account,
        scopes: permitted,
        expiresInMs,
      })
      logger.log('info', 'user_invited', { account: account.name, scopes: permitted.join(' ') })
      return made
    },

    async inviteToReset({ expiresInMs, ...reference }) {
      const { name, account, scopes } = await getUser(deps, reference)
      const wanted = { kind: 'reset', userName: name, account, scopes, expiresInMs } as const
      const made = await saveInvitation(deps, wanted)
      logger.log('info', 'user_reset_invited', { user: name })
      return made
    },

    async findInvitation(token) {
      return (await findOpen(token))?.invitation
    },

    async acceptInvitation({ token, name, password }) {
      const open = await findOpen(token)
      if (!open) throw createInvalidLinkError()
      const isReset = open.invitation.kind === 'reset'
      const user = isReset
        ? await resetPassword(deps, { ...open, password })
        : await createInvitedUser(deps, { ...open, name, password })
      const opened = await sessions.open(user)
      if (!opened) {
        throw new ServiceError(
          'conflict',
          'Cannot log in: the password was changed in the meantime',
        )
      }
      logger.log('info', 'user_logged_in', { user: user.name })
      return opened
    },

    listInvitations: (account) => store.listInvitations(clock(), account),

    async revokeInvitation({ id, account }) {
      if (await store.removeInvitation(id, account)) return
      throw createNotFoundError('Invitation')
    },
  }
}

interface OpenInvitation {
  readonly tokenHash: string
  readonly invitation: Invitation
}

async function saveInvitation(
  { store, clock, random }: UserDeps,
  wanted: Pick<Invitation, 'kind' | 'userName' | 'account' | 'scopes'> & {
    readonly expiresInMs: number | undefined
  },
) {
  const { expiresInMs = EXPIRES_IN_MS, ...described } = wanted
  if (!(Number.isInteger(expiresInMs) && expiresInMs > 0 && expiresInMs <= MAX_EXPIRES_IN_MS)) {
    throw new ServiceError(
      'invalid_input',
      'Cannot create the invitation: it must expire within 30 days',
    )
  }
  const { token, hash } = await createToken(random)
  const createdAt = clock()
  const invitation: Invitation = {
    id: createId('inv', random),
    ...described,
    createdAt,
    expiresAt: createdAt + expiresInMs,
  }
  await store.saveInvitation({ ...invitation, tokenHash: hash })
  return { token, invitation }
}

async function createInvitedUser(
  deps: UserDeps,
  accepted: OpenInvitation & { readonly name: string; readonly password: string },
): Promise<StoredUser> {
  const { tokenHash, password, invitation } = accepted
  const { account, scopes } = invitation
  const name = parseUserName(accepted.name)
  const user = await buildUser(deps, { name, password, account, scopes })
  if (!(await deps.store.acceptInvitation(tokenHash, user))) throw createInvalidLinkError()
  deps.logger.log('info', 'user_joined', { user: name, account: account.name })
  await deps.makeFirstKey(user)
  return user
}

async function resetPassword(
  { store, passwords, clock, logger }: UserDeps,
  { tokenHash, invitation, password }: OpenInvitation & { readonly password: string },
): Promise<StoredUser> {
  const names = [invitation.userName ?? '', invitation.account.name]
  const passwordHash = await passwords.hash(validatePassword(password, names))
  const user = await store.acceptReset(tokenHash, { passwordHash, now: clock() })
  if (!user) throw createInvalidLinkError()
  logger.log('info', 'user_reset', { user: user.name })
  return user
}

function createInvalidLinkError(): ServiceError {
  return new ServiceError('not_found', 'Invalid link: it is expired, already used or incorrect')
}
