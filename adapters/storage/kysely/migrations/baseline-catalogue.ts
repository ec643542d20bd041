/** Vendors, APIs, endpoints, their agreements and the search index. */
export const CATALOGUE = `
create table catalogue_state (
  id bigint primary key, generation bigint not null, changed_at bigint not null,
  purged bigint not null, next_vendor_id bigint not null, next_api_id bigint not null,
  next_endpoint_id bigint not null
);
insert into catalogue_state
  (id, generation, changed_at, purged, next_vendor_id, next_api_id, next_endpoint_id)
  values (1, 0, 0, 0, 1, 1, 1);
create table catalogue_generation (generation bigint primary key, started_at bigint not null);
create table vendor (
  id bigint primary key, encrypted_id text not null unique, name text not null,
  folded_name text not null unique, homepage text not null, host text not null,
  description text not null, words text not null, is_public smallint not null,
  image text not null, countries text not null, created_at bigint not null
);
create table vendor_agreement (
  vendor_id bigint not null references vendor (id), position bigint not null, name text not null,
  link text not null, kind text not null, primary key (vendor_id, position)
) without rowid;
create table api (
  row_id bigint primary key, id bigint not null, since bigint not null, until bigint,
  encrypted_id text not null, vendor_id bigint not null references vendor (id),
  name text not null, folded_name text not null, major_version text not null,
  version text not null, category_id bigint, is_public smallint not null,
  is_implemented smallint not null, is_claiming smallint not null, can_claim smallint not null,
  is_agreements_restricted smallint not null, is_described smallint not null,
  source_digest text not null, created_at bigint not null, updated_at bigint not null,
  detail text not null
);
create unique index api_version on api (id, since);
create unique index api_current_identity
  on api (vendor_id, folded_name, major_version) where until is null;
create unique index api_current_encrypted_id on api (encrypted_id) where until is null;
create index api_current_name on api (folded_name, id) where until is null;
create index api_added on api (created_at desc, id);
create index api_ended on api (until) where until is not null;
create table api_source (
  api_id bigint primary key, media_type text not null, digest text not null, bytes bytea not null
);
create table api_import (api_id bigint primary key, imported_at bigint not null) without rowid;
create table component (
  api_id bigint not null, pointer text not null, json text not null, primary key (api_id, pointer)
);
create table endpoint (
  row_id bigint primary key, id bigint not null, since bigint not null, until bigint,
  api_id bigint not null, short_id text not null, digest bigint not null, key text not null,
  key_digest bigint not null, method text not null, path text not null, url text not null,
  description text not null, is_inbound smallint not null, is_deprecated smallint not null
);
create unique index endpoint_version on endpoint (id, since);
create unique index endpoint_current_short_id on endpoint (short_id) where until is null;
create unique index endpoint_current_key on endpoint (api_id, key_digest) where until is null;
create index endpoint_ended on endpoint (until) where until is not null;
create index endpoint_counted
  on endpoint (api_id, is_inbound, is_deprecated) where until is null;
create table endpoint_detail (
  row_id bigint primary key references endpoint (row_id), servers text not null,
  detail text not null
);
create table search_posting (
  term text not null, api_id bigint not null, weight double precision not null,
  endpoints bytea not null, primary key (term, api_id)
) without rowid;
create index search_posting_of_api on search_posting (api_id, term);
create table search_version (
  api_id bigint primary key, version smallint not null
) without rowid;
create table agreement (
  api_id bigint not null, source smallint not null, position bigint not null, kind text not null,
  name text not null, link text not null, spdx_id text not null, text_digest text not null,
  text_size bigint not null, retrieved_at bigint, account_id text not null,
  account_name text not null, first_seen_at bigint not null, changed_at bigint not null,
  primary key (api_id, source, position)
) without rowid;
create table agreement_text (
  api_id bigint not null, digest text not null, text text not null, primary key (api_id, digest)
);
create table agreement_change (
  position bigint generated always as identity primary key, api_id bigint not null,
  changed_at bigint not null, change text not null, source smallint not null,
  account_id text not null, account_name text not null, before text not null, after text not null
);
create index agreement_change_of_api on agreement_change (api_id, changed_at);
create index agreement_change_at on agreement_change (changed_at, api_id);
create table published_answer (
  api_id bigint not null, endpoint text not null, status smallint not null, headers text not null,
  media_type text not null, published_at bigint not null, body text,
  primary key (api_id, endpoint)
);
`
