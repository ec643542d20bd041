import { type ApiDiscovery, type HttpHandler, type Logger, SCOPES } from '../../core/index.ts'
import { findOrCreateAccount } from './seed.ts'

const DAY_MS = 86_400_000

/** The service with its console around it, where the users of the service log in. */
export async function openConsole(
  app: ApiDiscovery,
  options: { readonly basePath: string; readonly logger: Logger | undefined },
): Promise<HttpHandler> {
  const { basePath, logger } = options
  // Loaded here: other commands have no use for pages.
  const { createConsole } = await import('../web/console.ts')
  const { handle } = await createConsole({ app, basePath, ...(logger && { logger }) })
  return handle
}

/**
 * Where there are no users yet: the token of a link that makes whoever opens it the first one, with
 * every scope, once and within a day. Undefined where there are.
 */
export async function inviteFirst(app: ApiDiscovery): Promise<string | undefined> {
  if ((await app.users.listUsers()).length > 0) return undefined
  const account = await findOrCreateAccount(app)
  const { token } = await app.users.invite({ account, scopes: SCOPES, expiresInMs: DAY_MS })
  return token
}
