import { offers } from "~/content/plans";
import {
  examplePlan,
  sizeOf,
  type TrafficProvider,
  trafficCost,
  trafficPricesRead,
} from "~/content/sizing";
import { machineOf } from "~/features/deployments/bundle/options/derived-options";
import { providers } from "~/features/deployments/bundle/provider-table";
import { sizeIds } from "~/features/deployments/bundle/providers";
import type { AllMachineNotes } from "~/features/deployments/wizard/machine-notes";

/** The providers of which we know both prices in dollars, as the wizard and as the calculator call them. */
const compared = [
  { provider: "digital-ocean", traffic: "digitalocean" },
  { provider: "aws", traffic: "aws" },
] as const satisfies readonly { provider: keyof typeof providers; traffic: TrafficProvider }[];

const dollars = (figure: number) => `$${Math.round(figure).toLocaleString("en-US")}`;

/**
 * What a month costs altogether at some providers: the smaller plan, the machine and the traffic of the calculator's
 * first example. Undefined without the prices of machines.
 */
export function costExample(machines: AllMachineNotes | undefined) {
  const { people, seen, kbps, unmuted, rooms, hours } = examplePlan;
  const load = sizeOf(examplePlan);
  const size = sizeIds.find((id) => id === load.size?.toLowerCase());
  const plan = offers.basic.amount / 100;
  const totals = compared.flatMap(({ provider, traffic }) => {
    const notes = machines?.[`${provider} amd64`];
    const machinePrice = size && notes?.monthly[size];
    if (!size || !notes || !machinePrice) return [];
    const trafficPrice = trafficCost(traffic, load.month);
    return {
      provider: providers[provider].label,
      machine: machineOf({ provider, size, architecture: "amd64" }).name,
      machinePrice: dollars(machinePrice),
      trafficPrice: dollars(trafficPrice),
      // Of what stands above it, so that whoever adds it up comes to the same.
      total: dollars(plan + Math.round(machinePrice) + Math.round(trafficPrice)),
      source: { label: notes.link, to: notes.page, says: notes.prices },
      calculator: `/docs/sizing?${new URLSearchParams({ ...asText(examplePlan), provider: traffic })}`,
    };
  });
  if (totals.length === 0) return;
  return {
    rooms: `${rooms} rooms of ${people} people for ${hours} hours a month, in which each sees ${seen} pictures of ${kbps} kbit/s and ${unmuted} microphones are on`,
    size: load.size,
    gigabytes: Math.round(load.month).toLocaleString("en-US"),
    plan: `$${plan}`,
    trafficPricesRead,
    totals,
  };
}

export type CostExample = NonNullable<ReturnType<typeof costExample>>;

const asText = (figures: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, String(figure)]));
