/** Keeps prepared statements by their SQL, the most recently used ones. */
export function cacheStatements<Statement>(
  prepare: (sql: string) => Statement,
): (sql: string) => Statement {
  const kept = new Map<string, Statement>()
  return (sql) => {
    const known = kept.get(sql)
    if (known !== undefined) {
      kept.delete(sql)
      kept.set(sql, known)
      return known
    }
    const statement = prepare(sql)
    kept.set(sql, statement)
    if (kept.size > MAX_STATEMENTS) {
      for (const oldest of kept.keys()) {
        kept.delete(oldest)
        break
      }
    }
    return statement
  }
}

const MAX_STATEMENTS = 200
