import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Storage } from '../../core/index.ts'
import { CommandError, UsageError } from './errors.ts'

/** Where data is kept when nothing is said. */
export const DEFAULT_DATABASE = 'sqlite:.data/api-discovery.db'

/** A database as the command line names it. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** Reads `sqlite:FILE`, `postgres://…` or the name of a file. Throws a `UsageError`. */
export function parseDatabase(text: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: text }
  const file = text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : text
  if (file === '' || /^[a-z][a-z0-9+-]+:\/\//i.test(file)) {
    throw new UsageError(
      `Cannot open the database "${text.replace(/\/\/.*@/, '//…@')}": it must be sqlite:FILE or postgres://…`,
    )
  }
  return { kind: 'sqlite', file: file === ':memory:' ? file : resolve(file) }
}

/**
 * Opens a database and brings its schema up to date. Drivers are loaded only when needed. With
 * `mustExist`, an SQLite file that is not there is a `CommandError`, since nothing can be in it.
 */
export async function openDatabase(
  address: DatabaseAddress,
  options: { readonly mustExist?: boolean; readonly onWait?: () => void } = {},
): Promise<Storage> {
  if (address.kind === 'postgres') {
    const { openPostgres } = await loadPostgres()
    return openPostgres({ url: address.url })
  }
  refuseMissing(address, options)
  if (address.file !== ':memory:') await mkdir(dirname(address.file), { recursive: true })
  const { openSqlite } = await import('../storage/sqlite.ts')
  const { onWait } = options
  try {
    return await openSqlite({ file: address.file, ...(onWait ? { onWait } : {}) })
  } catch (error) {
    throw nameFile(error, address.file)
  }
}

/** Throws a `CommandError` for an SQLite file that must be there and is not. */
export function refuseMissing(
  address: DatabaseAddress,
  { mustExist }: { readonly mustExist?: boolean },
): void {
  if (!mustExist || address.kind !== 'sqlite' || address.file === ':memory:') return
  if (existsSync(address.file)) return
  throw new CommandError(
    `Cannot open ${address.file}: there is no such database; "migrate", "import", "sync" and "serve" make one`,
  )
}

/** A storage does not know how its file is called to the operator. */
function nameFile(error: unknown, file: string): unknown {
  const [, reason] =
    /^Cannot use the storage: (.*)/s.exec(error instanceof Error ? error.message : '') ?? []
  return reason === undefined
    ? error
    : new CommandError(`Cannot open the database ${file}: ${reason}`)
}

/** The driver is an optional peer of the package. */
async function loadPostgres() {
  try {
    return await import('../storage/postgres.ts')
  } catch (error) {
    const isMissing = error instanceof Error && /['"]pg['"]/.test(error.message)
    if (!isMissing) throw error
    throw new CommandError('Cannot open PostgreSQL: its driver is not installed; run "npm i pg"')
  }
}
