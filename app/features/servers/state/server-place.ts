import { accountOf } from "~/features/deployments/bundle/machine-commands";
import { providers } from "~/features/deployments/bundle/provider-table";
import type { ProviderId } from "~/features/deployments/bundle/providers";
import type { Report } from "./server-record";
import type { DeploymentFacts } from "./workspace-facts.server";

/** Where a server is and how to get there. What is not known is left out. */
export type ServerPlace = {
  /** What its deployment is called. */
  deployment?: string;
  domain?: string;
  address?: string;
  /** `console`: the page on which its machines are. */
  provider?: { name: string; console: string };
  /** The command that logs in there. */
  login?: string;
  /** How many people were in calls at its last report. */
  people?: number;
};

/** Where customers see their machines. Of any other provider we know nothing. */
const consoles: Partial<Record<ProviderId, string>> = {
  aws: "https://console.aws.amazon.com/ec2/home#Instances:",
  azure: "https://portal.azure.com/#browse/Microsoft.Compute%2FVirtualMachines",
  "digital-ocean": "https://cloud.digitalocean.com/droplets",
  "google-cloud": "https://console.cloud.google.com/compute/instances",
  hetzner: "https://console.hetzner.com/projects",
  ovh: "https://www.ovh.com/manager/",
  vultr: "https://my.vultr.com/",
  linode: "https://cloud.linode.com/linodes",
  oracle: "https://cloud.oracle.com/compute/instances",
};

/** `deployment`: undefined where it is gone, or where nothing of it is known. */
export function placeOf(
  { domain, addresses, participants }: Reported,
  deployment: DeploymentFacts | undefined,
): ServerPlace {
  const { name, system } = deployment ?? {};
  const id = deployment?.provider;
  const provider = isProvider(id) ? id : undefined;
  const { address } = addresses.find(({ family }) => family === 4) ?? addresses[0] ?? {};
  const account = provider && accountOf({ provider, system });
  const consoleAddress = provider && consoles[provider];
  return {
    ...(name === undefined ? {} : { deployment: name }),
    ...(domain === undefined ? {} : { domain }),
    ...(address === undefined
      ? {}
      : { address, login: `ssh ${account ? `${account}@` : ""}${address}` }),
    ...(consoleAddress
      ? { provider: { name: providers[provider].label, console: consoleAddress } }
      : {}),
    ...(participants === undefined ? {} : { people: participants }),
  };
}

type Reported = {
  domain: string | undefined;
  addresses: Report["addresses"];
  participants: number | undefined;
};

const isProvider = (id: string | undefined): id is ProviderId =>
  id !== undefined && Object.hasOwn(providers, id);

/** How many people were in calls at a server's last report, as a sentence. */
export function peopleWords(people: number): string {
  if (people === 0) return "Nobody was in a call at its last report.";
  return people === 1
    ? "1 person was in a call at its last report."
    : `${people} people were in calls at its last report.`;
}
