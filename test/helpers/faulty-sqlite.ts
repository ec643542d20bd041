import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteDialect } from 'kysely'
import { createSqliteEngine } from '../../adapters/storage/kysely/sqlite-engine.ts'
import { openKyselyStorage } from '../../adapters/storage/kysely/storage.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { FullStorage } from '../../core/ports/storage.ts'

/** A storage whose n-th write call from now fails like a broken disk. */
export async function openFaultySqlite(
  file: string,
  clock: Clock = () => 1_000,
): Promise<{
  readonly storage: FullStorage
  /** If undefined, no call fails. */
  readonly failAt: (call: number | undefined) => void
}> {
  let callsLeft = Number.POSITIVE_INFINITY
  const connect = (beforeCall: (sql: string) => void) => {
    const database = new DatabaseSync(file)
    const connection = {
      prepare(sql: string) {
        const statement = database.prepare(sql)
        const call = <T>(run: () => T): T => {
          beforeCall(sql)
          return run()
        }
        // The stores bind only values that SQLite supports.
        const input = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
        return {
          reader: statement.columns().length > 0,
          all: (parameters: readonly unknown[]) => call(() => statement.all(...input(parameters))),
          run: (parameters: readonly unknown[]) => call(() => statement.run(...input(parameters))),
          iterate: (parameters: readonly unknown[]) => statement.iterate(...input(parameters)),
        }
      },
      close: () => {
        if (database.isOpen) database.close()
      },
    }
    return { ...connection, dialect: new SqliteDialect({ database: connection }) }
  }
  const engine = await createSqliteEngine({
    writer: connect((sql) => {
      if (sql === 'rollback') return
      callsLeft -= 1
      if (callsLeft === 0) throw Object.assign(new Error('disk I/O error'), { errcode: 10 })
    }),
    reader: connect(() => undefined),
  })
  return {
    storage: await openKyselyStorage(engine, clock),
    failAt(call: number | undefined) {
      callsLeft = call ?? Number.POSITIVE_INFINITY
    },
  }
}
