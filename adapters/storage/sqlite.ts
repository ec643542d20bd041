import { access, open, rm } from 'node:fs/promises'
import process from 'node:process'
import type { DatabaseSync } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { ServiceError } from '../../core/errors.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { createUnavailableError } from './kysely/errors.ts'
import { createSqliteEngine, type SqliteConnection } from './kysely/sqlite-engine.ts'
import { retryBusy, toSqliteError, WAIT_MS } from './kysely/sqlite-errors.ts'
import { openKyselyStorage } from './kysely/storage.ts'
import { openNodeConnection } from './sqlite-connection.ts'
import { createPrivateFile } from './sqlite-private-file.ts'
import { openThreadConnection } from './sqlite-thread.ts'

/**
 * Opens a storage in an SQLite file, creating and migrating it if necessary; `:memory:` stores
 * everything in memory. Uses `node:sqlite`, which Node, Bun and Deno provide. Throws a
 * `ServiceError` if the file cannot be opened, its schema is newer than this release, or Node is
 * older than 22.13.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openSqlite } from 'api-discovery/sqlite'
 *
 * const storage = await openSqlite({ file: 'apis.db' })
 * const app = createApiDiscovery({ storage })
 * ```
 */
export async function openSqlite(options: {
  readonly file: string
  /** Clock for the end times of versions; default: the system's clock. */
  readonly clock?: Clock
  /**
   * Writes to a file in a thread, so that writing and flushing it does not block the event loop;
   * default: false. Recommended for servers; starting the thread takes 50 ms and more.
   */
  readonly writeInThread?: boolean | undefined
  /** Called when a write has waited a second for another process; it fails after ten. */
  readonly onWait?: () => void
  /** Called with the versions of the schema before and after; `from` is 0 for a new database. */
  readonly onMigrated?:
    | ((versions: { readonly from: number; readonly to: number }) => void)
    | undefined
}): Promise<FullStorage> {
  const { file, clock = Date.now } = options
  const sqlite = await importNodeSqlite()
  await createPrivateFile(file)
  const isFile = file !== ':memory:'
  const connect = (): SqliteConnection => {
    const database = openNodeConnection(sqlite, file)
    return { ...database, dialect: new SqliteDialect({ database }) }
  }
  const openConnections = async () => ({
    writer: options.writeInThread && isFile ? await openThreadConnection(file) : connect(),
    reader: isFile ? connect() : undefined,
  })
  const connections = await openConnections().catch((error) => {
    throw toSqliteError(error)
  })
  const engine = await createSqliteEngine({ ...connections, onWait: options.onWait })
  return openKyselyStorage(engine, clock, options.onMigrated)
}

/**
 * Copies a database consistently into a new file, even while it is in use. Blocks the event loop
 * while copying: use it in a separate process, such as a command. Throws a `ServiceError` if the
 * database is missing or the target exists. Encrypted values in the copy need the service's secret,
 * which is not included.
 *
 * @example
 * ```ts
 * import { backupSqlite } from 'api-discovery/sqlite'
 *
 * await backupSqlite({ source: 'apis.db', target: 'apis-2026-01-31.db' })
 * ```
 */
export async function backupSqlite(files: {
  readonly source: string
  readonly target: string
}): Promise<void> {
  await requireFile(files.source, 'back up')
  await reserveTarget(files.target)
  try {
    await withDatabase(files.source, (database) =>
      database.prepare('vacuum into ?').run(files.target),
    )
    await flushFile(files.target)
    const problems = await checkSqlite(files.target)
    if (problems.length > 0) throw new Error(problems.join('; '))
  } catch (error) {
    await rm(files.target, { force: true })
    throw toSqliteError(error)
  }
}

/**
 * Returns the problems of a database file: corrupt pages, incomplete indexes, dangling references.
 * Empty if there are none. Reads the whole file.
 *
 * @example
 * ```ts
 * import { checkSqlite } from 'api-discovery/sqlite'
 *
 * const problems = await checkSqlite('apis.db')
 * if (problems.length > 0) console.error(problems.join('\n'))
 * ```
 */
export async function checkSqlite(file: string): Promise<readonly string[]> {
  await requireFile(file, 'check')
  return withDatabase(file, (database) => {
    const found = database
      .prepare('pragma integrity_check')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
    const dangling = database.prepare('pragma foreign_key_check').all()
    return [
      ...found.filter((line) => line !== 'ok'),
      ...dangling.map(
        ({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`,
      ),
    ]
  })
}

async function withDatabase<T>(file: string, work: (database: DatabaseSync) => T): Promise<T> {
  const sqlite = await importNodeSqlite()
  let database: DatabaseSync | undefined
  try {
    const opened = new sqlite.DatabaseSync(file)
    database = opened
    return await retryBusy(async () => work(opened), { until: performance.now() + WAIT_MS })
  } catch (error) {
    throw toSqliteError(error)
  } finally {
    database?.close()
  }
}

async function requireFile(file: string, action: string): Promise<void> {
  try {
    await access(file)
  } catch (cause) {
    throw new ServiceError('not_found', `Cannot ${action} the database: file not found`, {
      cause,
    })
  }
}

/** Creates the file empty, so that only one of two concurrent backups to it succeeds. */
async function reserveTarget(target: string): Promise<void> {
  try {
    // `vacuum into` accepts an empty file; the mode restricts reading to the owner.
    const handle = await open(target, 'wx', 0o600)
    await handle.close()
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    throw new ServiceError(
      'conflict',
      exists
        ? 'Cannot back up the database: the target file already exists. Choose another name or remove it'
        : 'Cannot back up the database: the target file is not writable',
      { cause },
    )
  }
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/** Imports `node:sqlite`. Throws a `ServiceError` if this Node release does not provide it. */
async function importNodeSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite')
  } catch (error) {
    const reason = `node:sqlite needs Node 22.13 or newer, but this is Node ${process.versions.node}`
    throw createUnavailableError(reason, error)
  }
}
