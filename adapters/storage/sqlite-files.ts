import { access, open, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { ServiceError } from '../../core/http/problems.ts'
import { retryBusy, toSqliteError, WAIT_MS } from './kysely/sqlite-errors.ts'

/**
 * Writes a consistent copy of a database, live or not, into a new file. Blocks the event loop as
 * long as it copies: meant for a process of its own, like a command. Throws a `ServiceError` when
 * there is no such database or the target exists. What is sealed in the copy needs the service's
 * secret, which is not in it.
 */
export async function backupSqlite(files: {
  readonly source: string
  readonly target: string
}): Promise<void> {
  await refuseMissing(files.source, 'back up')
  await reserve(files.target)
  try {
    await inspect(files.source, (database) => database.prepare('vacuum into ?').run(files.target))
    await flush(files.target)
    const problems = await checkSqlite(files.target)
    if (problems.length > 0) throw new Error(problems.join('; '))
  } catch (error) {
    await rm(files.target, { force: true })
    throw toSqliteError(error)
  }
}

/**
 * What is wrong with a database file: broken pages, indexes that miss rows, references to rows that
 * are not there. Empty when it is sound. Reads the whole file.
 */
export async function checkSqlite(file: string): Promise<readonly string[]> {
  await refuseMissing(file, 'check')
  return inspect(file, (database) => {
    const found = database
      .prepare('pragma integrity_check')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
    const dangling = database.prepare('pragma foreign_key_check').all()
    return [
      ...found.filter((line) => line !== 'ok'),
      ...dangling.map(({ table, parent }) => `a row of ${table} refers to none of ${parent}`),
    ]
  })
}

async function inspect<T>(file: string, work: (database: DatabaseSync) => T): Promise<T> {
  let database: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(file)
    database = opened
    return await retryBusy(async () => work(opened), { until: performance.now() + WAIT_MS })
  } catch (error) {
    throw toSqliteError(error)
  } finally {
    database?.close()
  }
}

async function refuseMissing(file: string, action: string): Promise<void> {
  try {
    await access(file)
  } catch (cause) {
    throw new ServiceError('not_found', `Cannot ${action} the database: there is no such file`, {
      cause,
    })
  }
}

/** Makes the file, empty, so that of two backups into one file only one goes on. */
async function reserve(target: string): Promise<void> {
  try {
    // `vacuum into` takes an empty file, and only the owner may read what it gets.
    const handle = await open(target, 'wx', 0o600)
    await handle.close()
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    throw new ServiceError(
      'conflict',
      exists
        ? 'Cannot back up the database: the target exists already'
        : 'Cannot back up the database: the target cannot be written',
      { cause },
    )
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}
