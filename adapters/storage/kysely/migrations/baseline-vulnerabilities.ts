/** CVE records, the parts of their index, and the lease of the loader. */
export const VULNERABILITIES = `
create table cve_state (
  id bigint primary key, generation bigint not null, changed_at bigint not null,
  next_row_id bigint not null, first_row_id bigint not null, load_token text not null,
  load_source text not null, load_began_at bigint not null, load_beat_at bigint not null
);
insert into cve_state
  (id, generation, changed_at, next_row_id, first_row_id,
    load_token, load_source, load_began_at, load_beat_at)
  values (1, 0, 0, 1, 1, '', '', 0, 0);
create table cve_generation (
  generation bigint primary key, published_at bigint not null, manifest text not null,
  sets text not null
);
create table cve_dropped (
  generation bigint not null, number bigint not null, row_ids text not null,
  primary key (generation, number)
);
create table cve_set (
  set_id bigint not null, name text not null, primary key (set_id, name)
) without rowid;
-- Uses row IDs on SQLite: with the bytes in the tree of the key, reads take three times as long.
create table cve_part (
  set_id bigint not null, name text not null, number bigint not null, bytes bytea not null,
  primary key (set_id, name, number)
);
create table cve_record (row_id bigint primary key, line text not null, products text not null);
-- Separate, so that reading many lines reads fewer pages.
create table cve_detail (row_id bigint primary key, detail text not null);
create table cve_source (name text primary key, checkpoint text not null, loaded_at bigint);
`
