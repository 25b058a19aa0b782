import { expect, test } from "vitest";
import { findMerged, sendMerged } from "~/features/google/mail/merge-operations.server";
import type { Google } from "~/features/google/tools/google-api.server";

const id = "0f8c1a52-7d3e-4b6f-9a10-2c4d5e6f7a8b";
const startedAt = Date.parse("2026-11-21T12:00:00Z");
const email = "customer.one@example.com";

/** A mailbox whose sent messages, newest first, carry these marks, all since the merge began. */
function mailbox(marks: readonly string[]): Google {
  const messages = marks.map((mark, at) => ({
    id: `m${at}`,
    threadId: `t${at}`,
    internalDate: String(startedAt + 1_000 * (marks.length - at)),
    payload: { headers: mark ? [{ name: "X-Mail-Merge-Id", value: mark }] : [] },
  }));
  return {
    email,
    now: new Date(startedAt),
    async call({ path, query, answer }) {
      const one = messages.find((message) => path.endsWith(`/messages/${message.id}`));
      const listed = messages.slice(0, Number(query?.maxResults));
      return { ok: true, body: answer.parse(one ?? { messages: listed }) };
    },
  };
}

async function find(row: number, marks: readonly string[]) {
  const form = { id, row: String(row), since: String(startedAt), from: email };
  return findMerged(new URLSearchParams(form), mailbox(marks));
}

const marksOf = (last: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${id}.${last - at}`);

test("a message that did not leave in the middle of a long merge is surely not sent", async () => {
  expect(await find(140, marksOf(139, 139))).toMatchObject({
    result: { sent: false, sure: true },
  });
  expect(await find(140, marksOf(140, 140))).toMatchObject({ result: { sent: true } });
});

test("behind too much other mail nobody can say whether it left", async () => {
  const others = Array.from({ length: 100 }, () => "");
  expect(await find(140, [...others, ...marksOf(139, 139)])).toMatchObject({
    result: { sent: false, sure: false },
  });
});

test("a merge goes on with the Google account that it was begun with, and no other", async () => {
  const form = { id, row: "1", since: String(startedAt), from: "customer.two@example.com" };
  for (const operation of [findMerged, sendMerged]) {
    expect(await operation(new URLSearchParams(form), mailbox([]))).toMatchObject({
      ok: false,
      status: 409,
      message: expect.stringContaining("begun with customer.two@example.com"),
    });
  }
});
