import { keySecrets } from "~/features/servers/ingest/credentials.server";
import { newTicket, type PageSession } from "~/features/servers/live/endpoint.server";

/** The fleet of a workspace that the site has found its caller to be a member of. */
export function fleetOf(env: ServersEnv, workspace: string) {
  return env.FLEETS.getByName(workspace);
}

/** With which the page of a session opens its socket; `now` in milliseconds since 1970. */
export function ticketOf(
  env: ServersEnv,
  workspace: string,
  pageSession: PageSession,
  now: number,
): Promise<string> {
  return newTicket(keySecrets(env), { workspace, ...pageSession }, now);
}
