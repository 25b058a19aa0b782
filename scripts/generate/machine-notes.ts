import { writeFileSync } from "node:fs";
import { machineOf } from "../../app/features/deployments/bundle/options/derived-options.ts";
import { providers } from "../../app/features/deployments/bundle/provider-table.ts";
import {
  providerIds,
  regionIds,
  sizeIds,
} from "../../app/features/deployments/bundle/providers.ts";
import type { MachineNotes } from "../../app/features/deployments/wizard/machine-notes.ts";
import { regionWords } from "../../app/features/deployments/words/machine-words.ts";
import { readCommandLine } from "../lib/command-line.ts";

/** An asset of its own: as a module it would be in the Worker's upload. */
const file = "app/features/deployments/wizard/machine-notes.json";

/** When the prices below were read. */
const readOn = "October 9, 2026";

type BySize = readonly [small: number, medium: number, large: number];
type PriceBySize = readonly [small: number | null, medium: number | null, large: number | null];
const unknown: PriceBySize = [null, null, null];

/**
 * The memory of each provider's machines in GB and their list price for a month of 730 hours, where we found a figure
 * that we could rely on; `place` is where that price holds, and `page` where the provider says it.
 */
const costs: Record<
  string,
  {
    page: string;
    currency: "USD" | "EUR";
    place: string;
    amd64: { memory: BySize; price: PriceBySize };
    arm64?: { memory: BySize; price: PriceBySize };
  }
> = {
  aws: {
    page: "https://aws.amazon.com/ec2/pricing/on-demand/",
    currency: "USD",
    place: "Virginia",
    amd64: { memory: [4, 8, 16], price: [65.15, 130.31, 260.61] },
    arm64: { memory: [4, 8, 16], price: [52.93, null, null] },
  },
  azure: {
    page: "https://azure.microsoft.com/pricing/details/virtual-machines/linux/",
    currency: "USD",
    place: "Virginia",
    amd64: { memory: [4, 8, 16], price: [null, 123.37, null] },
    arm64: { memory: [8, 16, 32], price: unknown },
  },
  "digital-ocean": {
    page: "https://www.digitalocean.com/pricing/droplets",
    currency: "USD",
    place: "every region",
    amd64: { memory: [4, 8, 16], price: [42, 84, 168] },
  },
  "google-cloud": {
    page: "https://cloud.google.com/products/compute/pricing",
    currency: "USD",
    place: "",
    amd64: { memory: [8, 16, 44], price: unknown },
    arm64: { memory: [4, 8, 16], price: unknown },
  },
  hetzner: {
    page: "https://www.hetzner.com/cloud/",
    currency: "EUR",
    place: "Germany",
    amd64: { memory: [8, 16, 32], price: [42.99, 85.99, 138.49] },
    arm64: { memory: [4, 8, 16], price: [5.99, 10.49, 20.99] },
  },
  ovh: {
    page: "https://www.ovhcloud.com/en/public-cloud/prices/",
    currency: "EUR",
    place: "",
    amd64: { memory: [4, 8, 16], price: unknown },
  },
  vultr: {
    page: "https://www.vultr.com/pricing/",
    currency: "USD",
    place: "most regions",
    amd64: { memory: [4, 8, 16], price: [null, 80, null] },
  },
  linode: {
    page: "https://www.akamai.com/cloud/pricing/north-america",
    currency: "USD",
    place: "North America",
    amd64: { memory: [4, 8, 16], price: [36, 72, null] },
  },
  oracle: {
    page: "https://www.oracle.com/cloud/compute/pricing/",
    currency: "USD",
    place: "",
    amd64: { memory: [4, 8, 16], price: unknown },
    arm64: { memory: [4, 8, 16], price: unknown },
  },
};

/** What each region and size is at each provider, in words. Of a machine of the customer's own we know nothing. */
export function machineNotes(): Record<string, MachineNotes> {
  const all = providerIds.flatMap((provider) => {
    const found = costs[provider];
    if (!found) return [];
    const money = new Intl.NumberFormat("en", {
      style: "currency",
      currency: found.currency,
      maximumFractionDigits: 0,
    });
    return (["amd64", "arm64"] as const).flatMap((architecture) => {
      const machines = found[architecture];
      if (!machines) return [];
      const regions = regionIds.map((region) => [
        `region ${region}`,
        // A card is narrow: a name breaks before its brackets and not at its hyphens.
        regionWords({ provider, region }).replaceAll("-", "\u2011"),
      ]);
      const sizes = sizeIds.map((size, at) => {
        const { name, cores } = machineOf({ provider, size, architecture });
        const price = machines.price[at];
        const costing = price ? `about ${money.format(price)} a month` : "see the provider's price";
        return [`size ${size}`, `${name} · ${cores} vCPU, ${machines.memory[at]} GB · ${costing}`];
      });
      const [small, medium, large] = found.currency === "USD" ? machines.price : unknown;
      const notes: MachineNotes = {
        notes: Object.fromEntries([...regions, ...sizes]),
        prices: machines.price.some(Boolean)
          ? `List prices in ${found.place} on ${readOn}, without tax, disk and traffic. Other regions may cost more.`
          : "",
        monthly: { small, medium, large },
        page: found.page,
        link: `${providers[provider].label}'s prices`,
      };
      return [[`${provider} ${architecture}`, notes] as const];
    });
  });
  return Object.fromEntries(all);
}

if (import.meta.main) {
  readCommandLine({
    usage: "npm run wizard:notes",
    about: `Writes what the wizard says of each provider's machines again, after a change of their prices in
scripts/generate/machine-notes.ts. It takes a second.`,
  });
  writeFileSync(file, `${JSON.stringify(machineNotes(), null, 2)}\n`);
  console.log(`✓ Wrote ${file}`);
}
