import { buy } from "../billing/hosted-pages.ts";
import { personalWorkspaceOf, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { enrolMachines } from "../servers/enrol-machines.ts";
import { callServers, Machine } from "../servers/machine.ts";
import { machine as described } from "../servers/report-lines.ts";
import { serversAt } from "../servers/servers-at.ts";
import type { Visitor } from "../site/visitor.ts";

/** People with connected servers, by what the servers are like, and the id of the one that it is about. */
export type Fleets = Record<
  | "booting"
  | "healthy"
  | "wrong"
  | "left"
  | "many"
  | "down"
  | "handled"
  | "back"
  | "copied"
  | "behind"
  | "edited",
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

/** That its files are of version 1, which had this hash when they were made. */
const madeFrom = (deployment: string, hash: string) => `made-from\t${deployment}\t1\t${hash}`;

const full = "finding\tdisk.filling\twarning\t/\t85 %\t80 %";

const minute = 60_000;

/** Moves the clock of a person's fleet, and does what is due by then. */
async function moveClock({ siteUrl }: Visitor, email: string, ms: number): Promise<void> {
  const workspace = await personalWorkspaceOf(await userIdOf(email));
  const path = `/_local/clock?workspace=${workspace}&ms=${ms}`;
  await serversAt(siteUrl).askServers(path, { method: "POST", headers: {}, body: "" });
}

/** Acknowledges and snoozes the open incident of a server, and begins to maintain it, as its page does. */
async function handleIncident(owner: Visitor, server: string): Promise<void> {
  const address = `/dashboard/servers/${server}`;
  const page = await (await owner.request(address)).text();
  const [, incident = ""] = /name="incident" value="([^"]+)"/.exec(page) ?? [];
  await owner.post(address, { intent: "acknowledge", incident });
  await owner.post(address, { intent: "snooze", incident, until: "8" });
  await owner.post(address, { intent: "maintenance", until: "4" });
}

/** Signs people up and connects their machines. */
export async function prepareFleets(signUp: (email: string) => Promise<Visitor>): Promise<Fleets> {
  async function withMachines(
    name: string,
    count: number,
  ): Promise<[Visitor, Machine[], deployment: string]> {
    const email = `${name}@example.com`;
    const owner = await signUp(email);
    await buy(owner, "pro");
    const deployment = await storeDeployment(email, fullOptions());
    return [owner, await enrolMachines(owner, deployment, count), deployment];
  }
  const [booting, [first]] = await withMachines("booting", 1);
  await first?.report(1, stageLines(4));
  const [healthy, [only]] = await withMachines("healthy", 1);
  await only?.report(1, well(12));
  const [wrong, [right, faulty, left]] = await withMachines("wrong", 3);
  await right?.report(1, well(4));
  await faulty?.report(1, [...well(2), full]);
  await callServers(serversAt(wrong.siteUrl), "/v1/disconnect", left?.key ?? "");
  const [down, [gone]] = await withMachines("down", 1);
  await gone?.report(1, well(3));
  await moveClock(down, "down@example.com", 12 * minute);
  const [handled, [seen]] = await withMachines("handled", 1);
  await seen?.report(1, well(3));
  await moveClock(handled, "handled@example.com", 12 * minute);
  await handleIncident(handled, seen?.server ?? "");
  const [back, [returned]] = await withMachines("back", 1);
  await returned?.report(1, well(3));
  await moveClock(back, "back@example.com", 12 * minute);
  for (let seq = 2; seq <= 5; seq += 1) {
    await returned?.report(seq, well(seq));
    await moveClock(back, "back@example.com", 2 * minute);
  }
  await returned?.report(6, well(5));
  const [copied, [copy]] = await withMachines("copied", 1);
  await copy?.report(1, well(2));
  const clone = new Machine(serversAt(copied.siteUrl), "i-clone", described.otherBoot);
  clone.key = copy?.key ?? "";
  await clone.report(1);
  const [many, machines] = await withMachines("many", 22);
  for (const [at, machine] of machines.entries()) {
    await machine.report(1, at === 7 ? [...well(at), full] : well(at));
  }
  const [versions, [older, changed], deployment] = await withMachines("versions", 2);
  await older?.report(1, [...well(2), madeFrom(deployment, described.version)]);
  await changed?.report(1, [...well(2), madeFrom(deployment, "c".repeat(64))]);
  const newer = { ...fullOptions(), monitoring: "basic" as const };
  await storeVersion("versions@example.com", deployment, newer, 1);
  return {
    booting: { person: booting, server: first?.server ?? "" },
    healthy: { person: healthy, server: only?.server ?? "" },
    wrong: { person: wrong, server: faulty?.server ?? "" },
    left: { person: wrong, server: left?.server ?? "" },
    down: { person: down, server: gone?.server ?? "" },
    handled: { person: handled, server: seen?.server ?? "" },
    back: { person: back, server: returned?.server ?? "" },
    copied: { person: copied, server: copy?.server ?? "" },
    many: { person: many, server: machines[7]?.server ?? "" },
    behind: { person: versions, server: older?.server ?? "" },
    edited: { person: versions, server: changed?.server ?? "" },
  };
}
