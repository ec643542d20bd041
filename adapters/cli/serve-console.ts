import { type ApiDiscovery, type HttpHandler, type Logger, SCOPES } from '../../core/index.ts'
import { findOrCreateAccount } from './seed.ts'

/** Where the console is served, below the public path. */
export const CONSOLE_PATH = '/console'

const DAY_MS = 86_400_000

/** The service with its console around it, where the users of the service log in. */
export async function openConsole(
  app: ApiDiscovery,
  options: {
    readonly basePath: string
    readonly logger: Logger | undefined
    /** How this program was started. */
    readonly command: string | undefined
  },
): Promise<HttpHandler> {
  const { basePath, logger, command } = options
  // Loaded here: other commands have no use for pages.
  const { createConsole } = await import('../web/console.ts')
  const { handle } = await createConsole({
    app,
    basePath,
    ...(logger && { logger }),
    ...(command === undefined ? {} : { command }),
  })
  return handle
}

/** How the first user gets in. */
export type SetUp =
  /** A link with this token makes whoever opens it the first user, once and within a day. */
  | { readonly kind: 'made'; readonly token: string }
  /** A link that an earlier start printed still works. */
  | { readonly kind: 'open'; readonly expiresAt: number }
  /** None was made, since it cannot be printed. */
  | { readonly kind: 'unprinted' }

/**
 * Makes a set-up link with every scope when there are no users, no such link is valid, and it can be
 * printed. Undefined when there are users.
 */
export async function prepareSetUp(
  app: ApiDiscovery,
  canPrint: boolean,
): Promise<SetUp | undefined> {
  if ((await app.users.listUsers()).length > 0) return undefined
  const account = await findOrCreateAccount(app)
  const open = (await app.users.listInvitations()).find(
    ({ kind, scopes }) => kind === 'invite' && SCOPES.every((scope) => scopes.includes(scope)),
  )
  if (open) return { kind: 'open', expiresAt: open.expiresAt }
  if (!canPrint) return { kind: 'unprinted' }
  const { token } = await app.users.invite({ account, scopes: SCOPES, expiresInMs: DAY_MS })
  return { kind: 'made', token }
}
