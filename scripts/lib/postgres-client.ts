import postgres from "postgres";

export type PostgresOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** One connection, which holds what was set in its session. */
export interface PostgresClient {
  /** Without parameters, `sql` may hold several statements; answers the rows of the last one. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<{ rows: Row[] }>;
  end(): Promise<void>;
}

/** JSON that comes as text is JSON already. */
const jsonType = (oid: number) => ({
  to: oid,
  from: [oid],
  serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
  parse: (text: string) => JSON.parse(text),
});

export const jsonTypes = { json: jsonType(114), jsonb: jsonType(3802) };

/** Opens a connection. One that was lost stays lost: a new one would be outside of the transaction. */
export async function openPostgresClient({
  types,
  ...options
}: PostgresOptions): Promise<PostgresClient> {
  let isLost = false;
  const connection = postgres({
    ...options,
    max: 1,
    max_lifetime: null,
    onnotice() {},
    onclose() {
      isLost = true;
    },
    types: { ...jsonTypes, ...types },
  });
  const client: PostgresClient = {
    async query<Row>(sql: string, parameters?: unknown[]) {
      if (isLost) throw new Error("The connection to the database was lost.");
      const answer: unknown[] = parameters
        ? await connection.unsafe(sql, parameters)
        : await connection.unsafe(sql).simple();
      // Several statements answer a list of rows each.
      const last = answer.at(-1);
      return { rows: [...(Array.isArray(last) ? last : answer)] as Row[] };
    },
    end: () => connection.end(),
  };
  await client.query("select");
  return client;
}
