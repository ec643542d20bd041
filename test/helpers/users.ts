import { createScryptHasher } from '../../adapters/secret/scrypt.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { PasswordHasher } from '../../core/ports/passwords.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import type { Account, Scope } from '../../core/shared/account.ts'
import { createManualClock, strongRandom } from './random.ts'

/** A password that satisfies all rules. */
export const PASSWORD = 'quiet lamps over water'
/** Client addresses of the user and of another client. */
export const HOME = '192.0.2.1'
export const ELSEWHERE = '198.51.100.7'

/** A service with an account and a user. */
export interface TestUsers {
  readonly app: ApiDiscovery
  readonly users: ApiDiscovery['users']
  readonly storage: FullStorage
  readonly account: Account
  readonly clock: ReturnType<typeof createManualClock>
  /** Number of hashed and verified passwords; both take the same time. */
  readonly hashes: () => number
  /** Log lines as JSON. */
  readonly lines: readonly string[]
  /** Logs Ada in, by default from her usual address. */
  logIn(
    changed?: Partial<{ name: string; password: string; clientAddress: string }>,
  ): ReturnType<ApiDiscovery['users']['logIn']>
  close(): Promise<void>
}

/** Opens a service in which Ada has not logged in yet, with cheap hashes. */
export async function openTestUsers(
  options: {
    readonly file?: string
    readonly scopes?: readonly Scope[]
    readonly hasher?: PasswordHasher
  } = {},
): Promise<TestUsers> {
  const clock = createManualClock()
  const storage = await openSqlite({ file: options.file ?? ':memory:', clock })
  const lines: string[] = []
  const { hasher = createScryptHasher({ costLog2: 4, maxWaiting: 1000 }) } = options
  const { passwords, hashes } = countHashes(hasher)
  const app = createApiDiscovery({
    storage,
    clock,
    passwords,
    sealer: createSealer({ current: new Uint8Array(32).fill(7) }, strongRandom),
    logger: { log: (...event) => void lines.push(JSON.stringify(event)) },
  })
  const account = await app.accounts.createAccount('Acme')
  const scopes = options.scopes ?? ['read', 'call']
  await app.users.createUser({ name: 'Ada', password: PASSWORD, account, scopes })
  const before = hashes()
  return {
    app,
    users: app.users,
    storage,
    account,
    clock,
    hashes: () => hashes() - before,
    lines,
    logIn: (changed) =>
      app.users.logIn({ name: 'Ada', password: PASSWORD, clientAddress: HOME, ...changed }),
    close: () => app.close(),
  }
}

/** Creates the hasher and its call count. */
export function countHashes(hasher: PasswordHasher) {
  let count = 0
  const toCounting = (worker: Pick<PasswordHasher, 'hash' | 'verify'>) => ({
    hash(password: string) {
      count += 1
      return worker.hash(password)
    },
    verify(password: string, hash: string) {
      count += 1
      return worker.verify(password, hash)
    },
  })
  const passwords: PasswordHasher = {
    ...toCounting(hasher),
    ...(hasher.preferred ? { preferred: toCounting(hasher.preferred) } : {}),
    isOutdated: hasher.isOutdated,
  }
  return { passwords, hashes: () => count }
}

/** Returns the error code of a rejected promise; undefined if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: { readonly code?: string }) => error.code ?? String(error),
  )
}
