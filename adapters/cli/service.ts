import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createSealTest } from '../../core/accounts/index.ts'
import {
  type ApiDiscovery,
  type ApiDiscoveryOptions,
  type Caller,
  createApiDiscovery,
  createSealer,
  SCOPES,
  type Sealer,
  type Secrets,
  ServiceError,
  type VulnerabilitySyncOptions,
} from '../../core/index.ts'
import type { FullStorage } from '../../core/storage.ts'
import { createDecoder, type OwnAddress } from '../egress/index.ts'
import { createWorkerIsolate } from '../isolate/worker-isolate.ts'
import {
  createScryptHasher,
  type FoundSecrets,
  openSecrets,
  toSecretFile,
} from '../secret/secret-file.ts'
import {
  assertDatabaseExists,
  createParentFolder,
  type DatabaseAddress,
  DEFAULT_DATABASE_FILE,
  openDatabase,
  parseDatabase,
} from './database.ts'
import { type EgressOptions, openEgress } from './egress-options.ts'
import { CommandError, UsageError } from './errors.ts'
import { type Io, toPrintable } from './io.ts'

/** Options of every command. */
export interface GlobalOptions {
  readonly database?: string | undefined
  readonly json?: boolean | undefined
}

/** Requirements of a command for the database. */
export interface DatabaseNeeds {
  /** Fail if the database does not exist: the command only reads. */
  readonly mustExist?: boolean
}

/** An open service with its storage. */
export interface OpenService {
  readonly app: ApiDiscovery
  /** Storage of the service, which also closes it. */
  readonly storage: FullStorage
  readonly address: DatabaseAddress
  close(): Promise<void>
}

/** The operator: access to the database implies all permissions. */
export const OPERATOR: Caller = {
  account: { id: 'operator', name: 'operator' },
  scopes: new Set(SCOPES),
  source: 'command line',
}

/** Options for opening a service. */
export interface ServiceOptions extends GlobalOptions, DatabaseNeeds, EgressOptions {
  readonly service?: Partial<ApiDiscoveryOptions>
  /** Creates the scheduled syncs, if any. */
  readonly openSync?: (opened: {
    readonly address: DatabaseAddress
    readonly secrets: Secrets
  }) => VulnerabilitySyncOptions | undefined
  /** Write to an SQLite file in a thread: the service answers requests meanwhile. */
  readonly writeInThread?: boolean
  /** Number of import threads to start in advance. */
  readonly spareThreads?: number
  /** Addresses that the service listens on, and never calls. */
  readonly ownAddresses?: () => readonly OwnAddress[]
}

/** Opens secret, database, egress and service from options and environment. */
export async function openService(io: Io, options: ServiceOptions): Promise<OpenService> {
  const address = findDatabase(io, options)
  assertDatabaseExists(address, options)
  const egress = openEgress(io, options)
  const file = findSecretFile(io, address)
  const openSecret = async () => {
    if (!isSecretConfigured(io)) await createParentFolder(file)
    return openSecrets({ environment: io.environment, file })
  }
  // Reading an existing database needs no secret. It is created when something is first sealed.
  const isLazy = options.mustExist && !io.environment.API_DISCOVERY_SECRET && !existsSync(file)
  const secrets = isLazy ? undefined : await openSecret()
  const vulnerabilitySync = secrets && options.openSync?.({ address, secrets })
  const storage = await openDatabase(address, {
    onWait: () => io.note(describeDatabaseLock(address)),
    writeInThread: options.writeInThread,
  })
  const openSealer = async (found: FoundSecrets) => {
    const isNew = found.origin === 'generated'
    if ((isNew || !options.mustExist) && (await hasOtherSecret(storage, found))) {
      const held = 'keys or credentials that are sealed with another secret'
      const isVariable = found.origin === 'environment'
      const source = isVariable ? 'the value of API_DISCOVERY_SECRET' : `the secret in ${file}`
      io.note(
        toPrintable(
          isNew
            ? `The secret file ${file} was missing and has been created, but the database holds ${held}. Stop, and restore the secret file from the backup: otherwise these keys cannot be printed again, and stored credentials are lost.`
            : `The database holds ${held} than ${source}. Stop, and use the secret that belongs to the database: otherwise these keys cannot be printed again, and calls with stored credentials fail.`,
        ),
      )
    }
    return createSealer(found, (length) => crypto.getRandomValues(new Uint8Array(length)))
  }
  const sealer = secrets
    ? await openSealer(secrets)
    : createLazySealer(async () => openSealer(await openSecret()))
  const isolate = createWorkerIsolate({ spareThreads: options.spareThreads })
  const passwords = createScryptHasher()
  const supplied = { storage, sealer, passwords, isolate, egress, decode: createDecoder() }
  const app = await createService({
    ...supplied,
    ...(vulnerabilitySync ? { vulnerabilitySync } : {}),
    ...options.service,
  })
  return {
    app,
    storage,
    address,
    async close() {
      await isolate.close()
      await app.close()
      egress.close()
    },
  }
}

/** Creates a sealer that is opened when it first seals or opens a text. */
function createLazySealer(openSealer: () => Promise<Sealer>): Sealer {
  let opened: Promise<Sealer> | undefined
  const sealer = () => {
    opened ??= openSealer()
    return opened
  }
  return {
    seal: async (text, context) => (await sealer()).seal(text, context),
    open: async (sealed, context) => (await sealer()).open(sealed, context),
    rewrap: async (sealed, context) => (await sealer()).rewrap(sealed, context),
  }
}

/** Whether copies of keys or credentials are stored that these secrets cannot open. */
async function hasOtherSecret(
  { accounts, gateway }: FullStorage,
  secrets: Secrets,
): Promise<boolean> {
  const keys = await accounts.listKeys(undefined)
  const sealed = [...keys, ...(await gateway.listSealedCredentials())].map((each) => each.sealed)
  const isOwn = await createSealTest(secrets)
  return sealed.some((text) => text !== '' && !isOwn(text))
}

/** Creates the service. Throws a `UsageError` for invalid operator settings, such as test hosts. */
async function createService(options: ApiDiscoveryOptions): Promise<ApiDiscovery> {
  try {
    return createApiDiscovery(options)
  } catch (error) {
    await options.storage.close()
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}

const OTHER_SECRET = 'sealed with another secret'

/**
 * Opens the service for one command and always closes it. Names the secret file if it cannot open a
 * sealed text.
 */
export async function withService<T>(
  io: Io,
  options: ServiceOptions,
  work: (service: OpenService) => Promise<T>,
): Promise<T> {
  const service = await openService(io, options)
  try {
    return await work(service)
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.message.includes(OTHER_SECRET)) throw error
    const file = findSecretFile(io, service.address)
    throw new CommandError(toPrintable(`${error.message}. The secret file is ${file}.`))
  } finally {
    await service.close()
  }
}

/** An open service with a caller that has all scopes. */
export interface ServiceOfAccount extends OpenService {
  readonly caller: Caller
}

/** Options of commands that run for an account. */
export interface AccountOptions extends GlobalOptions {
  readonly account?: string | undefined
}

/**
 * Opens the service for one command of an account, by default the operator. An account sees only
 * its own data. Database and account must exist.
 */
export function withAccount<T>(
  io: Io,
  options: AccountOptions & ServiceOptions,
  work: (service: ServiceOfAccount) => Promise<T>,
): Promise<T> {
  return withService(io, { mustExist: true, ...options }, async (service) => {
    const { account: name } = options
    if (name === undefined) return work({ ...service, caller: OPERATOR })
    const account = await service.app.accounts.getAccount(name)
    return work({ ...service, caller: { ...OPERATOR, account } })
  })
}

/** Returns the database address of the options, else of the environment, else the default. */
export function findDatabase(io: Io, options: GlobalOptions): DatabaseAddress {
  return parseDatabase(
    options.database ?? (io.environment.API_DISCOVERY_DATABASE || findDefaultDatabaseFile(io)),
  )
}

/** Returns the message that is shown while another process locks the database. */
export function describeDatabaseLock(address: DatabaseAddress): string {
  const name = address.kind === 'sqlite' ? address.file : 'PostgreSQL'
  return `Waiting for the database ${name}, which is locked by another process…`
}

/** Returns the secret file: the configured one, else next to the SQLite file, else in `.data`. */
export function findSecretFile(io: Io, address: DatabaseAddress): string {
  const { API_DISCOVERY_SECRET_FILE: file } = io.environment
  if (file) return file
  if (address.kind === 'sqlite' && address.file !== ':memory:') return toSecretFile(address.file)
  return join(dirname(findDefaultDatabaseFile(io)), 'api-discovery.secret')
}

/**
 * Whether the secret is configured. If so, its folder is not created: a missing one is an error.
 */
function isSecretConfigured({ environment }: Io): boolean {
  return Boolean(environment.API_DISCOVERY_SECRET || environment.API_DISCOVERY_SECRET_FILE)
}

function findDefaultDatabaseFile({ dataFolder = '' }: Io): string {
  return resolve(dataFolder, DEFAULT_DATABASE_FILE)
}
