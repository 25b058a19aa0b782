import { expect, test } from "vitest";
import type { Session } from "~/features/auth/session/session.server";
import { trialEnd } from "~/features/trial/trial-end.server";

const end = "2026-11-28T12:00:00+00:00";
const endOf = (ends: string | null, now: string, isTrial = true) =>
  trialEnd(
    {
      visitor: async () => ({ state: "signed-in", isTrial }),
      supabase: { rpc: async () => ({ data: ends, error: null }) },
    } as unknown as Session,
    () => Date.parse(now),
  );

test("a trial has an end until that is past; then it is over, and not at a past moment", async () => {
  expect(await endOf(end, "2026-11-28T11:59:59Z")).toEqual({ endsAt: end });
  expect(await endOf(end, "2026-11-28T12:00:00Z")).toEqual({ endsAt: null });
  expect(await endOf(end, "2026-11-28T12:09:00Z")).toEqual({ endsAt: null });
  expect(await endOf(null, "2026-11-28T11:00:00Z")).toEqual({ endsAt: null });
  expect(await endOf(end, "2026-11-28T11:00:00Z", false)).toBeUndefined();
});
