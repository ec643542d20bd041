/** A cache of the most recently used prepared statements, by SQL. */
export interface StatementCache<Statement> {
  prepare(sql: string): Statement
  /** Removes all statements. */
  clear(): void
}

/** Creates a cache of prepared statements; `release` is called for each evicted statement. */
export function createStatementCache<Statement>(
  prepare: (sql: string) => Statement,
  release: (statement: Statement) => void = () => undefined,
): StatementCache<Statement> {
  const statements = new Map<string, Statement>()
  let newest: Statement | undefined
  let newestSql: string | undefined

  function evict(sql: string, statement: Statement): void {
    statements.delete(sql)
    release(statement)
  }

  return {
    prepare(sql) {
      if (sql === newestSql && newest !== undefined) return newest
      const statement = statements.get(sql) ?? prepare(sql)
      statements.delete(sql)
      statements.set(sql, statement)
      newest = statement
      newestSql = sql
      if (statements.size > MAX_STATEMENTS) {
        for (const [oldest, unused] of statements) {
          evict(oldest, unused)
          break
        }
      }
      return statement
    },

    clear() {
      newestSql = undefined
      for (const [sql, statement] of statements) evict(sql, statement)
    },
  }
}

const MAX_STATEMENTS = 200
