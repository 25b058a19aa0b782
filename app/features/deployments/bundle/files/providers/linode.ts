import { contentHash } from "../../content-hash.ts";
import { hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf, rangeOf, resourceName } from "./rules.ts";

/** Linode's firewall accepts 25 rules of at most 15 ports each. A range counts as two ports. */
const portsInRule = 7;

function rulesOf(options: DeploymentOptions): string {
  const bySources = new Map<
    string,
    { protocol: string; sources: readonly string[]; ports: string[] }
  >();
  for (const rule of providerRulesOf(options)) {
    const { protocol, sources } = rule;
    const key = `${protocol} ${sources.join(" ")}`;
    const found = bySources.get(key) ?? { protocol, sources, ports: [] };
    found.ports.push(rangeOf(rule));
    bySources.set(key, found);
  }
  return [...bySources.values()]
    .flatMap(({ protocol, sources, ports }) =>
      Array.from({ length: Math.ceil(ports.length / portsInRule) }, (_, part) => {
        const some = ports.slice(part * portsInRule, (part + 1) * portsInRule).join(",");
        const family = sources.some((source) => source.includes(":")) ? "ipv6" : "ipv4";
        const list = sources.map((source) => `"${source}"`).join(",");
        return `{"action":"ACCEPT","protocol":"${protocol.toUpperCase()}","ports":"${some}","addresses":{"${family}":[${list}]}}`;
      }),
    )
    .join(",\n");
}

/** Linode refuses two hyphens in a row, as punycode has them. Names with hyphens end with a hash, so they still differ. */
function ownName(options: DeploymentOptions): string {
  const name = resourceName(options);
  return name.includes("--") ? `NAME=${name.replaceAll(/-{2,}/g, "-")}\n` : "";
}

/** The addresses are deleted with the machine. Its root password is random and not kept: people log in by SSH key. */
export function linodeCommands(options: DeploymentOptions): string {
  return `SSH_KEY="\${SSH_KEY:-$HOME/.ssh/id_ed25519.pub}"
[ -r "$SSH_KEY" ] || need SSH_KEY '' "the file of your public SSH key"
${ownName(options)}
# Names of firewalls have 32 characters at most.
firewall_name=livekit-${contentHash(options.domain)}
rules='[
${rulesOf(options)}
]'
firewall=$(linode-cli firewalls list --label "$firewall_name" --text --no-headers --format id)
if [ -z "$firewall" ]; then
  firewall=$(linode-cli firewalls create --label "$firewall_name" --rules.inbound_policy DROP --rules.outbound_policy ACCEPT \\
    --rules.inbound "$rules" --text --no-headers --format id)
else
  linode-cli firewalls rules-update "$firewall" --inbound_policy DROP --outbound_policy ACCEPT --inbound "$rules" --text --no-headers >/dev/null
fi
# machine COLUMN
machine() { linode-cli linodes list --label "$NAME" --text --no-headers --format "$1"; }
if [ -z "$(machine id)" ]; then
  linode-cli linodes create --label "$NAME" --region "$REGION" --type "$SIZE" --image ${machineOf(options).ubuntu} \\
    --firewall_id "$firewall" --authorized_keys "$(cat "$SSH_KEY")" --root_pass "$(head -c 32 /dev/urandom | base64)" \\
    --metadata.user_data "$(base64 <"$USER_DATA" | tr -d '\\n')" --text --no-headers --format id >/dev/null
fi
address=$(machine ipv4 | cut -d ' ' -f 1)
${hasFamily(options, "ipv6") ? "address6=$(machine ipv6 | cut -d / -f 1)\n" : ""}`;
}
