import type { Problem } from "../bundle-types.ts";
import { providers } from "../provider-table.ts";
import { isRegionId } from "../providers.ts";
import { regionOf } from "./derived-options.ts";
import type { DeploymentOptions } from "./options.ts";

/** A problem for each of region, machine and addresses that the chosen provider does not have. */
export function placeProblems(options: DeploymentOptions): Problem[] {
  const { provider, region, architecture, addresses, system } = options;
  const { label, arm, customRegion, addresses: possible } = providers[provider];
  const problems: Problem[] = [];
  const refuse = (path: string, message: string) => problems.push({ path, message });

  if (!isRegionId(region) && !customRegion.form.test(region))
    refuse(
      "region",
      `${label} has no region of such a name. Write one such as ${customRegion.example}.`,
    );
  if (!possible.includes(addresses))
    refuse(
      "addresses",
      provider === "ovh"
        ? "A machine at OVHcloud does not set up its IPv6 address by itself. Choose ipv4."
        : `create-vm.sh makes no machine without IPv4 at ${label}. Choose ipv4 or dual, or the provider hetzner or other.`,
    );
  if (architecture === "arm64") {
    if (!arm) refuse("architecture", `${label} has no machines with ARM processors. Choose amd64.`);
    else if (arm.regions && !arm.regions.includes(regionOf(options)))
      refuse(
        "architecture",
        `${label} has ARM processors in ${arm.regions.join(", ")} only. Choose another region, or amd64.`,
      );
    if (system === "amazon-linux-2023")
      refuse(
        "system",
        "Of Docker Compose and age for Amazon Linux we have checksums for amd64 only. Choose ubuntu-24.04.",
      );
  }
  return problems;
}
