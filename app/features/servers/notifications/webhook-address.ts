import { checkName } from "~/features/deployments/bundle/names";

export type WebhookAddress = { url: string } | { refusal: string };

/** Whom webhooks must not reach: the site with its hostnames. `testOrigin` is the one of a fake, which they may. */
export type WebhookRules = { siteUrl: string; testOrigin?: string | undefined };

const ownEndings = ["internal", "lan", "home", "corp", "intranet"];

/**
 * The address of a webhook as it is kept, or a sentence why it cannot be one. It is a name on the internet at the port
 * of https; where that name leads is looked at before each message.
 */
export function checkWebhookAddress(
  input: string,
  { siteUrl, testOrigin }: WebhookRules,
): WebhookAddress {
  const refused = (refusal: string) => ({ refusal });
  if (input.length > 500) return refused("An address has at most 500 characters here.");
  const url = URL.parse(input.trim());
  if (!url) return refused("Write a whole address such as https://hooks.example.com/livekit.");
  if (testOrigin && url.origin === testOrigin) return { url: url.href };
  if (url.protocol !== "https:") return refused("The address must begin with https://.");
  if (url.username || url.password) return refused("Write the address without a user name.");
  if (url.port) return refused("Only the usual port of https works here. Leave the port out.");
  if (url.hash) return refused("Write the address without a part that begins with #.");
  const checked = checkName(url.hostname);
  if ("refusal" in checked) return refused(checked.refusal);
  const ending = checked.name.split(".").at(-1) ?? "";
  if (ownEndings.includes(ending)) return refused("This is a name of a private network.");
  if (isOfSite(checked.name, siteUrl)) return refused("This is an address of ours.");
  return { url: url.href };
}

/** Whether a name is the site's, one below it, or one beside its `www`. */
function isOfSite(name: string, siteUrl: string): boolean {
  const own = URL.parse(siteUrl)?.hostname.replace(/^www\./, "");
  return name === own || name.endsWith(`.${own}`);
}
