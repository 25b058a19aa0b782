/** The database inside the embedded server, as far as the fake uses it. */
export interface Database {
  query<Row>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
  exec(sql: string): Promise<unknown>;
}

/** Local data that this checkout cannot use. The message is for people. */
export class UnusableData extends Error {}
