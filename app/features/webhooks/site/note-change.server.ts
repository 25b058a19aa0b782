import type { ServiceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/** What the audit log calls each change of a webhook; the content of its page has words for them. */
export const webhookActions = [
  "webhook.added",
  "webhook.changed",
  "webhook.tested",
  "webhook.secret-changed",
  "webhook.disabled",
  "webhook.enabled",
  "webhook.removed",
  "webhook.event-repeated",
] as const;

/** What it calls that nothing arrived for so long that a webhook was switched off. */
export const failedAction = "webhook.failed";

export type WebhookAudit = {
  action: (typeof webhookActions)[number];
  /** The host of its address. */
  target: string;
  targetId?: string;
  before?: Record<string, string>;
  after?: Record<string, string>;
};

/**
 * Writes the line of the audit log before the change, so that no change is missing there; from the first one on the
 * workspace's lines wait for its webhooks. The database checks again that the actor may: a member, or a token by its id.
 */
export async function noteWebhookChange(
  database: ServiceClient,
  { actor, workspace }: { actor: string; workspace: string },
  { targetId, ...line }: WebhookAudit,
): Promise<"noted" | "not allowed" | "unavailable"> {
  const { data, error } = await database.rpc("note_webhook_change", {
    ...{ actor, workspace, ...line },
    ...(targetId ? { target_id: targetId } : {}),
  });
  if (error) {
    log.error("A change of a webhook was not noted", describeError(error));
    return "unavailable";
  }
  return data ? "noted" : "not allowed";
}
