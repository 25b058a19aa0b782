import type { Session } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import type { DnsRecord } from "../bundle/bundle-types.ts";
import { dnsRecordsOf } from "../bundle/dns-records.ts";
import { type MachineCommands, machineCommands } from "../bundle/machine-commands.ts";
import { hasFamily } from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { readInstalledHashes } from "../download/bundles.server";
import { zipName } from "../download/downloads.server";
import { readTickedVersions } from "../record/deployments.server";
import { asReported, type ReportedServers, type Reports } from "../reported-servers";
import type { Deployment, ServerAddress } from "../stored-deployment";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";
import { type SeveralMachines, severalMachines } from "../words/several-machines.ts";
import { addressFor } from "./look.server";
import type { Family } from "./public-address";
import { currentAddress, isBehind, type StepStates, stepStates } from "./ticks";

/** The steps from saved choices to a connected app, with every value that somebody copies on the way. */
export type StepsView = {
  id: string;
  version: number;
  states: StepStates;
  domain: string;
  displayDomain: string;
  machine: string[];
  zipName: string;
  /** The name of the same files for a server that runs. */
  applyZipName: string;
  /** Whether a server of it is connected. */
  hasConnected: boolean;
  /** Whether a server can be connected to the console. */
  connects: boolean;
  /** The browser makes the secrets, so the zip is made there too. */
  secretsInBrowser: boolean;
  /** Null where the customer makes the machine without create-vm.sh. */
  create: string | null;
  /** Undefined of one server. */
  several: SeveralMachines | undefined;
  placeholders: MachineCommands["placeholders"];
  families: Family[];
  address: ServerAddress | undefined;
  records: (DnsRecord & { value: string | undefined })[];
  login: string;
};

export type Progress = {
  /** With the version that its servers say they run. */
  deployment: Deployment;
  /** What they say of themselves; undefined where it has none. */
  servers: ReportedServers | undefined;
  /** What is done of it. */
  states: StepStates;
  /** Whether its server runs an older version from which something is to do. */
  isBehind: boolean;
  /** Its steps, where its choices can be read. */
  view: StepsView | undefined;
};

/**
 * What is done of these deployments, and what their servers say of themselves; undefined when the database cannot be read
 * or bundles cannot be made.
 */
export async function progressOf(
  supabase: Session["supabase"],
  saved: readonly Deployment[],
  context: Pick<AppContext, "bindings" | "configuration">,
  reports: Reports,
): Promise<Progress[] | undefined> {
  const deployments = saved.map((each) => asReported(each, reports));
  const older = await readTickedVersions(supabase, deployments);
  if (!older) return;
  const compared = older.size === 0 ? [] : [...older.values(), ...deployments.flatMap(optionsNow)];
  const connects = context.configuration.SERVERS_URL !== undefined;
  const hashOf = await readInstalledHashes(context, compared);
  return (
    hashOf &&
    deployments.map((deployment) => {
      const optionsOf = (version: number) => older.get(`${deployment.id} ${version}`);
      const servers = reports.get(deployment.id);
      const states = stepStates(deployment, optionsOf, hashOf, servers?.seen);
      const address = currentAddress(deployment, optionsOf, hashOf);
      const hasConnected = servers?.hasConnected ?? false;
      const view = viewOf(deployment, { states, address, connects, hasConnected });
      const behind = isBehind(deployment, optionsOf, hashOf);
      return { deployment, servers, states, isBehind: behind, view };
    })
  );
}

function optionsNow({ stored }: Deployment): DeploymentOptions[] {
  return "options" in stored ? [stored.options] : [];
}

function viewOf(
  { id, version, stored }: Deployment,
  {
    states,
    address,
    connects,
    hasConnected,
  }: Pick<StepsView, "states" | "address" | "connects" | "hasConnected">,
): StepsView | undefined {
  if (!("options" in stored)) return;
  const { options } = stored;
  const { create, placeholders, login } = machineCommands(options);
  const name = zipName(options, version);
  return {
    id,
    version,
    states,
    domain: options.domain,
    displayDomain: displayDomain(options.domain),
    machine: machineWords(options),
    zipName: name,
    applyZipName: zipName(options, version, "apply"),
    hasConnected,
    connects,
    secretsInBrowser: options.secrets === "browser",
    create: create && `unzip -o ${name} && cd livekit\n${create}`,
    several: severalMachines(options),
    placeholders: create === null ? [] : placeholders,
    families: (["ipv4", "ipv6"] as const).filter((family) => hasFamily(options, family)),
    address,
    records: dnsRecordsOf(options).map((record) => ({
      ...record,
      value: addressFor(address, record.type),
    })),
    login: login(address?.ipv4 ?? address?.ipv6),
  };
}
