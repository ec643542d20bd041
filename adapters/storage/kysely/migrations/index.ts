import { ACCOUNTS } from './baseline-accounts.ts'
import { CATALOGUE } from './baseline-catalogue.ts'
import { GATEWAY } from './baseline-gateway.ts'
import { SCANS } from './baseline-scans.ts'
import { VULNERABILITIES } from './baseline-vulnerabilities.ts'

/** One step of the schema. Never changed after a release, except by further migrations. */
export interface Migration {
  readonly name: string
  /**
   * SQL statements, each with a semicolon at the end of a line; run in one transaction with the row
   * of the version. They use the types of PostgreSQL, and `without rowid` of SQLite for tables that
   * are read by primary key only.
   */
  readonly statements: string
  /** More statements on PostgreSQL. */
  readonly onPostgres?: string
}

/** Schema version after the first migration. Earlier versions were never released. */
export const FIRST_VERSION = 17

/** All migrations in order, each with the schema version after the previous one. */
export const migrations: readonly Migration[] = [
  {
    name: 'baseline',
    statements: CATALOGUE + VULNERABILITIES + ACCOUNTS + GATEWAY + SCANS,
    // The core compresses the parts itself: the server would attempt it in vain.
    onPostgres: 'alter table cve_part alter column bytes set storage external;\n',
  },
  {
    name: 'clients of gateway calls',
    statements: "alter table gateway_call add column client text not null default '';\n",
  },
  {
    name: 'kinds of APIs',
    statements: `alter table api add column kind text not null default 'http';
drop index api_current_identity;
create unique index api_current_identity
  on api (vendor_id, folded_name, major_version, kind) where until is null;
`,
  },
]
