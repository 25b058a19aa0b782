import * as z from "zod/mini";

export type StoredRow = { id: string; record: string };

const list = z.custom<unknown[]>(Array.isArray);

/** What every record of a table has, and what is looked at without asking whether it is there. */
const shapes = {
  servers: z.object({
    ...{ id: z.string(), deployment: z.string(), name: z.string(), keyHash: z.string() },
    ...{ machine: z.string(), instance: z.string(), enrolledAt: z.number() },
    ...{ refused: list, boots: list, changes: list },
    bucket: z.object({ left: z.number(), at: z.number() }),
    report: z.optional(
      z.object({
        ...{ stages: list, findings: list, services: list, certificates: list, addresses: list },
        metrics: z.object({}),
      }),
    ),
  }),
  incidents: z.object({
    ...{ id: z.string(), server: z.string(), openedAt: z.number(), causes: list },
    ...{ told: z.number(), untold: z.number() },
  }),
  channels: z.object({ id: z.string(), kind: z.string(), madeAt: z.number() }),
  deliveries: z.object({
    ...{ id: z.string(), channel: z.string(), items: list },
    ...{ due: z.number(), from: z.number(), tries: z.number() },
  }),
} as const;

/** The unreadable rows that were logged since an object was started. */
const logged = new WeakMap<SqlStorage, Set<string>>();

/**
 * The records of a table's rows, each JSON that this Worker wrote as a `Stored`. One that cannot be read is logged and
 * left out, so that it does not stop what is done for all others.
 */
export function storedRecords<Stored>(
  sql: SqlStorage,
  table: keyof typeof shapes,
  rows: Iterable<StoredRow>,
): Stored[] {
  return [...rows].flatMap(({ id, record }) => {
    const parsed = parse(record);
    if (shapes[table].safeParse(parsed).success) return [parsed as Stored];
    logOnce(sql, table, id);
    return [];
  });
}

function parse(record: string): unknown {
  try {
    return JSON.parse(record);
  } catch {
    return;
  }
}

function logOnce(sql: SqlStorage, table: string, id: string): void {
  const known = logged.get(sql) ?? new Set();
  logged.set(sql, known);
  const name = `${table} ${id}`;
  if (known.has(name)) return;
  known.add(name);
  const message = "A row of a fleet cannot be read and is left out";
  console.error(JSON.stringify({ level: "error", message, table, row: id }));
}
