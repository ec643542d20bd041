/** A cache of the most recently used prepared statements, by SQL. */
export interface StatementCache<Statement> {
  prepare(sql: string): Statement
  /** Removes all statements. */
  clear(): void
}

/** Creates a cache of prepared statements; `release` is called for each evicted statement. */
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
