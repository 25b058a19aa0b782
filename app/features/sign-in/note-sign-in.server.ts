import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * Notes a sign-in whose second factor was just given in the audit logs of the workspaces that the person shares. Nobody
 * waits for it, and no sign-in fails with it.
 */
export function noteSignIn(context: AppContext, person: string): void {
  context.waitUntil(note(context, person));
}

async function note({ configuration, caller }: AppContext, person: string): Promise<void> {
  const { error } = await serviceClient(configuration, caller).rpc("note_sign_in", { person });
  if (error) log.error("A sign-in was not noted", describeError(error));
}
