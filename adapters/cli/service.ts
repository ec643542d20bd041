import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import {
  type ApiDiscovery,
  type ApiDiscoveryOptions,
  type Caller,
  createApiDiscovery,
  createSealer,
  SCOPES,
  type Sealer,
  type Storage,
} from '../../core/index.ts'
import { createDecoder, type OwnAddress } from '../egress/index.ts'
import { createWorkerIsolate } from '../isolate/worker-isolate.ts'
import { createScryptHasher, openSecrets, toSecretFile } from '../secret/secret-file.ts'
import {
  type DatabaseAddress,
  DEFAULT_DATABASE,
  openDatabase,
  parseDatabase,
  refuseMissing,
} from './database.ts'
import { type EgressOptions, openEgress } from './egress.ts'
import { UsageError } from './errors.ts'
import type { Io } from './io.ts'

/** Options that every command takes. */
export interface GlobalOptions {
  readonly database?: string
  readonly json?: boolean
}

/** What a command needs of the database. */
export interface DatabaseNeeds {
  /** The command only reads: a database that is not there is a mistake. */
  readonly mustExist?: boolean
}

/** An opened service and what the command line needs beside it. */
export interface OpenService {
  readonly app: ApiDiscovery
  /** What the service reads and writes; the service closes it. */
  readonly storage: Storage
  readonly address: DatabaseAddress
  readonly sealer: Sealer
  close(): Promise<void>
}

/** The operator: whoever can open the database may do everything. */
export const OPERATOR: Caller = {
  account: { id: 'operator', name: 'operator' },
  scopes: new Set(SCOPES),
  source: 'command line',
}

/** How a service is to be opened. */
export interface ServiceOptions extends GlobalOptions, DatabaseNeeds, EgressOptions {
  readonly service?: Partial<ApiDiscoveryOptions>
  /** Threads for imports that are started in advance. */
  readonly spareThreads?: number
  /** Where the service listens itself, which it never calls. */
  readonly ownAddresses?: () => readonly OwnAddress[]
}

/** Opens database, secret, the way out and service as the options and the environment say. */
export async function openService(io: Io, options: ServiceOptions): Promise<OpenService> {
  const address = findDatabase(io, options)
  refuseMissing(address, options)
  const egress = openEgress(io, options)
  const file = findSecretFile(io, address)
  if (!isSecretGiven(io)) await mkdir(dirname(file), { recursive: true })
  const secrets = await openSecrets({ environment: io.environment, file })
  const storage = await openDatabase(address, { onWait: () => io.note(toWaiting(address)) })
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const sealer = createSealer(secrets, random)
  const isolate = createWorkerIsolate({ spareThreads: options.spareThreads })
  const passwords = createScryptHasher()
  const supplied = { storage, sealer, passwords, isolate, egress, decode: createDecoder() }
  const app = await createService({ ...supplied, ...options.service })
  return {
    app,
    storage,
    address,
    sealer,
    async close() {
      await isolate.close()
      await app.close()
      egress.close()
    },
  }
}

/** What an operator may have written wrong is a `UsageError`: hosts that may be tested. */
async function createService(options: ApiDiscoveryOptions): Promise<ApiDiscovery> {
  try {
    return createApiDiscovery(options)
  } catch (error) {
    await options.storage.close()
    throw error instanceof RangeError ? new UsageError(error.message) : error
  }
}

/** Opens the service for one command and closes it after, whatever happens. */
export async function withService<T>(
  io: Io,
  options: ServiceOptions,
  use: (service: OpenService) => Promise<T>,
): Promise<T> {
  const service = await openService(io, options)
  try {
    return await use(service)
  } finally {
    await service.close()
  }
}

/** An opened service, and an account with every scope. */
export interface ServiceOfAccount extends OpenService {
  readonly caller: Caller
}

/** Options of commands that act for an account. */
export interface AccountOptions extends GlobalOptions {
  readonly account?: string
}

/** Adds `--account`, of which `withAccount` knows what it means. */
export function addAccountOption(command: Command): Command {
  return command.option(
    '--account <name>',
    "whose data it is, by the account's name or id; when absent, the operator's own data, which no account sees",
  )
}

/**
 * Opens the service for one command of an account, or of the operator where none is named: what
 * one has, another does not see. The account must exist, as its database must.
 */
export function withAccount<T>(
  io: Io,
  options: AccountOptions & ServiceOptions,
  use: (service: ServiceOfAccount) => Promise<T>,
): Promise<T> {
  return withService(io, { mustExist: true, ...options }, async (service) => {
    const { account: name } = options
    if (name === undefined) return use({ ...service, caller: OPERATOR })
    const account = await service.app.accounts.getAccount(name)
    return use({ ...service, caller: { ...OPERATOR, account } })
  })
}

/** The database that the options, else the environment, else the default names. */
export function findDatabase(io: Io, options: GlobalOptions): DatabaseAddress {
  return parseDatabase(
    options.database ?? (io.environment.API_DISCOVERY_DATABASE || DEFAULT_DATABASE),
  )
}

/** What is said while another process locks an SQLite database. */
export function toWaiting(address: DatabaseAddress): string {
  const name = address.kind === 'sqlite' ? address.file : 'PostgreSQL'
  return `Waiting for the database ${name}, which another process has locked…`
}

/** The file of the service's secret: beside an SQLite file, else under `.data`. */
export function findSecretFile(io: Io, address: DatabaseAddress): string {
  const { API_DISCOVERY_SECRET_FILE: file } = io.environment
  if (file) return file
  if (address.kind === 'sqlite' && address.file !== ':memory:') return toSecretFile(address.file)
  return join(dirname(parseDefaultFile()), 'api-discovery.secret')
}

/** A folder that the operator names and that is not there is a mistake: none is made. */
function isSecretGiven({ environment }: Io): boolean {
  return Boolean(environment.API_DISCOVERY_SECRET || environment.API_DISCOVERY_SECRET_FILE)
}

function parseDefaultFile(): string {
  const address = parseDatabase(DEFAULT_DATABASE)
  return address.kind === 'sqlite' ? address.file : ''
}
