import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Storage } from '../../core/index.ts'
import { UsageError } from './errors.ts'

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

/** Opens a database and brings its schema up to date. Drivers are loaded only when needed. */
export async function openDatabase(address: DatabaseAddress): Promise<Storage> {
  if (address.kind === 'postgres') {
    const { openPostgres } = await import('../storage/postgres.ts')
    return openPostgres({ url: address.url })
  }
  if (address.file !== ':memory:') await mkdir(dirname(address.file), { recursive: true })
  const { openSqlite } = await import('../storage/sqlite.ts')
  return openSqlite({ file: address.file })
}
