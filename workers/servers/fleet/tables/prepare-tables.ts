// What a fleet keeps. Without row ids a row that is written counts once, its key included.
const tables = `
  create table if not exists tokens (
    hash text primary key, deployment text not null, version integer not null, domain text,
    uses integer not null, used integer not null, ends integer not null, revoked integer not null
  ) without rowid;
  create table if not exists servers (
    id text primary key, number integer not null, token_hash text not null, key_hash text not null,
    record text not null
  ) without rowid;
  create table if not exists quarters (
    server integer, quarter integer, minutes blob not null, primary key (server, quarter)
  ) without rowid;
  create table if not exists days (id integer primary key, quarters blob not null);
  create table if not exists incidents (
    id text primary key, server text not null, opened integer not null, closed integer, record text not null
  ) without rowid;
  create table if not exists channels (id text primary key, record text not null) without rowid;
  create table if not exists deliveries (
    id text primary key, due integer not null, channel text not null, record text not null
  ) without rowid;
  create table if not exists closed (who text primary key, at integer not null) without rowid;
  create table if not exists settings (name text primary key, value text not null) without rowid;`;

/** Makes the tables that are missing. It is run whenever an object starts, so that new ones reach the fleets that are there. */
export function prepareTables(sql: SqlStorage): void {
  sql.exec(tables);
  const columns = sql.exec<{ name: string }>("select name from pragma_table_info('tokens')");
  if (columns.toArray().every(({ name }) => name !== "domain")) {
    sql.exec("alter table tokens add column domain text");
  }
}
