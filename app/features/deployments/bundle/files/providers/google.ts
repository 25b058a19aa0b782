import { backsUpByRole, machineOf, usesInstanceRole } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** The deployment has its own network: the default one lets everybody in by SSH and RDP, and has no IPv6. */
export function googleCommands(options: DeploymentOptions): string {
  const dual = options.addresses === "dual";
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const arm = options.architecture === "arm64";
  const bySources = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const sources = rule.sources.join(",");
    bySources.set(sources, [
      ...(bySources.get(sources) ?? []),
      `${rule.protocol}:${rangeOf(rule)}`,
    ]);
  }
  const rules = [...bySources].map(
    ([sources, allowed], index) => `allow ${index + 1} ${allowed.join(",")} ${sources}\n`,
  );
  return `ZONE="\${ZONE:-$REGION-b}"
${role ? `SERVICE_ACCOUNT="\${SERVICE_ACCOUNT:-}"\nneed SERVICE_ACCOUNT "$SERVICE_ACCOUNT" "the e-mail of one that may write to your bucket"\n` : ""}
exists() { gcloud compute "$@" --format=none 2>/dev/null; }
exists networks describe "$NAME" || gcloud compute networks create "$NAME" --subnet-mode=custom
exists networks subnets describe "$NAME" --region="$REGION" ||
  gcloud compute networks subnets create "$NAME" --network="$NAME" --region="$REGION" --range=10.0.0.0/24${dual ? " \\\n    --stack-type=IPV4_IPV6 --ipv6-access-type=EXTERNAL" : ""}
# allow NUMBER PORTS SOURCES
allow() {
  if exists firewall-rules describe "$NAME-$1"; then
    gcloud compute firewall-rules update "$NAME-$1" --allow="$2" --source-ranges="$3"
  else
    gcloud compute firewall-rules create "$NAME-$1" --network="$NAME" --direction=INGRESS \\
      --allow="$2" --source-ranges="$3" --target-tags="$NAME"
  fi
}
${rules.join("")}
exists addresses describe "$NAME" --region="$REGION" || gcloud compute addresses create "$NAME" --region="$REGION"
address=$(gcloud compute addresses describe "$NAME" --region="$REGION" --format='value(address)')
exists instances describe "$NAME" --zone="$ZONE" ||
  gcloud compute instances create "$NAME" --zone="$ZONE" --machine-type="$SIZE" \\
    --image-family=${machineOf(options).ubuntu} --image-project=ubuntu-os-cloud \\
    --boot-disk-size="\${DISK_GB}GB" --boot-disk-type=${arm ? "hyperdisk-balanced" : "pd-balanced --shielded-secure-boot"} \\
    --subnet="$NAME"${dual ? " --stack-type=IPV4_IPV6" : ""} --address="$address" --tags="$NAME" \\
    ${role ? '--service-account="$SERVICE_ACCOUNT" --scopes=cloud-platform' : "--no-service-account --no-scopes"} \\
    --metadata-from-file="user-data=$USER_DATA"
${dual ? `address6=$(gcloud compute instances describe "$NAME" --zone="$ZONE" --format='value(networkInterfaces[0].ipv6AccessConfigs[0].externalIpv6)')\n` : ""}`;
}
