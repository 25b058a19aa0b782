import * as z from "zod/mini";
import { planQuotas } from "~/content/plans";
import { basicPriceIds } from "~/features/billing/prices/prices";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { savedServerRow } from "../pages/workspace-fleet.server";
import { approverRows, approversOf } from "../rollouts/approvers-page/approvers.server";

/**
 * How much one run does. Each fleet is asked once an hour, so 12,000 fit. A call by a binding is none of the 50 requests
 * of Cloudflare's free plan, but one of a thousand to its own services, and another is made over there.
 */
const fleetsPerRun = 200;
const forgottenPerRun = 20;
/** How many calls wait for an answer at once. */
const callsAtOnce = 6;

const row = z.object({
  slug: z.string(),
  name: z.string(),
  // The database of before does not say it.
  owner: z.nullish(z.string()),
  deployments: z.optional(
    z.record(
      z.string(),
      z.object({
        ...{ name: z.string(), provider: z.optional(z.string()), system: z.optional(z.string()) },
      }),
    ),
  ),
  plan: z.enum(["none", "basic", "pro"]),
  ended_at: z.nullable(z.string()),
  history_over: z.boolean(),
  // The database of before does not say it.
  paused: z.optional(z.boolean()),
});

/** What the database's function `fleet_facts` answers, in the form that the servers Worker takes. */
export const workspaceFacts = z.pipe(
  row,
  z.transform(
    ({ slug, name, owner, deployments, plan, ended_at, history_over, paused }): WorkspaceFacts => ({
      ...{ slug, name, servers: planQuotas[plan].servers },
      ...(owner ? { owner } : {}),
      ...(deployments ? { deployments } : {}),
      ...(ended_at === null ? {} : { endedAt: Date.parse(ended_at) }),
      ...(paused ? { isPaused: true } : {}),
      ...(history_over ? { isHistoryOver: true } : {}),
    }),
  ),
);

const due = z.object({
  open: z.array(
    z.object({
      workspace: z.string(),
      facts: workspaceFacts,
      deleted: z.array(z.string()),
      members: z.array(
        z.object({
          ...{ person: z.string(), address: z.nullable(z.string()) },
          // The database of before does not say it.
          connects: z.optional(z.boolean()),
        }),
      ),
      // The database of before does not say it, nor of a workspace that goes meanwhile.
      approvers: z.nullish(approverRows),
    }),
  ),
  closed: z.array(z.string()),
});

/**
 * Sends the fleets that are due what they cannot read, and records which servers they have; deletes the fleets whose
 * workspace is gone. It may be repeated, be cut off anywhere, or overlap with another run: the next run asks what did
 * not answer, and first what was not asked. Two requests to the database, one where nothing is due. Never throws.
 */
export async function updateFleets(
  configuration: Configuration,
  { FLEETS }: Pick<Env, "FLEETS">,
): Promise<void> {
  const database = serviceClient(configuration);
  const { data, error } = await database.rpc("due_fleets", {
    at_most: fleetsPerRun,
    closed_at_most: forgottenPerRun,
    basic_prices: basicPriceIds(configuration),
  });
  const read = due.safeParse(data);
  if (error || !read.success) {
    log.error(
      "Workspaces' servers were not updated from the database",
      describeError(error ?? read.error),
    );
    return;
  }
  const { open, closed } = read.data;
  if (open.length + closed.length === 0) return;
  const updated = await all(open, async ({ workspace, facts, deleted, members, approvers }) => {
    const approving = approvers ? approversOf(approvers, configuration) : undefined;
    const servers = await FLEETS.update(workspace, facts, deleted, members, approving);
    return servers.map((server) => savedServerRow(workspace, server));
  });
  const forgotten = await all(closed, async (workspace) => {
    await FLEETS.forget(workspace);
    return workspace;
  });
  const missed = [...updated.notCalled, ...updated.failed];
  const count = missed.length + forgotten.notCalled.length + forgotten.failed.length;
  const reason = updated.reason ?? forgotten.reason;
  if (count > 0) log.error("Fleets did not answer", { fleets: count, ...describeError(reason) });
  const settled = await database.rpc("settle_fleets", {
    known: updated.answers.flat(),
    forgotten: forgotten.answers,
    missed: missed.map(({ workspace }) => workspace),
  });
  // What is not noted is due again in an hour, and a closed fleet in five minutes.
  if (settled.error) log.error("What fleets answered was not noted", describeError(settled.error));
}

/** What the calls answer, and which of them failed or were not made; `reason`: why the last of these failed. */
async function all<Item, Answer>(
  items: readonly Item[],
  call: (item: Item) => Promise<Answer>,
): Promise<{ answers: Answer[]; failed: Item[]; notCalled: readonly Item[]; reason: unknown }> {
  const answers: Answer[] = [];
  const failed: Item[] = [];
  let reason: unknown;
  for (let first = 0; first < items.length; first += callsAtOnce) {
    const next = first + callsAtOnce;
    const called = items.slice(first, next);
    const settled = await Promise.allSettled(called.map(call));
    for (const [at, each] of settled.entries()) {
      if (each.status === "fulfilled") answers.push(each.value);
      else {
        failed.push(...called.slice(at, at + 1));
        reason = each.reason;
      }
    }
    // While nobody answers the rest would only wait as well.
    if (settled.every(({ status }) => status === "rejected")) {
      return { answers, failed, notCalled: items.slice(next), reason };
    }
  }
  return { answers, failed, notCalled: [], reason };
}
