import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadExampleVulnerabilities } from '../../adapters/cli/seed.ts'
import { readCveFile } from '../../adapters/feeds/cve-files.ts'
import { openSqlite } from '../../adapters/storage/sqlite.ts'
import { generateKey } from '../../core/accounts/keys.ts'
import { createSealer } from '../../core/accounts/sealer.ts'
import type { ApiDiscovery } from '../../core/api-discovery.ts'
import { createApiDiscovery } from '../../core/app.ts'
import type { ApiDiscoveryOptions } from '../../core/app-options.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { type Account, type Caller, SCOPES, type Scope } from '../../core/shared/account.ts'
import { readCveDocuments } from '../../core/vulnerabilities/feeds/read-cve-documents.ts'
import { makeFolder } from './folder.ts'
import { fillGateway } from './gateway-seed.ts'
import { mirrorEgress } from './mirror-egress.ts'
import { createManualClock, createSeededRandom, strongRandom } from './random.ts'
import { fillRateLimits, OPEN_HOST } from './rate-limit-seed.ts'
import { fillScans } from './scan-seed.ts'

/** Keys of all kinds, created before the clock was stopped. */
export interface TestKeys {
  /** Key of account A with all scopes. */
  readonly all: string
  /** Key of account A with only the scope `read`. */
  readonly readOnly: string
  /** Key of account B with all scopes. */
  readonly other: string
  readonly expired: string
  readonly revoked: string
  /** A well-formed key with a valid checksum that does not exist. */
  readonly unknown: string
  readonly malformed: string
  /** Returns a key of account A with only this scope. */
  readonly only: Readonly<Record<Scope, string>>
  /** Returns a key of account A with all scopes except this one. */
  readonly without: Readonly<Record<Scope, string>>
}

/** A service with its own storage, filled with the example descriptions. */
export interface TestService {
  readonly app: ApiDiscovery
  readonly storage: FullStorage
  readonly keys: TestKeys
  /** Account A with all scopes, for calls in process. */
  readonly caller: Caller
  readonly clock: Clock & { advance(ms: number): void }
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** Default: SQLite. */
  readonly openStorage?: (clock: Clock) => Promise<FullStorage>
  /** Empty catalogue without vendors. */
  readonly isEmpty?: boolean
  /** Has records of the CVE Program beside those of NVD. */
  readonly hasCveRecords?: boolean
  /** Default: the origin of each request. */
  readonly publicUrl?: string
  readonly app?: Partial<ApiDiscoveryOptions>
}

/** 2026-03-10T08:00:00Z, when the first example description is imported. */
const START = Date.UTC(2026, 2, 10, 8)
const DAY_MS = 86_400_000
const SEED = new URL('../../fixtures/seed/descriptions/', import.meta.url)
const CVE_RECORDS = new URL('../../fixtures/cve-records/cve-5-examples.ndjson', import.meta.url)
/** Options that a host passes to the service. */
const HOST: Partial<ApiDiscoveryOptions> = {
  sealer: createSealer({ current: new Uint8Array(32).fill(7) }, strongRandom),
  egress: mirrorEgress,
  rateLimitTests: { hosts: [OPEN_HOST], contact: 'ops@service.example' },
}

/**
 * Opens a service that is identical in every run, runtime and storage. It has accounts, keys, and
 * one example description per day in order of file name, imported from 10 to 13 March 2026. Then
 * two vendors are added, the example CVE records are loaded, and the clock stops at 08:00 UTC on 14
 * March 2026. Account A has a project scan, a network scan and rate-limit tests. Gateway calls are
 * echoed, unless there is another egress; then the gateway has no stored data yet.
 */
export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { publicUrl, ...others } = options
  const address = publicUrl === undefined ? {} : { publicUrl }
  if (Object.keys(others).length > 0) {
    return fillService({ ...others, app: { ...address, ...others.app } })
  }
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
  const app = createApiDiscovery({ storage, clock, random, ...HOST, ...address })
  const close = async () => {
    await app.close()
    await folder.remove()
  }
  return { ...service, app, storage, clock, close }
}

/** The database file of a filled service, as a template for others. */
interface FilledFile extends Pick<TestService, 'keys' | 'caller'> {
  readonly bytes: Uint8Array
  /** Number of random bytes consumed to fill it. */
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
  const keys = await createKeys(app, { account, unknown: (await generateKey(random)).key })
  if (!options.isEmpty) {
    await fillCatalogue(app, clock)
    // In this order: a load of other records removes the examples.
    if (options.hasCveRecords) await loadCveRecords(app)
    await loadExampleVulnerabilities(app.vulnerabilities)
    if (options.app?.egress === undefined) await fillGateway(app, account)
    await fillScans(app, caller, 'review' in storage.scans)
    await fillRateLimits(storage, { account, clock })
  } else clock.advance(4 * DAY_MS)
  return { app, storage, keys, caller, clock, close: () => app.close() }
}

/** Reads the example descriptions in order of file name. */
export async function readSeedFiles(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const folder = fileURLToPath(SEED)
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, SEED)))] as const),
  )
}

async function loadCveRecords({ vulnerabilities }: ApiDiscovery): Promise<void> {
  const documents = readCveDocuments(readCveFile(fileURLToPath(CVE_RECORDS)))
  await vulnerabilities.loadRecords(documents, { source: 'cve-files', authority: 'cve' })
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
