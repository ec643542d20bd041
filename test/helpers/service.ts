import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed-vulnerabilities.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { createKey } from '../../core/accounts/keys.ts'
import { createSealer } from '../../core/accounts/seal.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { ApiDiscoveryOptions } from '../../core/app-options.ts'
import type { Clock, Storage } from '../../core/ports.ts'
import { type Account, type Caller, SCOPES, type Scope } from '../../core/shared/account.ts'
import { makeFolder } from './folder.ts'
import { fillGateway } from './gateway-seed.ts'
import { mirrorEgress } from './mirror-egress.ts'
import { createManualClock, createSeededRandom, strongRandom } from './random.ts'
import { fillRateLimits, OPEN_HOST } from './rate-limit-seed.ts'
import { fillScans } from './scan-seed.ts'

/** Keys of every sort, all made before the clock came to its stop. */
export interface TestKeys {
  /** Of account A, with every scope. */
  readonly all: string
  /** Of account A, with the scope `read` alone. */
  readonly readOnly: string
  /** Of account B, with every scope. */
  readonly other: string
  readonly expired: string
  readonly revoked: string
  /** Well formed, its checksum right, and nobody's. */
  readonly unknown: string
  readonly malformed: string
  /** Of account A, with this scope alone. */
  readonly only: Readonly<Record<Scope, string>>
  /** Of account A, with every scope but this one. */
  readonly without: Readonly<Record<Scope, string>>
}

/** A service over a storage of its own, filled with the example descriptions. */
export interface TestService {
  readonly app: ApiDiscovery
  readonly storage: Storage
  readonly keys: TestKeys
  /** Account A with every scope, for calls in process. */
  readonly caller: Caller
  readonly clock: Clock & { advance(ms: number): void }
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** SQLite when absent. */
  readonly openStorage?: (clock: Clock) => Promise<Storage>
  /** An empty catalogue, without vendors too. */
  readonly isEmpty?: boolean
  readonly app?: Partial<ApiDiscoveryOptions>
}

/** 2026-03-10T08:00:00Z, the day on which the first example description is imported. */
const START = Date.UTC(2026, 2, 10, 8)
const DAY_MS = 86_400_000
const SEED = new URL('../../fixtures/seed/descriptions/', import.meta.url)
/** What the service's host supplies. */
const HOST: Partial<ApiDiscoveryOptions> = {
  sealer: createSealer({ current: new Uint8Array(32).fill(7) }, strongRandom),
  egress: mirrorEgress,
  rateLimitTests: { hosts: [OPEN_HOST], contact: 'ops@service.example' },
}

/**
 * Opens a service that is the same in every run, on every runtime and storage: accounts, keys, and
 * one example description imported a day, in order of file name, from 10 to 13 March 2026. Then two
 * vendors are entered, the example CVE records loaded, and the clock stands at 08:00 UTC of
 * 14 March 2026. Account A has a scanned project, a network scan and rate-limit tests. Calls through the gateway are
 * mirrored, unless there is another egress; then nothing is kept by the gateway yet.
 */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  if (options.openStorage || options.isEmpty || options.app) return fillService(options)
  filled ??= fillFile()
  const { bytes, drawn, ...service } = await filled
  const clock = createManualClock(START)
  clock.advance(4 * DAY_MS)
  const random = createSeededRandom(2026)
  random(drawn)
  const folder = await makeFolder()
  const file = folder.pathOf('service.db')
  await writeFile(file, bytes)
  const storage = await openSqlite({ file, clock })
  const app = createApiDiscovery({ storage, clock, random, ...HOST })
  const close = async () => {
    await app.close()
    await folder.remove()
  }
  return { ...service, app, storage, clock, close }
}

/** A filled service as it lies in a file, for others to begin with. */
interface FilledFile extends Pick<TestService, 'keys' | 'caller'> {
  readonly bytes: Uint8Array
  /** How many random bytes were taken to fill it. */
  readonly drawn: number
}

let filled: Promise<FilledFile> | undefined

async function fillFile(): Promise<FilledFile> {
  const folder = await makeFolder()
  const file = folder.pathOf('filled.db')
  let drawn = 0
  const seeded = createSeededRandom(2026)
  const random = (length: number) => {
    drawn += length
    return seeded(length)
  }
  const { keys, caller, close } = await fillService({
    openStorage: (clock) => openSqlite({ file, clock }),
    app: { random },
  })
  await close()
  const bytes = await readFile(file)
  await folder.remove()
  return { keys, caller, bytes, drawn }
}

async function fillService(options: TestServiceOptions): Promise<TestService> {
  const clock = createManualClock(START)
  const random = options.app?.random ?? createSeededRandom(2026)
  const storage = options.openStorage
    ? await options.openStorage(clock)
    : await openSqlite({ file: ':memory:', clock })
  const app = createApiDiscovery({
    storage,
    clock,
    random,
    ...HOST,
    ...options.app,
  })
  const account = await app.accounts.createAccount('Account A')
  const caller: Caller = { account, scopes: new Set(SCOPES) }
  const keys = await createKeys(app, { account, unknown: (await createKey(random)).key })
  if (!options.isEmpty) {
    await fillCatalogue(app, clock)
    await loadExampleVulnerabilities(app.vulnerabilities)
    if (options.app?.egress === undefined) await fillGateway(app, account)
    await fillScans(app, caller)
    await fillRateLimits(storage, { account, clock })
  } else clock.advance(4 * DAY_MS)
  return { app, storage, keys, caller, clock, close: () => app.close() }
}

/** The example descriptions by file name, in order. */
export async function readSeedFiles(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const folder = fileURLToPath(SEED)
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, SEED)))] as const),
  )
}

async function createKeys(
  app: ApiDiscovery,
  given: { readonly account: Account; readonly unknown: string },
): Promise<TestKeys> {
  const { accounts } = app
  const { account, unknown } = given
  const other = await accounts.createAccount('Account B')
  const make = (scopes: readonly Scope[], of = account) =>
    accounts.createKey({ account: of, name: 'test', scopes })
  const revoked = await make(SCOPES)
  await accounts.revokeKey({ account, keyId: revoked.record.id })
  const expired = await accounts.createKey({ account, name: 'old', scopes: SCOPES, expiresInMs: 1 })
  const only: Partial<Record<Scope, string>> = {}
  const without: Partial<Record<Scope, string>> = {}
  for (const scope of SCOPES) {
    only[scope] = (await make([scope])).key
    without[scope] = (await make(SCOPES.filter((each) => each !== scope))).key
  }
  return {
    all: (await make(SCOPES)).key,
    readOnly: (await make(['read'])).key,
    other: (await make(SCOPES, other)).key,
    expired: expired.key,
    revoked: revoked.key,
    unknown,
    malformed: `${unknown.slice(0, -1)}${unknown.endsWith('a') ? 'b' : 'a'}`,
    only: only as Readonly<Record<Scope, string>>,
    without: without as Readonly<Record<Scope, string>>,
  }
}

async function fillCatalogue(
  app: ApiDiscovery,
  clock: { advance(ms: number): void },
): Promise<void> {
  for (const [, bytes] of await readSeedFiles()) {
    await app.imports.importDescription({ bytes, createVendor: true, isPublic: true })
    clock.advance(DAY_MS)
  }
  const operator: Caller = {
    account: { id: 'operator', name: 'operator' },
    scopes: new Set(SCOPES),
  }
  const vendors = [
    { name: 'Ösel Bäckerei', homepage: 'https://bakery.example', countries: ['ee'] },
    { name: 'Quiet Partner', description: 'Not listed in public.', is_public: false },
  ]
  for (const body of vendors) await app.call('createVendor', { body }, operator)
}
