import * as z from "zod/mini";
import { trialRefusals } from "~/content/trial";
import type { AttemptLimit } from "~/features/auth/attempt-limit.server";
import { failureOf } from "~/features/auth/auth-errors.server";
import { networkCounts, takeAttempts } from "~/features/auth/network-attempts.server";
import type { Principal, RequestScope } from "~/features/auth/session/session.server";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import type { AppContext } from "~/http/app-context";
import { allotmentOf } from "~/http/network";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

const hour = 60 * 60;

/**
 * How many trials begin in an hour: from one network, from a /48 of IPv6, which may be one customer's, from all that a
 * provider was allotted with it, and in all. No such block of addresses uses up what is for all: it takes five, which
 * somebody with machines in a large cloud has.
 */
const ofNetwork: AttemptLimit = { kind: "trial", maxAttempts: 5, seconds: hour };
const ofPrefix48: AttemptLimit = { kind: "trial-48", maxAttempts: 20, seconds: hour };
const ofAllotment: AttemptLimit = { kind: "trial-allotment", maxAttempts: 60, seconds: hour };
const ofAll: AttemptLimit = { kind: "trial-all", maxAttempts: 300, seconds: hour };

/** What a trial begins with. The domains are nobody's. */
const seeds = [
  { name: "Production", domain: "live.example.com" },
  { name: "Staging", domain: "staging.example.com" },
];

const begun = z.object({
  workspace: z.string(),
  ends_at: z.string(),
  deployments: z.tuple([z.string(), z.string()]),
});

type TrialRefusal = { ok: false; status: 429 | 503; message: string };

const refused = (why: keyof typeof trialRefusals): TrialRefusal => ({
  ok: false,
  status: why === "unavailable" ? 503 : 429,
  message: trialRefusals[why],
});

/**
 * Makes a workspace with simulated servers for a day, for an anonymous account that is signed in for it. Whoever is in a
 * trial already, which `principal` says, comes back to that one; what failed at one press is made at the next.
 */
export async function startTrial(
  scope: RequestScope,
  principal: Principal | undefined,
): Promise<{ ok: true } | TrialRefusal> {
  const { configuration, bindings, caller } = scope.context;
  // Without the hostname of machines the console shows no servers.
  if (!configuration.SERVERS_URL) return refused("unavailable");
  const visitor = principal ? { ok: true as const, id: principal.user.id } : await signIn(scope);
  if (!visitor.ok) return visitor;
  const { data, error } = await serviceClient(configuration, caller).rpc("begin_trial", {
    person: visitor.id,
    seeds: seeds.map(({ name, domain }) => ({ name, options: optionsOf(domain) })),
  });
  const trial = begun.safeParse(data);
  if (!trial.success) {
    log.error("A trial was not made", describeError(error ?? trial.error));
    return refused("unavailable");
  }
  const { workspace, ends_at, deployments } = trial.data;
  const [production, staging] = deployments;
  try {
    await bindings.FLEETS.beginTrial(workspace, Date.parse(ends_at), { production, staging });
  } catch (error) {
    log.error("The servers of a trial were not made", describeError(error));
    return refused("unavailable");
  }
  return { ok: true };
}

function optionsOf(domain: string) {
  const { options } = parseOptions({ domain, email: `ops@${domain}` });
  if (!options) throw new Error("The options of a trial's deployment are wrong");
  return options;
}

async function signIn({
  context,
  session,
}: RequestScope): Promise<{ ok: true; id: string } | TrialRefusal> {
  const limited = await overLimit(context);
  if (limited) return limited;
  const { data, error } = await Promise.race([
    session.supabase.auth.signInAnonymously(),
    session.outage.then((error) => ({ data: { user: null }, error })),
  ]);
  if (data.user) {
    log.info("A trial began");
    return { ok: true, id: data.user.id };
  }
  // The auth server's own limit, and that it lets in nobody anonymous, are among its refusals: both are logged.
  const isLimited = error !== null && failureOf(error, "").status === 429;
  return refused(isLimited ? "limit" : "unavailable");
}

/** Counts a trial that is to begin, by its network first: who is refused there does not use up what is for all. */
async function overLimit(context: AppContext): Promise<TrialRefusal | undefined> {
  const allotment = allotmentOf(context.caller.address ?? "") ?? "unknown";
  const [ofAllotmentNow, ofAllNow] = [inThisHour(ofAllotment), inThisHour(ofAll)];
  const exceeded = await takeAttempts(context, [
    ...networkCounts(context, ofNetwork, ofPrefix48).counts,
    [allotment, ofAllotmentNow],
    ["everybody", ofAllNow],
  ]);
  if (!exceeded) return;
  if (exceeded === "unknown") return refused("unavailable");
  log.warn("A limit was exceeded", { limit: exceeded.kind });
  return refused(exceeded === ofAllNow ? "busy" : "limit");
}

/**
 * The limit for this hour of the clock. The count of a limit starts again an hour after the last attempt, and where many
 * begin trials there is always one within the hour.
 */
function inThisHour(limit: AttemptLimit): AttemptLimit {
  return { ...limit, kind: `${limit.kind} ${Math.floor(Date.now() / (hour * 1_000))}` };
}
