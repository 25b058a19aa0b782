import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import { roleChanged } from "~/features/workspaces/roles";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { labelSchema } from "../connection-test/links.server";
import { readOrigins } from "./embed";

type Refusal = { ok: false; status: 400 | 403 | 404 | 503; message: string };

const refused = (status: Refusal["status"], message: string): Refusal => ({
  ...{ ok: false, status, message },
});
const unavailable = (what: string) =>
  refused(503, `The embedded test could not be ${what} right now. Please try again in a moment.`);

export type TypedEmbed = { label: string; origins: string; channel: string };

/** Allows pages of the customer's to frame the test of a deployment. */
export async function makeEmbed(
  { context, principal }: PrincipalScope,
  { id: target, workspaceId }: { id: string; workspaceId: string },
  typed: TypedEmbed,
): Promise<{ ok: true; id: string } | Refusal> {
  const label = labelSchema.safeParse(typed.label);
  if (!label.success) return refused(400, "Name the place in 1 to 80 characters, on one line.");
  const read = readOrigins(typed.origins);
  if ("refusal" in read) return refused(400, read.refusal);
  if (typed.channel !== "") {
    const webhooks = await webhooksOf(context.bindings, workspaceId);
    if (!webhooks) return unavailable("made");
    if (!webhooks.some(({ id }) => id === typed.channel)) {
      return refused(404, "This webhook is not there any more. Choose another one.");
    }
  }
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "make_connection_test_embed",
    {
      actor: principal.user.id,
      target,
      new_label: label.data,
      new_origins: read.origins,
      // The generated type does not know that it may be null.
      new_channel: (typed.channel || null) as string,
    },
  );
  if (error) return databaseFailed(error, "made");
  if (data) return { ok: true, id: data };
  return refused(403, "Five embedded tests of this deployment are open. End one of them first.");
}

/** Ends one at once: the page that frames it says so. What was found by it stays. */
export async function endEmbed(
  { context, principal }: PrincipalScope,
  deployment: string,
  embed: string,
): Promise<{ ok: true } | Refusal> {
  const unknown = refused(404, "This embedded test has ended already.");
  if (!z.uuid().safeParse(embed).success) return unknown;
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "end_connection_test_embed",
    { actor: principal.user.id, target: deployment, embed },
  );
  if (error) return databaseFailed(error, "ended");
  return data ? { ok: true } : unknown;
}

function databaseFailed(error: { code: string; message: string }, what: string): Refusal {
  if (isRoleRefusal(error)) return refused(403, roleChanged);
  log.error("An embedded connection test could not be written", describeError(error));
  return unavailable(what);
}

export type TestEmbed = {
  id: string;
  label: string;
  origins: string[];
  /** What the webhook that gets its results is called; undefined where there is none, or it was removed. */
  webhook?: string;
  isOpen: boolean;
};

export type Webhook = { id: string; title: string };

/** The webhooks of a workspace's alerts; undefined while they cannot be read. */
export async function webhooksOf(
  { FLEETS }: Pick<Env, "FLEETS">,
  workspace: string,
): Promise<Webhook[] | undefined> {
  try {
    const channels = (await FLEETS.channels(workspace)) ?? [];
    return channels.flatMap((channel) =>
      channel.kind === "webhook" ? [{ id: channel.id, title: channel.host }] : [],
    );
  } catch (error) {
    log.error("A workspace's webhooks were not reached", describeError(error));
  }
}

/** The embedded tests of a deployment, newest first; undefined when the database does not answer. */
export async function readEmbeds(
  supabase: SupabaseClient<Database>,
  deployment: string,
  webhooks: readonly Webhook[],
): Promise<TestEmbed[] | undefined> {
  const { data, error } = await supabase
    .from("connection_test_embeds")
    .select("id, label, origins, channel, ended_at")
    .eq("deployment_id", deployment)
    .order("created_at", { ascending: false })
    .limit(20);
  if (error) {
    log.error("Embedded connection tests could not be read", describeError(error));
    return;
  }
  return data.map(({ id, label, origins, channel, ended_at }) => {
    const webhook = webhooks.find((each) => each.id === channel)?.title;
    return { id, label, origins, isOpen: ended_at === null, ...(webhook ? { webhook } : {}) };
  });
}
