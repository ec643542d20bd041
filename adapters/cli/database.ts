import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { FullStorage } from '../../core/storage.ts'
import { createFolder } from '../scanner/create-folder.ts'
import { CommandError, UsageError } from './errors.ts'
import { describeErrorCode } from './system-errors.ts'

/** Default database file, relative to the data folder. */
export const DEFAULT_DATABASE_FILE = '.data/api-discovery.db'

/** A parsed database address. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Parses `sqlite:FILE`, `postgres://…` or a file name. Throws a `UsageError` if it is invalid. */
export function parseDatabase(text: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: text }
  const file = text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : text
  if (file === '' || /^[a-z][a-z0-9+-]+:\/\//i.test(file)) {
    throw new UsageError(
      `Cannot open the database "${maskPassword(text)}": it must be sqlite:FILE or postgres://…`,
    )
  }
  return { kind: 'sqlite', file: file === ':memory:' ? file : resolve(file) }
}

/** Replaces the user and password of a database address by `…`. */
export function maskPassword(address: string): string {
  return address.replace(/\/\/.*@/, '//…@')
}

/**
 * Opens a database and updates its schema. Loads only the driver it needs. With `mustExist`, a
 * missing SQLite file is a `CommandError`.
 */
export async function openDatabase(
  address: DatabaseAddress,
  options: {
    readonly mustExist?: boolean
    /** Write to an SQLite file in a thread. */
    readonly writeInThread?: boolean | undefined
    readonly onWait?: () => void
    readonly onMigrated?: (versions: { readonly from: number; readonly to: number }) => void
  } = {},
): Promise<FullStorage> {
  const { onWait, onMigrated, writeInThread } = options
  if (address.kind === 'postgres') {
    const { openPostgres } = await loadPostgres()
    try {
      return await openPostgres({ url: address.url, onMigrated })
    } catch (error) {
      throw addServerName(error, address.url)
    }
  }
  assertDatabaseExists(address, options)
  if (address.file !== ':memory:') await createParentFolder(address.file)
  const { openSqlite } = await import('../storage/sqlite.ts')
  try {
    const waiting = onWait ? { onWait } : {}
    return await openSqlite({ file: address.file, onMigrated, writeInThread, ...waiting })
  } catch (error) {
    throw addFileName(error, address.file)
  }
}

/** Creates the folder of a file. Throws a `CommandError` that names it if that fails. */
export async function createParentFolder(file: string): Promise<void> {
  const folder = dirname(file)
  await createFolder(folder).catch((error: Error & { readonly code?: string }) => {
    const reason =
      error.code === 'ENOENT' ? 'not possible there' : describeErrorCode(error.code ?? '')
    throw new CommandError(`Cannot create the folder ${folder}: ${reason}`)
  })
}

/** Throws a `CommandError` if `mustExist` is set and the SQLite file is missing. */
export function assertDatabaseExists(
  address: DatabaseAddress,
  { mustExist }: { readonly mustExist?: boolean },
): void {
  if (!mustExist || address.kind !== 'sqlite' || !isMissing(address)) return
  throw new CommandError(
    `Cannot open the database ${address.file}: file not found. Create it with "migrate", "import", "sync" or "serve".`,
  )
}

/** Whether the address is that of an SQLite file that does not exist. */
export function isMissing(address: DatabaseAddress): boolean {
  return address.kind === 'sqlite' && address.file !== ':memory:' && !existsSync(address.file)
}

/** Adds the file name to an error of the storage. */
function addFileName(error: unknown, file: string): unknown {
  const [, reason] =
    /^Cannot use the storage: (.*)/s.exec(error instanceof Error ? error.message : '') ?? []
  return reason === undefined
    ? error
    : new CommandError(`Cannot open the database ${file}: ${reason}`)
}

/** Adds host, port and database to an error of PostgreSQL, never user or password. */
function addServerName(error: unknown, url: string): unknown {
  const [, reason] =
    /^Cannot use the storage: (.*)/s.exec(error instanceof Error ? error.message : '') ?? []
  if (reason === undefined || !URL.canParse(url)) return error
  const { hostname, port, pathname } = new URL(url)
  const name = decodeURIComponent(pathname.slice(1))
  const advice = reason.includes('does not exist')
    ? `. Create it: CREATE DATABASE "${name}" ENCODING 'UTF8'`
    : ''
  const place = `"${name}" at ${hostname || 'localhost'}:${port || '5432'}`
  return new CommandError(`Cannot open the PostgreSQL database ${place}: ${reason}${advice}`)
}

/**
 * Loads the driver, an optional peer dependency. Throws a `CommandError` if it is not installed.
 */
async function loadPostgres() {
  try {
    return await import('../storage/postgres.ts')
  } catch (error) {
    if (!(error instanceof Error && /['"]pg['"]/.test(error.message))) throw error
    throw new CommandError('Cannot open PostgreSQL: its driver is not installed; run "npm i pg"')
  }
}
