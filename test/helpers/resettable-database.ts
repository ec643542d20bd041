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
  await client.query(REMEMBER)
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

const REMEMBER = `
  create schema first_state;

  create function first_state.remember() returns void language plpgsql as $$
  declare
    name text;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('create table first_state.%1$I as table public.%1$I', name);
    end loop;
  end $$;

  create function first_state.restore() returns void language plpgsql as $$
  declare
    name text;
    is_used boolean;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('select exists (select from public.%1$I union all select from first_state.%1$I)', name)
        into is_used;
      continue when not is_used;
      execute format('delete from public.%I', name);
      execute format('insert into public.%1$I overriding system value table first_state.%1$I', name);
    end loop;
    for name in select sequencename from pg_sequences where schemaname = 'public' loop
      execute format('alter sequence public.%I restart', name);
    end loop;
  end $$;

  select first_state.remember()
`
