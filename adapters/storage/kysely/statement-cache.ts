/** Prepared statements by their SQL, the most recently used ones. */
export interface StatementCache<Statement> {
  prepare(sql: string): Statement
  /** Lets go of all of them. */
  clear(): void
}

/** Keeps prepared statements for reuse; `release` is told of each that is kept no longer. */
export function cacheStatements<Statement>(
  prepare: (sql: string) => Statement,
  release: (statement: Statement) => void = () => undefined,
): StatementCache<Statement> {
  const kept = new Map<string, Statement>()
  let newest: Statement | undefined
  let newestSql: string | undefined

  function drop(sql: string, statement: Statement): void {
    kept.delete(sql)
    release(statement)
  }

  return {
    prepare(sql) {
      if (sql === newestSql && newest !== undefined) return newest
      const statement = kept.get(sql) ?? prepare(sql)
      kept.delete(sql)
      kept.set(sql, statement)
      newest = statement
      newestSql = sql
      if (kept.size > MAX_STATEMENTS) {
        for (const [oldest, unused] of kept) {
          drop(oldest, unused)
          break
        }
      }
      return statement
    },

    clear() {
      newestSql = undefined
      for (const [sql, statement] of kept) drop(sql, statement)
    },
  }
}

const MAX_STATEMENTS = 200
