/** Accounts, keys, users, reports of imports, the job queue, and budgets of rate-limit tests. */
export const ACCOUNTS = `
create table account (
  position bigint generated always as identity primary key, id text not null unique,
  name text not null, folded_name text not null unique, created_at bigint not null
);
create table api_key (
  position bigint generated always as identity primary key, id text not null,
  account_id text not null references account (id), name text not null, hint text not null,
  hash text not null unique, sealed text not null, scopes text not null,
  created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint,
  unique (account_id, id)
);
create table key_refusal (
  key_id text not null, operation text not null, reason text not null, account_id text not null,
  refused bigint not null, last_at bigint not null, primary key (key_id, operation, reason)
) without rowid;
create index key_refusal_of_account on key_refusal (account_id, last_at);
create index key_refusal_by_age on key_refusal (last_at);
create table console_user (
  position bigint generated always as identity primary key, id text not null unique,
  account_id text not null references account (id), name text not null,
  folded_name text not null unique, scopes text not null, password_hash text not null,
  created_at bigint not null, last_login_at bigint
);
create index console_user_of_account on console_user (account_id, position);
create table user_session (
  token_hash text primary key,
  user_id text not null references console_user (id) on delete cascade,
  created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null
) without rowid;
create index user_session_of_user on user_session (user_id);
create table user_invitation (
  position bigint generated always as identity primary key, id text not null unique,
  token_hash text not null unique, user_id text references console_user (id) on delete cascade,
  account_id text not null references account (id), scopes text not null,
  created_at bigint not null, expires_at bigint not null
);
create index user_invitation_of_user on user_invitation (user_id) where user_id is not null;
create table import_report (
  position bigint generated always as identity primary key, imported_at bigint not null,
  account_id text not null, account_name text not null, file_name text not null,
  vendor_name text not null, api_id text not null, api_name text not null,
  is_failed smallint not null, outcome text not null
);
create index import_report_of_account on import_report (account_id, position);
create index import_report_done on import_report (imported_at) where is_failed = 0;
create table job (
  position bigint generated always as identity primary key, kind text not null,
  account_id text not null, number bigint not null, subject text not null,
  lock_name text not null, needs text not null, state text not null, claim_at bigint,
  fence bigint not null, attempts bigint not null, max_attempts bigint not null,
  is_cancelled smallint not null, created_at bigint not null, due_at bigint not null,
  started_at bigint, ended_at bigint, failure text not null, summary text not null,
  input text not null, checkpoint text not null, result text not null
);
create index job_claim on job (claim_at, position) where claim_at is not null;
create unique index job_lock on job (lock_name) where claim_at is not null and lock_name <> '';
create index job_of_subject on job (account_id, kind, subject, position);
create unique index job_of_number on job (account_id, kind, number);
create index job_open on job (account_id, position) where claim_at is not null;
create index job_of_state on job (state, kind);
create index job_ended on job (ended_at) where ended_at is not null;
create table job_number (
  account_id text not null, kind text not null, newest bigint not null,
  primary key (account_id, kind)
) without rowid;
create table probe_token (
  account_id text primary key, token text not null, created_at bigint not null
) without rowid;
create table probe_day (
  scope text not null, name text not null, day text not null, taken bigint not null,
  primary key (scope, name, day)
) without rowid;
create table probe_run (
  job_id bigint primary key references job (position) on delete cascade, budget bigint not null,
  taken bigint not null
) without rowid;
`
