import type { Channel, Message, Sent } from "~/features/servers/notifications/channel";
import { sendMail } from "./mail.server";
import { sendToPager } from "./pagerduty.server";
import { channelSettings } from "./settings.server";
import { sendWebhook } from "./webhook.server";

/**
 * One try to tell a channel a message. Each target has 10 seconds, gets no redirect followed, and little of its answer
 * is read. Neither the answer here nor the log has an address, a key or a path. Never throws.
 */
export async function send(env: ServersEnv, channel: Channel, message: Message): Promise<Sent> {
  const settings = channelSettings(env);
  if (!settings) return { ok: false, retry: true, reason: "Alerts are not set up on this site." };
  switch (channel.kind) {
    case "mail":
      return sendMail(settings, channel, message);
    case "pagerduty":
      return sendToPager(settings, channel, message);
    case "webhook":
      return sendWebhook(settings, channel, message);
  }
}
