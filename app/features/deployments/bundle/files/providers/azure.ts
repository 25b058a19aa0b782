import { backsUpByRole, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** `create` updates each of these resources when it exists, except the machine, which is therefore looked for first. */
export function azureCommands(options: DeploymentOptions): string {
  const dual = options.addresses === "dual";
  const rules = providerRulesOf(options).map(
    (rule, index) =>
      `allow ${1000 + index * 10} ${rule.protocol === "tcp" ? "Tcp" : "Udp"} ${rangeOf(rule)} ${rule.sources.join(" ")}\n`,
  );
  return `SSH_KEY="\${SSH_KEY:-$HOME/.ssh/id_ed25519.pub}"
[ -r "$SSH_KEY" ] || need SSH_KEY '' "the file of your public SSH key"

az group create --name "$NAME" --location "$REGION" --output none
az network nsg create --resource-group "$NAME" --name "$NAME" --output none
# allow PRIORITY PROTOCOL PORTS SOURCE…
allow() {
  priority=$1 protocol=$2 ports=$3
  shift 3
  az network nsg rule create --resource-group "$NAME" --nsg-name "$NAME" --name "rule-$priority" \\
    --priority "$priority" --direction Inbound --access Allow --protocol "$protocol" \\
    --destination-port-ranges "$ports" --source-address-prefixes "$@" --output none
}
${rules.join("")}
az network vnet create --resource-group "$NAME" --name "$NAME" --address-prefixes 10.0.0.0/16${dual ? " fd00:4c4b::/48" : ""} \\
  --subnet-name default --subnet-prefixes 10.0.0.0/24${dual ? " fd00:4c4b::/64" : ""} --output none
az network public-ip create --resource-group "$NAME" --name "$NAME" --sku Standard --allocation-method Static --output none
address=$(az network public-ip show --resource-group "$NAME" --name "$NAME" --query ipAddress --output tsv)
az network nic create --resource-group "$NAME" --name "$NAME" --vnet-name "$NAME" --subnet default \\
  --network-security-group "$NAME" --public-ip-address "$NAME" --output none
${
  dual
    ? `az network public-ip create --resource-group "$NAME" --name "$NAME-6" --sku Standard --allocation-method Static --version IPv6 --output none
address6=$(az network public-ip show --resource-group "$NAME" --name "$NAME-6" --query ipAddress --output tsv)
az network nic ip-config create --resource-group "$NAME" --nic-name "$NAME" --name ipv6 --private-ip-address-version IPv6 \\
  --vnet-name "$NAME" --subnet default --public-ip-address "$NAME-6" --output none
`
    : ""
}if ! az vm show --resource-group "$NAME" --name "$NAME" --output none 2>/dev/null; then
  az vm create --resource-group "$NAME" --name "$NAME" --location "$REGION" --size "$SIZE" \\
    --image ${machineOf(options).ubuntu} --nics "$NAME" --os-disk-size-gb "$DISK_GB" \\
    --admin-username ubuntu --ssh-key-values "$SSH_KEY" --custom-data "$USER_DATA"${backsUpByRole(options) ? " --assign-identity" : ""} --output none
fi
`;
}
