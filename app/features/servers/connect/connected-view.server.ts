import type { AppContext } from "~/http/app-context";
import { orUndefined } from "../fleets.server";
import { layoutWords } from "../layout/layout";
import { serverLine } from "../pages/server-details.server";
import type { ServerView } from "../pages/server-view";
import { clusterCommands, connectCommand, sessionsCommand } from "./connect-command";

/** The servers without a deployment that are connected, newest first. */
export function connectedServers(servers: readonly ServerView[]) {
  return servers
    .filter(({ deployment, retiredAt }) => deployment === undefined && retiredAt === undefined)
    .map((view) => ({
      ...serverLine(view),
      found: view.layout && layoutWords(view.layout, view.release),
    }));
}

/** The script with its hash and the command that fetches and runs it; undefined while it cannot be read. */
export async function readConnectScript({
  bindings,
  configuration: { SERVERS_URL },
}: Pick<AppContext, "bindings" | "configuration">) {
  if (!SERVERS_URL) return;
  const { BUNDLES } = bindings;
  // A servers Worker that is one version older has no manifest.
  const [script, manifest] = await Promise.all([
    orUndefined(BUNDLES.connectScript()),
    orUndefined(BUNDLES.connectManifest()),
  ]);
  return (
    script && {
      ...script,
      command: connectCommand(SERVERS_URL, script.sha256),
      manifest: manifest && { ...manifest, ...clusterCommands(SERVERS_URL, manifest.sha256) },
    }
  );
}

/** What installs the program that takes LiveKit's events; undefined while its hash cannot be read. */
export async function readSessionsCommand({
  bindings,
  configuration: { SERVERS_URL },
}: Pick<AppContext, "bindings" | "configuration">) {
  if (!SERVERS_URL) return;
  const sha256 = await orUndefined(bindings.BUNDLES.sessionsHash());
  return sha256 && sessionsCommand(SERVERS_URL, sha256);
}
