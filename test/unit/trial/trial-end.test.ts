import { expect, test } from "vitest";
import type { Session } from "~/features/auth/session/session.server";
import { trialEnd } from "~/features/trial/trial-end.server";

const end = "2026-11-28T12:00:00+00:00";
const sessionWith = (answer: { data: string | null; error: Error | null }, isTrial = true) =>
  ({
    visitor: async () => ({ state: "signed-in", isTrial }),
    supabase: { rpc: async () => answer },
  }) as unknown as Session;
const endOf = (ends: string | null, now: string, isTrial?: boolean) =>
  trialEnd(sessionWith({ data: ends, error: null }, isTrial), () => Date.parse(now));

test("a trial has an end until that is past; then it is over, and not at a past moment", async () => {
  expect(await endOf(end, "2026-11-28T11:59:59Z")).toEqual({ endsAt: end });
  expect(await endOf(end, "2026-11-28T12:00:00Z")).toEqual({ endsAt: null });
  expect(await endOf(end, "2026-11-28T12:09:00Z")).toEqual({ endsAt: null });
  expect(await endOf(null, "2026-11-28T11:00:00Z")).toEqual({ endsAt: null });
  expect(await endOf(end, "2026-11-28T11:00:00Z", false)).toBeUndefined();
});

test("whose end cannot be read is in a trial all the same, by their token; nobody else is", async () => {
  const unread = { data: null, error: new Error("The database does not answer") };
  expect(await trialEnd(sessionWith(unread))).toEqual({});
  expect(await trialEnd(sessionWith(unread, false))).toBeUndefined();
});
