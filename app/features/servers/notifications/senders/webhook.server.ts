import type { Channel, Message, Sent } from "~/features/servers/notifications/channel";
import { checkWebhookAddress } from "~/features/servers/notifications/webhook-address";
import { post } from "./ask.server";
import { refusedName } from "./public-name.server";
import type { ChannelSettings } from "./settings.server";
import { webhookBody } from "./webhook-body.server";
import { signatureHeaders } from "./webhook-signature.server";

type Webhook = Extract<Channel, { kind: "webhook" }>;

/**
 * Sends a message to a customer's own address, signed by Standard Webhooks. Where its name leads is looked at right
 * before, so that a name which was changed since then does not lead into a private network.
 */
export async function sendWebhook(
  { SITE_URL, DNS_API_URL, WEBHOOK_TEST_ORIGIN }: ChannelSettings,
  { url, secret }: Webhook,
  message: Message,
): Promise<Sent> {
  const rules = { siteUrl: SITE_URL, testOrigin: WEBHOOK_TEST_ORIGIN };
  const checked = checkWebhookAddress(url, rules);
  if ("refusal" in checked) return { ok: false, retry: false, reason: checked.refusal };
  const { hostname, origin } = new URL(checked.url);
  if (origin !== WEBHOOK_TEST_ORIGIN) {
    const refused = await refusedName(DNS_API_URL, hostname);
    if (refused) return refused;
  }
  const body = webhookBody(message);
  const headers = await signatureHeaders(secret, { id: message.id, at: Date.now(), body });
  const answer = await post(checked.url, headers, body);
  if ("ok" in answer) return answer;
  const { status } = answer;
  if (status >= 200 && status < 300) return { ok: true };
  if (status === 410) {
    const reason = "It answered 410: it wants no more messages.";
    return { ok: false, retry: false, isOver: true, reason };
  }
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect
    ? `It answered ${status}: redirects are not followed.`
    : `It answered ${status}.`;
  return { ok: false, retry: true, reason };
}
