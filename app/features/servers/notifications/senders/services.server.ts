import type { SenderSettings } from "../../sender-settings.server";
import type { Channel, Message, Sent, ServiceKind } from "../channel";
import { refusedNow } from "./customer-address.server";
import { discord } from "./discord.server";
import { ntfy } from "./ntfy.server";
import { opsgenie } from "./opsgenie.server";
import { post } from "./post.server";
import { push } from "./push.server";
import type { Service } from "./service.server";
import { slack } from "./slack.server";
import { teams } from "./teams.server";
import { telegram } from "./telegram.server";

export const services: Readonly<Record<ServiceKind, Service>> = {
  slack,
  teams,
  discord,
  telegram,
  ntfy,
  opsgenie,
  push,
};

/** Sends a message to a service, as many requests as it is there, and stops at the first that is not taken. */
export async function sendToService(
  settings: SenderSettings,
  { kind, fields }: Extract<Channel, { kind: ServiceKind }>,
  message: Message,
): Promise<Sent> {
  const { requests, outcome } = services[kind];
  for (const request of await requests(fields, message, settings)) {
    const { url, isFixed, headers = {}, body } = request;
    const refused = isFixed ? undefined : await refusedNow(settings, url);
    if (refused) return refused;
    const answer = await post(url, headers, body);
    const sent = "ok" in answer ? answer : outcome(answer);
    if (!sent.ok) return sent;
  }
  return { ok: true };
}
