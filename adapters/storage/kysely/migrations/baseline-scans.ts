/** Scans, their rows, review decisions, and counts of their usages. */
export const SCANS = `
create table scan (
  position bigint generated always as identity primary key, account_id text not null,
  id text not null, kind text not null, group_key text not null, project_name text not null,
  folded_project text not null, network_name text not null, folded_network text not null,
  started_at bigint not null, ended_at bigint, status text not null, state smallint not null,
  review_status text not null, is_approved text not null, reviewed_by text not null,
  reviewed_at bigint, generation bigint not null, matching bigint not null,
  analyzed_at bigint not null, row_count bigint not null, matched_count bigint not null,
  next_part bigint not null, touched_at bigint not null, former bigint, detail text not null,
  unique (account_id, id)
);
create index scan_of_account on scan (account_id, kind, state, started_at, position);
create index scan_of_group on scan (account_id, group_key, started_at, position);
create index scan_touched on scan (state, touched_at);
create table scan_upload (
  account_id text not null, scan bigint not null, part bigint not null,
  touched_at bigint not null, primary key (account_id, scan, part)
) without rowid;
create index scan_upload_touched on scan_upload (touched_at);
create table scan_part (
  account_id text not null, scan bigint not null, part bigint not null, digest text not null,
  row_count bigint not null, matched_count bigint not null, primary key (account_id, scan, part)
) without rowid;
create table scan_key (
  account_id text not null, name text not null, scan bigint not null, part bigint not null,
  primary key (account_id, name)
) without rowid;
create index scan_key_of_scan on scan_key (account_id, scan);
create table scan_row (
  account_id text not null, scan bigint not null, place bigint not null, api_id bigint not null,
  endpoint_id bigint, confidence double precision, method text not null,
  subject_digest bigint not null, subject text not null, owner text not null,
  detail text not null, primary key (account_id, scan, place)
) without rowid;
create index scan_row_of_api on scan_row (account_id, scan, api_id, place);
create index scan_row_of_subject on scan_row (account_id, scan, subject_digest, method, place);
create table scan_api (
  account_id text not null, scan bigint not null, api_id bigint not null,
  primary key (account_id, scan, api_id)
) without rowid;
create table scan_decision (
  account_id text not null, scan bigint not null, subject_digest bigint not null,
  method text not null, subject text not null, approval text not null, reason text not null,
  decided_by text not null, decided_at bigint not null,
  primary key (account_id, scan, subject_digest, method)
) without rowid;
create table scan_use (
  account_id text not null, scan bigint not null, part bigint not null,
  subject_digest bigint not null, method text not null, other_digest bigint not null,
  place bigint not null, api_id bigint not null, standing smallint not null,
  row_count bigint not null, outgoing bigint not null, first_at bigint not null,
  last_at bigint not null, address text not null, files bigint not null, owner text not null,
  primary key (account_id, scan, part, subject_digest, method, other_digest)
) without rowid;
create index scan_use_order
  on scan_use (account_id, scan, part, standing, api_id, place, row_count);
create index scan_use_address
  on scan_use (account_id, scan, part, address, row_count) where address <> '';
create index scan_use_group
  on scan_use (account_id, scan, part, api_id, owner, standing, place, row_count);
create table scan_figure (
  account_id text not null, scan bigint not null, api_id bigint not null,
  standing smallint not null, uses bigint not null, row_count bigint not null,
  primary key (account_id, scan, api_id, standing)
) without rowid;
create table scan_group (
  account_id text not null, scan bigint not null, api_id bigint not null, owner text not null,
  level smallint not null, standing smallint not null, uses bigint not null,
  row_count bigint not null, added bigint not null, added_open bigint not null,
  open bigint not null, refused bigint not null, approved bigint not null,
  primary key (account_id, scan, api_id, owner)
) without rowid;
create index scan_group_order
  on scan_group (account_id, scan, standing, level, uses desc, api_id, owner);
create index scan_group_refused
  on scan_group (account_id, scan, standing, level, uses desc, api_id, owner, refused)
  where refused > 0;
create index scan_group_approved
  on scan_group (account_id, scan, standing, level, uses desc, api_id, owner, approved)
  where approved > 0;
`
