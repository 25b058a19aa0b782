import { machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

const everywhere = "address:0.0.0.0/0,address:::/0";

/** The firewall is bound to a tag, so it protects the droplet from its creation on. */
export function digitalOceanCommands(options: DeploymentOptions): string {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options)
    .map(
      (rule) =>
        `protocol:${rule.protocol},ports:${rangeOf(rule)},${rule.sources.map((source) => `address:${source}`).join(",")}`,
    )
    .join(" \\\n");
  return `SSH_KEY="\${SSH_KEY:-}"
need SSH_KEY "$SSH_KEY" "the id or fingerprint from 'doctl compute ssh-key list'"

doctl compute tag list --format Name --no-header | grep -qxF "$NAME" || doctl compute tag create "$NAME" >/dev/null
INBOUND="${rules}"
OUTBOUND="protocol:icmp,${everywhere} protocol:tcp,ports:all,${everywhere} protocol:udp,ports:all,${everywhere}"
firewall=$(doctl compute firewall list --format ID,Name --no-header | awk -v name="$NAME" '$2 == name { print $1 }')
if [ -z "$firewall" ]; then
  doctl compute firewall create --name "$NAME" --tag-names "$NAME" --inbound-rules "$INBOUND" --outbound-rules "$OUTBOUND" >/dev/null
else
  doctl compute firewall update "$firewall" --name "$NAME" --tag-names "$NAME" --inbound-rules "$INBOUND" --outbound-rules "$OUTBOUND" >/dev/null
fi
droplet=$(doctl compute droplet list --tag-name "$NAME" --format ID --no-header | head -n 1)
if [ -z "$droplet" ]; then
  droplet=$(doctl compute droplet create "$NAME" --region "$REGION" --size "$SIZE" --image ${machineOf(options).ubuntu} \\
    --ssh-keys "$SSH_KEY" --tag-names "$NAME"${dual ? " --enable-ipv6" : ""} \\
    --user-data-file "$USER_DATA" --wait --format ID --no-header)
fi
address=$(doctl compute reserved-ip list --format IP,DropletID --no-header | awk -v id="$droplet" '$2 == id { print $1 }')
if [ -z "$address" ]; then
  address=$(doctl compute reserved-ip create --droplet-id "$droplet" --format IP --no-header)
fi
${dual ? 'address6=$(doctl compute droplet get "$droplet" --format PublicIPv6 --no-header)\n' : ""}`;
}
