import { expect } from "vitest";
import { database } from "../database/database.ts";
import { inParallel } from "../site/in-parallel.ts";
import { pollUntil } from "../site/poll.ts";
import type { Visitor } from "../site/visitor.ts";
import { changeOwn, newTokenOf, report, reportOf } from "./agent.ts";

/**
 * Ten agents of a customer post the same event so many times, three at a time, as two calls of an account are recorded at
 * once: it counts once.
 */
export async function expectOneCount(owner: Visitor, posts: number): Promise<void> {
  const names = Array.from({ length: 10 }, (_, place) => `Agent ${place}`);
  const tokens = await Promise.all(names.map((name) => newTokenOf(owner, name)));
  await changeOwn(owner, { intent: "set-allowance", identity: "ada", tokens: "1000" });
  /** As an agent does it: what the site cannot serve, or not while two other calls are recorded, is sent again. */
  const send = (token: string) =>
    pollUntil(
      () => report(token, reportOf("event_1")),
      ({ status }) => status !== 503 && status !== 429,
      60_000,
    );
  const places = Array.from({ length: posts }, (_, place) => place);
  const recorded = await inParallel(places, 3, async (place) => {
    const response = await send(tokens[place % 10] ?? "");
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.any(String)]);
    const answer = JSON.parse(text) as { recorded: number };
    expect(answer).toMatchObject({
      duplicates: 1 - answer.recorded,
      allowances: [{ identity: "ada", remaining: 840 }],
    });
    return answer.recorded;
  });
  // Of an event whose first answer was given up everybody hears that it is a duplicate.
  expect([[], [1]]).toContainEqual(recorded.filter((count) => count !== 0));
  const { data: events } = await database.from("token_usage_events").select("event_id");
  expect(events).toEqual([{ event_id: "event_1" }]);
  const { data } = await database.from("token_usage_days").select("responses, total_tokens");
  expect(data).toEqual([{ responses: 1, total_tokens: 160 }]);
}
