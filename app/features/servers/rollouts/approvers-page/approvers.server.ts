import * as z from "zod/mini";
import { orUndefined } from "~/features/servers/fleets.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import type { Approvers } from "../approvers.server";
import { relyingParty } from "../relying-party";

/** A passkey that approves rollouts of a workspace. */
export type ListedPasskey = {
  id: string;
  person: string;
  address: string;
  name: string;
  credential: string;
  fingerprint: string;
  madeAt: string;
  usedAt: string | null;
};

/** What the database's function `approvers_of` answers. */
export const approverRows = z.object({
  ...{ needed: z.number(), revision: z.number() },
  passkeys: z.array(
    z.object({
      ...{ id: z.string(), person: z.string(), address: z.string(), name: z.string() },
      ...{ credential: z.string(), key: z.string(), fingerprint: z.string() },
      ...{ made_at: z.string(), used_at: z.nullable(z.string()) },
    }),
  ),
});

type Scope = { context: AppContext; workspace: { id: string } };

async function read({ context, workspace }: Scope) {
  const database = serviceClient(context.configuration, context.caller);
  const { data, error } = await database.rpc("approvers_of", { workspace: workspace.id });
  const found = approverRows.safeParse(data);
  if (found.success) return found.data;
  log.error("The approvers of a workspace were not read", describeError(error ?? found.error));
}

/** The passkeys of a workspace, and how many people must approve; undefined while they cannot be read. */
export async function readApprovers(
  scope: Scope,
): Promise<{ needed: number; passkeys: ListedPasskey[] } | undefined> {
  const found = await read(scope);
  return (
    found && {
      needed: found.needed,
      passkeys: found.passkeys.map(({ key: _, made_at, used_at, ...rest }) => ({
        ...{ ...rest, madeAt: made_at, usedAt: used_at },
      })),
    }
  );
}

/** The same in the form that the servers Worker takes. */
export function approversOf(
  { needed, revision, passkeys }: z.infer<typeof approverRows>,
  { SITE_URL }: Pick<Configuration, "SITE_URL">,
): Approvers {
  const keys = passkeys.map(({ person, address, credential, key, fingerprint }) => ({
    ...{ person, by: address, credential, key, fingerprint },
  }));
  return { needed, origin: relyingParty(SITE_URL).origin, keys, revision };
}

/**
 * Tells the workspace's servers Worker whose passkeys approve, and answers whether it heard. Where it did not, the fleet is
 * due with the next run of the cron, which says it again until it has.
 */
export async function sendApprovers(scope: Scope): Promise<boolean> {
  const { context, workspace } = scope;
  const { configuration } = context;
  if (!configuration.SERVERS_URL) return true;
  const found = await read(scope);
  const sent =
    found && context.bindings.FLEETS.setApprovers(workspace.id, approversOf(found, configuration));
  if (sent && (await orUndefined(sent.then(() => true)))) return true;
  const missed = { known: [], forgotten: [], missed: [workspace.id] };
  const { error } = await serviceClient(configuration, context.caller).rpc("settle_fleets", missed);
  if (error) log.error("A fleet that was not reached is not due at once", describeError(error));
  return false;
}
