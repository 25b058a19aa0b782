import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/** The storage of an object in memory, by Node's SQLite, which takes the same SQL. */
export function sqliteStorage(): SqlStorage {
  const database = new DatabaseSync(":memory:");
  const exec = (query: string, ...values: SQLInputValue[]) => {
    if (/^\s*create/.test(query)) {
      database.exec(query);
      return { toArray: () => [] };
    }
    const rows = database.prepare(query).all(...values);
    return { toArray: () => rows, [Symbol.iterator]: () => rows.values() };
  };
  return { exec } as unknown as SqlStorage;
}
