import { buy } from "../billing/hosted-pages.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { enrolMachines } from "../servers/enrol-machines.ts";
import { callServers, type Machine } from "../servers/machine.ts";
import { serversAt } from "../servers/servers-at.ts";
import type { Visitor } from "../site/visitor.ts";

/** People with connected servers, by what the servers are like, and the id of the one that it is about. */
export type Fleets = Record<
  "booting" | "healthy" | "wrong" | "many",
  { person: Visitor; server: string }
>;

const stages = ["connected", "secrets", "packages", "tools", "images", "services", "ready"];

const stageLines = (count: number) =>
  stages.slice(0, count).map((stage, at) => `stage\t${stage}\t${1_795_313_600 + 40 * at}`);

/** What a server says whose doctor found nothing, with so many in calls. */
const well = (participants: number) => [
  ...stageLines(stages.length),
  `doctor\t${Math.floor(Date.now() / 1_000)}`,
  `metric\tparticipants\t${participants}`,
];

const full = "finding\tdisk.filling\twarning\t/\t85 %\t80 %";

/** Signs people up and connects their machines. */
export async function prepareFleets(signUp: (email: string) => Promise<Visitor>): Promise<Fleets> {
  async function withMachines(name: string, count: number): Promise<[Visitor, Machine[]]> {
    const email = `${name}@example.com`;
    const owner = await signUp(email);
    await buy(owner, "pro");
    const deployment = await storeDeployment(email, fullOptions());
    return [owner, await enrolMachines(owner, deployment, count)];
  }
  const [booting, [first]] = await withMachines("booting", 1);
  await first?.report(1, stageLines(4));
  const [healthy, [only]] = await withMachines("healthy", 1);
  await only?.report(1, well(12));
  const [wrong, [right, faulty, left]] = await withMachines("wrong", 3);
  await right?.report(1, well(4));
  await faulty?.report(1, [...well(2), full]);
  await callServers(serversAt(wrong.siteUrl), "/v1/disconnect", left?.key ?? "");
  const [many, machines] = await withMachines("many", 22);
  for (const [at, machine] of machines.entries()) {
    await machine.report(1, at === 7 ? [...well(at), full] : well(at));
  }
  return {
    booting: { person: booting, server: first?.server ?? "" },
    healthy: { person: healthy, server: only?.server ?? "" },
    wrong: { person: wrong, server: faulty?.server ?? "" },
    many: { person: many, server: machines[7]?.server ?? "" },
  };
}
