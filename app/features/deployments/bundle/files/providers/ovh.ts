import { machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf } from "./rules.ts";

/** OVHcloud runs OpenStack. In its network Ext-Net the machine itself has the public address, until it is deleted. */
export function ovhCommands(options: DeploymentOptions): string {
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => `allow ${protocol} ${first}:${last} ${source}\n`),
  );
  return `KEY_NAME="\${KEY_NAME:-}"
need KEY_NAME "$KEY_NAME" "a name from 'openstack keypair list'"
export OS_REGION_NAME="$REGION"

openstack security group show "$NAME" -f value -c id >/dev/null 2>&1 ||
  openstack security group create "$NAME" -f value -c id >/dev/null
# allow PROTOCOL FIRST:LAST SOURCE
allow() {
  openstack security group rule create --ingress --ethertype IPv4 --protocol "$1" --dst-port "$2" --remote-ip "$3" \\
    -f value -c id "$NAME" >/dev/null 2>"$work/error" ||
    grep -qi 'already exists' "$work/error" || { cat "$work/error" >&2; exit 1; }
}
${rules.join("")}
openstack server show "$NAME" -f value -c id >/dev/null 2>&1 ||
  openstack server create --flavor "$SIZE" --image "${machineOf(options).ubuntu}" --network Ext-Net --security-group "$NAME" \\
    --key-name "$KEY_NAME" --user-data "$USER_DATA" --wait -f value -c id "$NAME" >/dev/null
address=$(openstack server show "$NAME" -f value -c addresses | grep -oE '([0-9]{1,3}\\.){3}[0-9]{1,3}' | head -n 1)
`;
}
