import { invitationToken } from "../../../../app/features/workspaces/invitation-token.ts";
import { readConfiguration } from "../../../../app/platform/env/configuration.server.ts";
import { database } from "../../database/database.ts";
import { siteVariables } from "../../site/variables.ts";

/** Somebody invites an address into their team as a viewer. Answers the invitation's id. */
export async function invite(actor: string, workspace: string, address: string): Promise<string> {
  const new_id = crypto.randomUUID();
  await database
    .rpc("invite", {
      actor,
      workspace,
      new_id,
      new_address: address,
      new_role: "viewer",
      allowed: 100,
    })
    .throwOnError();
  return new_id;
}

/** Where the form of an invitation's first mail is posted to. */
export async function invitationAddress(id: string): Promise<string> {
  const reading = readConfiguration(siteVariables);
  if (!reading.ok) throw new Error(reading.problems.join());
  const token = await invitationToken({ id, send: 1 }, reading.configuration);
  return `/invitation.data?${new URLSearchParams({ token })}`;
}
