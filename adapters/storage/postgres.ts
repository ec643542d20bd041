import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { ServiceError } from '../../core/errors.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'
import { cleanParameters } from './kysely/clean-text.ts'
import type { Engine } from './kysely/engine.ts'
import { createUnavailableError, createUnexpectedError } from './kysely/errors.ts'
import { type Guard, guardDialect } from './kysely/guarded-dialect.ts'
import { openKyselyStorage } from './kysely/storage.ts'
import type { Tables } from './kysely/tables.ts'
import { finishTransaction, runStatement } from './kysely/transaction.ts'

/**
 * Opens a storage in a PostgreSQL database with UTF-8 encoding, and migrates its schema; needs no
 * extension. Throws a `ServiceError` if the server does not respond or the schema is newer than
 * this release. Back it up with `pg_dump`.
 *
 * @example
 * ```ts
 * import { createApiDiscovery } from 'api-discovery'
 * import { openPostgres } from 'api-discovery/postgres'
 *
 * const url = process.env.DATABASE_URL ?? 'postgres://127.0.0.1/apis'
 * const storage = await openPostgres({ url, maxConnections: 20 })
 * const app = createApiDiscovery({ storage })
 * ```
 */
export async function openPostgres(options: {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** Maximum number of pooled connections; default 10. */
  readonly maxConnections?: number
  /** Clock for the end times of versions; default: the system's clock. */
  readonly clock?: Clock
  /** Called with the versions of the schema before and after; `from` is 0 for a new database. */
  readonly onMigrated?:
    | ((versions: { readonly from: number; readonly to: number }) => void)
    | undefined
}): Promise<FullStorage> {
  const { url, maxConnections = 10, clock = Date.now, onMigrated } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types: { getTypeParser },
  })
  // The pool drops broken idle connections; a query on a broken connection rejects.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const engine = createPostgresEngine(pool)
  try {
    await requireUtf8(pool)
  } catch (error) {
    await engine.close()
    throw error
  }
  return openKyselyStorage(engine, clock, onMigrated)
}

/** Timeouts of a connection attempt and of a lock. */
const CONNECT_MS = 5_000
const LOCK_MS = 10_000

/** Attempts of a transaction that the server rolled back, for example because of a deadlock. */
const MAX_TRIES = 5

const INT8 = 20

function createPostgresEngine(pool: pg.Pool): Engine {
  const dialect = guardDialect(new PostgresDialect({ pool }), mapPostgresErrors)
  const db = new Kysely<Tables>({ dialect })
  let isClosed = false
  let prepared = 0
  return {
    kind: 'postgres',
    db,

    prepare<Row>(build: Parameters<Engine['prepare']>[0]) {
      const text = build(db).compile().sql
      prepared += 1
      const name = `hot${prepared}`
      return async (parameters) => {
        const values = [...cleanParameters(parameters)]
        const { rows } = await mapPostgresErrors(() => pool.query({ name, text, values }))
        // The query's own type defines its rows.
        return rows as Row[]
      }
    },

    async write(work) {
      for (let tries = 1; ; tries += 1) {
        if (isClosed) throw createUnavailableError('it is closed')
        try {
          return await db.connection().execute(async (connection) => {
            await runStatement(connection, BEGIN)
            return finishTransaction(connection, work)
          })
        } catch (error) {
          if (tries === MAX_TRIES || !isRolledBack(error)) throw error
        }
      }
    },

    async close() {
      if (isClosed) return
      isClosed = true
      await pool.end()
    },
  }
}

const BEGIN = `begin isolation level read committed; set local lock_timeout = ${LOCK_MS}`

/** Parses 64-bit integers as numbers: all stored values are below 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format)
}

const mapPostgresErrors: Guard = async (attempt) => {
  try {
    return await attempt()
  } catch (error) {
    throw toPostgresError(error)
  }
}

async function requireUtf8(pool: pg.Pool): Promise<void> {
  const { rows } = await mapPostgresErrors(() => pool.query<{ encoding: string }>(ENCODING))
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  throw new ServiceError(
    'storage_unavailable',
    `Cannot open the storage: the database encoding must be UTF8, not ${encoding}`,
  )
}

const ENCODING = `select current_setting('server_encoding') as encoding`

/** Converts an error of `pg` to a `ServiceError`. */
function toPostgresError(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  const code = getErrorCode(error)
  const reason =
    code === undefined ? undefined : (REASONS.get(code) ?? REASONS.get(code.slice(0, 2)))
  if (reason !== undefined) return createUnavailableError(reason, error)
  return LOST_CONNECTION.test(error.message)
    ? createUnavailableError(NO_SERVER, error)
    : createUnexpectedError(error)
}

/**
 * Returns whether the server rolled a transaction back because of a concurrent one (class 40), so
 * that it may be retried. False if it may have been committed (40003).
 */
function isRolledBack(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error
  const code = cause instanceof Error ? getErrorCode(cause) : undefined
  return code?.startsWith('40') === true && code !== '40003'
}

const NO_SERVER = 'the database server does not respond'

/** SQLSTATEs and their classes (PostgreSQL appendix A), and socket errors. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['08', NO_SERVER],
  ['57P01', NO_SERVER],
  ['57P02', NO_SERVER],
  ['57P03', NO_SERVER],
  ['57P05', NO_SERVER],
  ['ECONNREFUSED', NO_SERVER],
  ['ECONNRESET', NO_SERVER],
  ['ECONNABORTED', NO_SERVER],
  ['EPIPE', NO_SERVER],
  ['ETIMEDOUT', NO_SERVER],
  ['ENOTFOUND', NO_SERVER],
  ['EAI_AGAIN', NO_SERVER],
  ['EHOSTUNREACH', NO_SERVER],
  ['ENETUNREACH', NO_SERVER],
  ['ENOENT', NO_SERVER],
  ['25006', 'the database server is read-only'],
  ['28', 'the database server rejected the user or password'],
  ['3D000', 'the database does not exist'],
  ['40', 'a concurrent transaction changed the same rows'],
  ['53', 'the database server is out of disk space, memory or connections'],
  ['55P03', 'another process has locked the database'],
])

/** Messages of `pg` and its pool for lost connections without a code. */
const LOST_CONNECTION =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection error|after calling end|socket|ended/i

/**
 * Returns the error code. If all addresses of a host refuse the connection, the codes are in an
 * `AggregateError`.
 */
function getErrorCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string') return code
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  return first instanceof Error ? getErrorCode(first) : undefined
}
