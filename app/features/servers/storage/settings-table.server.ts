/** A value that a fleet keeps by a name of its own; undefined before it was first kept. Only this Worker writes them. */
export function settingIn<Value>(sql: SqlStorage, name: string): Value | undefined {
  const [row] = sql
    .exec<{ value: string }>("select value from settings where name = ?", name)
    .toArray();
  return row && (JSON.parse(row.value) as Value);
}

export function keepSetting(sql: SqlStorage, name: string, value: unknown): void {
  sql.exec(
    "insert into settings (name, value) values (?, ?) on conflict do update set value = excluded.value",
    ...[name, JSON.stringify(value)],
  );
}
