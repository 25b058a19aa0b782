import { checkName } from "~/features/deployments/bundle/names";
import { isOfSite, type NameTarget, targetOf } from "~/features/deployments/public-name.server";
import type { SenderSettings } from "../../sender-settings.server";
import type { Sent } from "../channel";

type AddressRules = { siteUrl: string; testOrigin?: string | undefined };

/** Whom an address of a customer's must not reach: the site with its hostnames. `testOrigin` is a fake's, which it may. */
export const addressRules = ({
  SITE_URL,
  WEBHOOK_TEST_ORIGIN,
}: Pick<SenderSettings, "SITE_URL" | "WEBHOOK_TEST_ORIGIN">): AddressRules => ({
  siteUrl: SITE_URL,
  testOrigin: WEBHOOK_TEST_ORIGIN,
});

/**
 * An address that a customer gave, as it is stored, or a sentence why it cannot be one. It is a name on the internet at the
 * port of https; where that name leads is looked at before each message.
 */
export function checkCustomerAddress(
  input: string,
  { siteUrl, testOrigin }: AddressRules,
): { url: string } | { refusal: string } {
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
  if (isOfSite(checked.name, siteUrl)) return refused("This is an address of ours.");
  return { url: url.href };
}

/**
 * Why nothing is sent to an address now; undefined for one that leads to the internet alone. The name is looked up right
 * before each message, so that one which was changed since then does not lead into a private network.
 */
export async function refusedNow(
  settings: SenderSettings,
  address: string,
): Promise<Extract<Sent, { ok: false }> | undefined> {
  const { hostname, origin } = new URL(address);
  if (origin === settings.WEBHOOK_TEST_ORIGIN) return;
  const reason = refusals[await targetOf(settings, hostname)];
  return reason === undefined ? undefined : { ok: false, retry: true, reason };
}

const refusals: Record<NameTarget, string | undefined> = {
  public: undefined,
  ours: "This is an address of ours.",
  private: "Its name leads to an address that is not of the public internet.",
  none: "Its name has no address in DNS.",
  unknown: "Its name could not be resolved: no answer of DNS.",
};
