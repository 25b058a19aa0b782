import type { DeploymentOptions } from "../options/options.ts";
import beforeStart from "../scripts/before-start.sh" with { type: "text" };
import aws from "../scripts/public-address/aws.sh" with { type: "text" };
import azure from "../scripts/public-address/azure.sh" with { type: "text" };
import digitalOcean from "../scripts/public-address/digital-ocean.sh" with { type: "text" };
import googleCloud from "../scripts/public-address/google-cloud.sh" with { type: "text" };
import hetzner from "../scripts/public-address/hetzner.sh" with { type: "text" };
import ipv6 from "../scripts/public-address/ipv6.sh" with { type: "text" };
import linode from "../scripts/public-address/linode.sh" with { type: "text" };
import ovh from "../scripts/public-address/ovh.sh" with { type: "text" };
import unknown from "../scripts/public-address/unknown.sh" with { type: "text" };
import vultr from "../scripts/public-address/vultr.sh" with { type: "text" };
import { assembled } from "./script-parts.ts";

type Provider = DeploymentOptions["provider"];
type Addresses = DeploymentOptions["addresses"];

/** How a machine learns its public IPv4 address. `unknown` where its provider does not tell it. */
const publicAddress: Record<Provider, string> = {
  aws,
  azure,
  "digital-ocean": digitalOcean,
  "google-cloud": googleCloud,
  hetzner,
  ovh,
  vultr,
  linode,
  oracle: unknown,
  other: unknown,
};

/** What the machine says when it does not learn its address. */
function withoutAddress(source: string): string {
  if (source === ipv6)
    return "This machine has no public IPv6 address yet; the last known one stays.";
  return source === unknown
    ? `LiveKit asks STUN for the public address, unless state/address.env tells it in two lines:
NODE_IP=ADDRESS
LIVEKIT_RTC_USE_EXTERNAL_IP=false`
    : "The provider did not tell the public address; the last known one stays.";
}

/** `before-start.sh` with the code of one provider only, because user data at AWS must be small. */
export function beforeStartScript(provider: Provider, addresses: Addresses): string {
  const source = addresses === "ipv6" ? ipv6 : publicAddress[provider];
  return assembled(
    beforeStart,
    { "public-address/$PROVIDER.sh": source },
    {
      ADDRESS_PATTERN:
        source === ipv6 ? "^[0-9a-f:]*:[0-9a-f:]*$" : "^([0-9]{1,3}\\.){3}[0-9]{1,3}$",
      WITHOUT_ADDRESS: withoutAddress(source),
    },
  );
}
