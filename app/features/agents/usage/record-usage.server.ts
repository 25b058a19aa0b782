import * as z from "zod/mini";
import type { AgentCaller } from "~/features/agents/api/caller.server";
import { problem } from "~/features/agents/api/problem";
import { basicPriceIds } from "~/features/billing/prices/prices";
import type { AppContext } from "~/http/app-context";
import { higherQuotaHint, whoHasPlan } from "~/platform/database/quotas";
import { log } from "~/platform/log/log.server";
import type { Report } from "./reports.server";

const recorded = z.object({
  recorded: z.number(),
  duplicates: z.number(),
  allowances: z.array(z.object({ identity: z.string(), remaining: z.number() })),
});

const ofPlan = { plan: z.enum(["none", "basic", "pro"]), quota: z.number() };
const refused = z.discriminatedUnion("refused", [
  z.object({ refused: z.literal("busy") }),
  z.object({ refused: z.literal("daily_events"), ...ofPlan }),
  z.object({
    refused: z.literal("daily_identities"),
    ...ofPlan,
    over: z.array(z.object({ place: z.number(), day: z.string() })),
  }),
]);
type Refused = z.output<typeof refused>;

/** Every answer explains allowances in these words, for the developer of an agent. */
const atZero =
  "Usage is still recorded when an allowance is spent, and remaining stays 0. Stop serving an identity whose remaining is 0 until its allowance is raised. An identity that is not listed has no allowance, and no limit.";

/** Records the reports for the token's workspace, each event once. Beyond a quota it records none of them. */
export async function recordUsage(
  { configuration }: AppContext,
  { database, tokenHash }: AgentCaller,
  { value: reports, pointerTo }: { value: readonly Report[]; pointerTo: (index: number) => string },
) {
  const { data, error } = await database.rpc("report_token_usage", {
    hash: tokenHash,
    reports: [...reports],
    basic_prices: basicPriceIds(configuration),
  });
  if (error) return { state: "unavailable", error } as const;
  if (data === null) return { state: "unknown" } as const;
  const beyond = refused.safeParse(data);
  if (beyond.success) {
    log.warn("A quota was reached", { quota: beyond.data.refused });
    return { state: "refused", refusal: refusalOf(beyond.data, pointerTo, new Date()) } as const;
  }
  const answer = { ...recorded.parse(data), at_zero: atZero };
  return { state: "recorded", answer } as const;
}

/** The answer to a call that would go beyond a quota: which quota it is, and what the agent can do. */
function refusalOf(beyond: Refused, pointerTo: (index: number) => string, now: Date): Response {
  const code = beyond.refused;
  if (code === "busy") {
    const detail =
      "Two calls of this account are being recorded already. Nothing of this one was. Send the same again in a second.";
    return problem(429, detail, { code, headers: { "retry-after": "1" } });
  }
  const { plan, quota } = beyond;
  const more = higherQuotaHint(plan);
  const many = quota.toLocaleString("en-US");
  if (code === "daily_events") {
    const detail = `${whoHasPlan(plan)} records at most ${many} events on a day (UTC), and with this call they would be more. Nothing of it was recorded. Send fewer, or the same after midnight UTC. ${more}`;
    const headers = { "retry-after": String(Math.min(secondsOfDayLeft(now), maxPause)) };
    return problem(429, detail, { code, headers });
  }
  const detail = `${whoHasPlan(plan)} keeps at most ${many} identities of a day. Nothing was recorded: \`errors\` names the reports beyond that. Leave them out, or report them under an identity that they share. ${more}`;
  const errors = beyond.over.map(({ place: index, day }) => ({
    pointer: `${pointerTo(index)}/identity`,
    detail: `${day} has its ${many} identities.`,
  }));
  return problem(403, detail, { code, errors });
}

/** In seconds: an agent that waits no longer than an hour notices that its owner bought a larger plan. */
const maxPause = 3_600;

function secondsOfDayLeft(now: Date): number {
  return Math.ceil((new Date(now).setUTCHours(24, 0, 0, 0) - now.getTime()) / 1_000);
}
