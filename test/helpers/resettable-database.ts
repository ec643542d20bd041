import pg from 'pg'

/** A database that can be reset to its initial rows. */
export interface ResettableDatabase {
  readonly url: string
  /** Restores all rows and sequences. There must be no concurrent writes. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Stores the rows of a small database, such as an unused schema. */
export async function createResettableDatabase(url: string): Promise<ResettableDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ readonly name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  )
  const { rows: sequences } = await client.query<{ readonly name: string; readonly start: string }>(
    `select quote_literal(format('public.%I', sequencename)) as name, start_value as start
     from pg_sequences where schemaname = 'public'`,
  )
  const statements = [
    ...tables.map(({ name }) => restoreTable(name)),
    // Unlike `alter sequence … restart`, this writes no new file.
    ...sequences.map(({ name, start }) => `perform setval(${name}, ${start}, false);`),
  ]
  await client.query(`
    create schema first_state;
    ${tables.map(({ name }) => `create table first_state.${name} as table public.${name};`).join('\n')}
    create function first_state.restore() returns void language plpgsql as $$
    begin ${statements.join('\n')} end $$`)
  // Rows are inserted in any order: foreign keys are not checked.
  await client.query('set session_replication_role = replica')
  return {
    url,
    async reset() {
      await client.query('select first_state.restore()')
    },
    close: () => client.end(),
  }
}

/** Static statements, whose plans the session caches. */
function restoreTable(name: string): string {
  return `
    if exists (select from public.${name}) or exists (select from first_state.${name}) then
      delete from public.${name};
      insert into public.${name} overriding system value table first_state.${name};
    end if;`
}
