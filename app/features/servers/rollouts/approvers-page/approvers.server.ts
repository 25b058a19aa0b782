import * as z from "zod/mini";
import { orUndefined } from "~/features/servers/fleets.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
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

const rows = z.object({
  needed: z.number(),
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
  const found = rows.safeParse(data);
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

/** Tells the workspace's servers Worker whose passkeys approve. It is repeated with the next change, and at each new token. */
export async function sendApprovers(scope: Scope): Promise<void> {
  const { context, workspace } = scope;
  if (!context.configuration.SERVERS_URL) return;
  const found = await read(scope);
  if (!found) return;
  const { origin } = relyingParty(context.configuration.SITE_URL);
  const keys = found.passkeys.map(({ person, address, credential, key, fingerprint }) => ({
    ...{ person, by: address, credential, key, fingerprint },
  }));
  await orUndefined(
    context.bindings.FLEETS.setApprovers(workspace.id, { needed: found.needed, origin, keys }),
  );
}
