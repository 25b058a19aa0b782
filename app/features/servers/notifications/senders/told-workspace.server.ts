import type { Message } from "~/features/servers/notifications/channel";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts";
import { channelSettings } from "./settings.server";

/** How messages call a workspace, and where its pages are. Without facts of it that is whoever reads them. */
export function toldWorkspace(
  env: object,
  facts: WorkspaceFacts | undefined,
): Message["workspace"] {
  const site = `${channelSettings(env)?.SITE_URL ?? ""}/dashboard`;
  return facts
    ? { name: facts.name, address: `${site}/w/${facts.slug}` }
    : { name: "your workspace", address: site };
}
