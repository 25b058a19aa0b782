import type { DeploymentOptions } from "../options/options.ts";
import type { ScriptName, ScriptTexts } from "../script-texts.ts";
import { assembled, type ScriptValues } from "./script-parts.ts";

type Provider = DeploymentOptions["provider"];
type Addresses = DeploymentOptions["addresses"];

/** How a machine learns its public IPv4 address. `unknown` where its provider's metadata do not have it. */
const publicAddress: Record<Provider, ScriptName> = {
  aws: "public-address/aws.sh",
  azure: "public-address/azure.sh",
  "digital-ocean": "public-address/digital-ocean.sh",
  "google-cloud": "public-address/google-cloud.sh",
  hetzner: "public-address/hetzner.sh",
  ovh: "public-address/ovh.sh",
  vultr: "public-address/vultr.sh",
  linode: "public-address/linode.sh",
  oracle: "public-address/unknown.sh",
  other: "public-address/unknown.sh",
};

/** What the machine says when it does not learn its address. */
function withoutAddress(source: ScriptName): string {
  if (source === "public-address/ipv6.sh")
    return "This machine has no public IPv6 address yet; the last known one stays.";
  return source === "public-address/unknown.sh"
    ? `LiveKit asks STUN for the public address, unless state/address.env tells it in two lines:
NODE_IP=ADDRESS
LIVEKIT_RTC_USE_EXTERNAL_IP=false`
    : "The provider did not tell the public address; the last known one stays.";
}

/** `before-start.sh` with the code of one provider only, because user data at AWS must be small. */
export function beforeStartScript(
  provider: Provider,
  addresses: Addresses,
  texts: ScriptTexts,
  blocks: ScriptValues,
): string {
  const source = addresses === "ipv6" ? "public-address/ipv6.sh" : publicAddress[provider];
  return assembled(
    texts["before-start.sh"],
    { "public-address/$PROVIDER.sh": texts[source] },
    {
      ...blocks,
      ADDRESS_PATTERN:
        source === "public-address/ipv6.sh"
          ? "^[0-9a-f:]*:[0-9a-f:]*$"
          : "^([0-9]{1,3}\\.){3}[0-9]{1,3}$",
      WITHOUT_ADDRESS: withoutAddress(source),
    },
  );
}
