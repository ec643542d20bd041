import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { createSqliteEngine } from '../../adapters/storage/kysely/sqlite-engine.ts'
import { openKyselyStorage } from '../../adapters/storage/kysely/storage.ts'

/** Opens an in-memory storage that records its statements and explains their query plans. */
export async function openNoting(clock: () => number) {
  const database = new DatabaseSync(':memory:')
  const noted = new Set<string>()
  const toInput = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  const connection = {
    prepare(sql: string) {
      const statement = database.prepare(sql)
      noted.add(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters: readonly unknown[]) => statement.all(...toInput(parameters)),
        run: (parameters: readonly unknown[]) => statement.run(...toInput(parameters)),
        iterate: (parameters: readonly unknown[]) => statement.iterate(...toInput(parameters)),
      }
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
  const engine = await createSqliteEngine({
    writer: { ...connection, dialect: new SqliteDialect({ database: connection }) },
    reader: undefined,
  })
  const explain = (sql: string) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => null))
      .map((step) => String(step.detail))
  return { storage: await openKyselyStorage(engine, clock), engine, noted, explain }
}
