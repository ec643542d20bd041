/** Credentials, policies, budgets, calls and recordings of the gateway. */
export const GATEWAY = `
create table gateway_credential (
  position bigint generated always as identity primary key, account_id text not null,
  id text not null, api_id bigint not null, vendor_id bigint not null, kind text not null,
  name text not null, folded_name text not null, origins text not null, token_url text not null,
  oauth_scope text not null, sealed text not null, created_at bigint not null,
  updated_at bigint not null, unique (account_id, id),
  unique (account_id, api_id, vendor_id, kind, folded_name)
);
create index gateway_credential_of_api on gateway_credential (api_id);
create table gateway_policy (
  account_id text not null, key_id text not null, vendor_ids text, api_ids text, methods text,
  daily_budget bigint, updated_at bigint not null, primary key (account_id, key_id)
);
create table gateway_budget (
  account_id text not null, key_id text not null, day text not null, taken bigint not null,
  granted bigint not null, primary key (account_id, key_id, day)
) without rowid;
create index gateway_budget_day on gateway_budget (day);
create table gateway_call (
  position bigint generated always as identity primary key, account_id text not null,
  key_id text not null, endpoint_id bigint not null, endpoint text not null,
  api_id bigint not null, method text not null, origin text not null, started_at bigint not null,
  status smallint not null, failure text not null, bytes bigint not null,
  ms double precision not null, source text not null
);
create index gateway_call_of_account on gateway_call (account_id, started_at, position);
create index gateway_call_started on gateway_call (started_at);
create index gateway_call_answers
  on gateway_call (account_id, endpoint_id, status) where failure = '';
create table gateway_call_day (
  account_id text not null, day bigint not null, calls bigint not null,
  primary key (account_id, day)
) without rowid;
-- The body is last, so that lists need not read past it.
create table gateway_recording (
  position bigint generated always as identity primary key, account_id text not null,
  id text not null, endpoint_id bigint not null, endpoint text not null, api_id bigint not null,
  recorded_at bigint not null, status smallint not null, headers text not null,
  media_type text not null, is_truncated smallint not null, body text, unique (account_id, id)
);
create index gateway_recording_of_account
  on gateway_recording (account_id, recorded_at, position);
create index gateway_recording_of_api on gateway_recording (api_id);
`
