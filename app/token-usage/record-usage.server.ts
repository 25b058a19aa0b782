import * as z from "zod/mini";
import type { Caller } from "~/agent-api/caller.server";
import type { Report } from "./reports.server";

const recorded = z.object({
  recorded: z.number(),
  duplicates: z.number(),
  allowances: z.array(z.object({ identity: z.string(), remaining: z.number() })),
});

/** What every answer says about allowances, so that an agent's author need not look it up. */
const atZero =
  "Usage is still recorded when an allowance is spent, and remaining stays 0. Stop serving an identity whose remaining is 0 until its allowance is raised. An identity that is not listed has no allowance, and no limit.";

/** Records reports of the token's owner, each event once. */
export async function recordUsage({ database, tokenHash }: Caller, reports: readonly Report[]) {
  const { data, error } = await database.rpc("record_token_usage", {
    hash: tokenHash,
    reports: [...reports],
  });
  if (error) return { state: "unavailable", error } as const;
  if (data === null) return { state: "unknown" } as const;
  const answer = { ...recorded.parse(data), at_zero: atZero };
  return { state: "recorded", answer } as const;
}
