import type { PostgresClient } from "../../../scripts/lib/postgres-client.ts";
import { processOf, untilItWaits } from "./debian-postgres.ts";

type Statement = [sql: string, parameters: unknown[]];

/**
 * Runs two statements in transactions of their own: the second begins before the first ends, and waits for it. Answers
 * the second's rows, or the message of its error.
 */
export async function runAtOnce(
  [first, second]: readonly [PostgresClient, PostgresClient],
  /** `next` is what the first does while the second waits. */
  [one, other, next]: [one: Statement, other: Statement, next?: Statement],
): Promise<unknown> {
  const process = await processOf(second);
  await first.query("begin");
  await first.query(...one);
  const answer = second.query(...other).then(
    ({ rows }) => rows,
    (error: Error) => error.message,
  );
  try {
    await untilItWaits(first, process);
    if (next) await first.query(...next);
  } finally {
    await first.query("commit");
  }
  return answer;
}
