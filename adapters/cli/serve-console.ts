import { type ApiDiscovery, type HttpHandler, type Logger, SCOPES } from '../../core/index.ts'
import { findOrCreateAccount } from './seed.ts'

/** Path of the console below the public path. */
export const CONSOLE_PATH = '/console'

const DAY_MS = 86_400_000

/** Wraps the service in its console, where users log in. */
export async function openConsole(
  app: ApiDiscovery,
  options: {
    readonly basePath: string
    readonly logger: Logger | undefined
    /** Command that started this program. */
    readonly command: string | undefined
  },
): Promise<HttpHandler> {
  const { basePath, logger, command } = options
  // Imported here: other commands do not need pages.
  const { createConsole } = await import('../web/console.ts')
  const { handle } = await createConsole({
    app,
    basePath,
    ...(logger && { logger }),
    ...(command === undefined ? {} : { command }),
  })
  return handle
}

/** State of the set-up link for the first user. */
export type SetUpLink =
  /** A link with this token creates the first user. It can be used once, within a day. */
  | { readonly kind: 'made'; readonly token: string }
  /** A link from an earlier start is still valid. */
  | { readonly kind: 'open'; readonly expiresAt: number }
  /** No link was created because it cannot be printed. */
  | { readonly kind: 'unprinted' }

/**
 * Creates a set-up link with all scopes if there are no users, no earlier link is valid, and it can
 * be printed. Resolves with undefined if there are users.
 */
export async function prepareSetUpLink(
  app: ApiDiscovery,
  canPrint: boolean,
): Promise<SetUpLink | undefined> {
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
