import { stages } from "../../../app/features/servers/state/state.ts";
import { mailsTo } from "../auth/inbox.ts";
import { buy } from "../billing/hosted-pages.ts";
import { personalWorkspaceOf, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { webhookAddress } from "../servers/arrived.ts";
import { enrolMachines } from "../servers/connect-server.ts";
import { Machine } from "../servers/machine.ts";
import { PushReceiver } from "../servers/push-receiver.ts";
import { machine as described } from "../servers/report-lines.ts";
import { serversAt } from "../servers/servers-at.ts";
import {
  agentLines,
  evidenceLines,
  evidenceOfEvenings,
  sessionLines,
  sessions,
  wholeCall,
} from "../servers/session-lines.ts";
import { steerServer } from "../site/control-fakes.ts";
import { Visitor } from "../site/visitor.ts";
import { ScreenFleet } from "./shown-fleet.ts";

/** People with connected servers, by what the servers are like. */
export type Fleets = Awaited<ReturnType<typeof prepareFleets>>;

const codes = Object.keys(stages);

const stageLines = (count: number) =>
  codes.slice(0, count).map((stage, at) => `stage\t${stage}\t${1_795_313_600 + 40 * at}`);

/** What a server says whose doctor found nothing, with so many in calls. */
const well = (participants: number) => [
  ...stageLines(codes.length),
  `doctor\t${Math.floor(Date.now() / 1_000)}`,
  ...["cpus\t4", "load\t0.42", "memory\t3100000\t8000000", "disk\t21000000\t80000000"],
  "service\tlivekit\tlivekit/livekit-server:v1.13.11\trunning\thealthy",
  "service\tcaddy\tcaddy:2.10\trunning\t",
  "certificate\tmedia.example.com\t1800000000",
  ...["address\t4\t198.51.100.7", "address\t6\t2001:db8::7", "reboot-pending"],
  `metric\tparticipants\t${participants}`,
];

/** What a machine says that runs Egress alone. */
const recording = [
  ...well(0).filter((line) => !/^(service|certificate|metric)\t/.test(line)),
  ...["role\tegress", "service\tegress\tlivekit/egress:v1.13.0\trunning\t", "metric\tegress\t1"],
];

/** That its files are of version 1, which had this hash when they were made. */
const madeFrom = (deployment: string, hash: string) => `made-from\t${deployment}\t1\t${hash}`;

const full = "finding\tdisk.filling\twarning\t/\t85 %\t80 %";
const portSilent = "finding\tport.silent\tcritical\t3478/udp\tsilent\tan answer";

/** Long after the other silences, so that an outage of ours hides none of them. */
const laterMinutes = 60;

/** Fourteen hours in which people call. A machine that says that it goes has 15 minutes until its next report. */
async function callForDays(fleet: ScreenFleet): Promise<void> {
  for (let passed = 0; passed < 14 * 60; passed += 5) {
    const inCalls = Math.max(
      0,
      Math.round(20 * Math.sin(passed / 190) + 6 * Math.sin(passed / 37)),
    );
    await fleet.says(0, [...well(inCalls), "going\treboot"]);
    await fleet.move(5);
  }
  await fleet.says(0, [
    ...well(17),
    ...sessionLines(wholeCall),
    ...agentLines(sessions.room, sessions.begin),
  ]);
  await fleet.says(0, [...well(17), ...evidenceLines(evidenceOfEvenings)]);
}

type Handling = Record<string, string>;

/** Does with the open incident of a server, and with the server, what the forms of its page do. */
async function handle({ person, server }: FleetScreen, forms: readonly Handling[]): Promise<void> {
  const address = `/dashboard/servers/${server}`;
  const page = await (await person.request(address)).text();
  const [, incident = ""] = /name="incident" value="([^"]+)"/.exec(page) ?? [];
  for (const form of forms) {
    const answer = await person.post(address, { incident, ...form });
    if (answer.status !== 303) throw new Error(`${form.intent} was answered ${answer.status}`);
  }
}

/** The address of the newest mail to somebody that acknowledges, as path and query on the site. */
export async function mailedLink(email: string): Promise<string> {
  const links = (await mailsTo(email)).flatMap(
    ({ text }) => /https?:\/\/\S+\/acknowledge\?link=\S+/.exec(text)?.[0] ?? [],
  );
  const [newest] = links;
  if (!newest) throw new Error(`No mail to ${email} has a link that acknowledges`);
  const { pathname, search } = new URL(newest);
  return pathname + search;
}

async function acknowledgeByLink(email: string): Promise<void> {
  const answer = await new Visitor().post(await mailedLink(email), { act: "acknowledge" });
  if (answer.status !== 303) throw new Error(`The link was answered ${answer.status}`);
}

/** A channel of each kind, which are told in turn at once and after ten minutes. */
async function addEveryService(person: Visitor): Promise<void> {
  const browser = new PushReceiver();
  const channels: Handling[] = [
    { intent: "add-pagerduty", key: "e93facc04764012d7bfb002500d5d1a6" },
    { intent: "add-webhook", url: webhookAddress("storm") },
    ...["slack", "teams", "discord", "ntfy"].map((kind) => ({
      ...{ intent: "add-service", kind, url: webhookAddress(kind), name: `#on-call of ${kind}` },
    })),
    {
      ...{ intent: "add-service", kind: "telegram", chat: "-100123" },
      token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    },
    {
      ...{ intent: "add-service", kind: "opsgenie", region: "eu", what: "page" },
      key: "4e8f2d5a-0000-4000-8000-5d3a6c9b1e20",
    },
    { intent: "add-service", kind: "push", url: webhookAddress("push"), ...browser.keys },
  ];
  for (const [at, form] of channels.entries()) {
    const turn = at % 2 === 0 ? "first" : "second";
    const answer = await person.post("/dashboard/alerts", { turn, ...form });
    if (answer.status >= 400) throw new Error(`${form.kind} was answered ${answer.status}`);
  }
}

/** A fleet, the one of its servers that a screen is about, and the deployment of that. */
type FleetScreen = { fleet: ScreenFleet; person: Visitor; server: string; deployment: string };

/** Signs people up and connects their machines. The clock of each fleet stands still as soon as the next one is made. */
export async function prepareFleets(signUp: (email: string) => Promise<Visitor>) {
  async function withMachines(name: string, count: number, options = {}): Promise<FleetScreen> {
    const email = `${name}@example.com`;
    const person = await signUp(email);
    await buy(person, count === 1 ? "basic" : "pro");
    const deployment = await storeDeployment(email, { ...fullOptions(), ...options });
    const machines = await enrolMachines(person, deployment, count);
    const workspace = await personalWorkspaceOf(await userIdOf(email));
    const fleet = new ScreenFleet(person, workspace, machines);
    return { fleet, person, server: fleet.server(), deployment };
  }

  const waiting = await withMachines("waiting", 1);
  await waiting.fleet.refresh();

  const booting = await withMachines("booting", 1);
  await booting.fleet.says(0, stageLines(4));
  await booting.fleet.refresh();

  const stepping = await withMachines("stepping", codes.length);
  for (let at = 1; at < codes.length; at += 1) await stepping.fleet.says(at, stageLines(at));
  await stepping.fleet.refresh();

  const healthy = await withMachines("healthy", 1);
  await healthy.fleet.says(0, well(12));
  await healthy.fleet.refresh();

  const used = await withMachines("used", 1);
  await callForDays(used.fleet);
  await used.fleet.refresh();

  const wrong = await withMachines("wrong", 5);
  await wrong.fleet.says(0, [...well(2), full, portSilent]);
  await wrong.fleet.says(1, well(4));
  await wrong.fleet.says(3, [...well(7), "going\tupdate"]);
  await wrong.fleet.says(4, [...well(5), full]);
  const left = wrong.fleet.machines[2];
  await left?.disconnect();
  await wrong.fleet.refresh();

  const many = await withMachines("many", 22);
  for (let at = 0; at < 22; at += 1) {
    await many.fleet.says(at, at === 7 ? [...well(at), full] : well(at));
  }
  await handle(many, [{ intent: "label", labels: "eu-west, staging" }]);
  await many.fleet.refresh();

  const cluster = await withMachines("cluster", 5);
  await cluster.fleet.says(0, [...well(0), "role\tedge"]);
  await cluster.fleet.says(1, [...well(17), "role\tmedia", "load\t1.9"]);
  await cluster.fleet.says(2, [...well(4), "role\tmedia"]);
  await cluster.fleet.says(3, [...well(6), "role\tmedia", portSilent, full]);
  await cluster.fleet.says(4, recording);
  await cluster.fleet.refresh();

  const down = await withMachines("down", 1);
  await down.fleet.says(0, [...well(3), full]);
  await down.fleet.fallSilent(12);
  await down.fleet.refresh();

  const domain = "quiet.example.com";
  await steerServer(domain, "livekit");
  const silent = await withMachines("silent", 1, { domain });
  await silent.fleet.says(0, well(3));
  await silent.fleet.fallSilent(12);
  await silent.fleet.refresh();

  const snoozed = await withMachines("snoozed", 1);
  await snoozed.fleet.says(0, well(3));
  await snoozed.fleet.fallSilent(12);
  await handle(snoozed, [{ intent: "snooze", until: "8" }]);
  await snoozed.fleet.refresh();

  const handled = await withMachines("handled", 1);
  await handled.fleet.says(0, well(3));
  await handled.fleet.fallSilent(12);
  await handle(handled, [
    { intent: "acknowledge" },
    { intent: "snooze", until: "8" },
    { intent: "maintenance", until: "4" },
  ]);
  await handled.fleet.refresh();

  const answered = await withMachines("answered", 1);
  await answered.fleet.says(0, well(3));
  await answered.fleet.fallSilent(12);
  await acknowledgeByLink("answered@example.com");
  await handle(answered, [{ intent: "unacknowledge" }]);
  await answered.fleet.refresh();

  const storm = await withMachines("storm", 3);
  for (const at of [0, 1, 2]) await storm.fleet.says(at, well(at));
  await handle(storm, [
    { intent: "label", labels: "eu-west, customers with a long name" },
    {
      ...{ intent: "set-threshold", measure: "participants", value: "80" },
      ...{ severity: "page", of: "deployment" },
    },
    {
      ...{ intent: "set-threshold", measure: "memory", value: "90" },
      ...{ severity: "notify", of: "all" },
    },
  ]);
  await addEveryService(storm.person);
  await storm.fleet.fallSilent(12);
  await storm.fleet.refresh();

  const back = await withMachines("back", 1);
  await back.fleet.says(0, well(3));
  await back.fleet.move(12);
  for (let minutes = 0; minutes < 8; minutes += 2) {
    await back.fleet.says(0, well(3));
    await back.fleet.move(2);
  }
  await back.fleet.says(0, well(5));
  await back.fleet.refresh();

  const copied = await withMachines("copied", 1);
  await copied.fleet.says(0, well(2));
  const server = serversAt(copied.person.siteUrl);
  const clone = new Machine(server, "i-clone", described.otherBoot);
  clone.key = copied.fleet.machines[0]?.key ?? "";
  await clone.report(1);
  await copied.fleet.refresh();

  const duplicate = await withMachines("twice", 1);
  await duplicate.fleet.says(0, well(2));
  await duplicate.fleet.machines[0]?.report(1, well(2), { boot: described.otherBoot });
  // Sooner it might be a report from before a reboot.
  await duplicate.fleet.move(2.5);
  await duplicate.fleet.says(0, well(2));
  await duplicate.fleet.refresh();

  const paused = await withMachines("paused", 2);
  await paused.fleet.says(1, well(3));
  await paused.fleet.says(0, well(3));
  await paused.fleet.hasRoomFor(1);
  await paused.fleet.refresh();

  const behind = await withMachines("versions", 2);
  const { deployment } = behind;
  await behind.fleet.says(0, [...well(2), madeFrom(deployment, described.version)]);
  await behind.fleet.says(1, [...well(2), madeFrom(deployment, "c".repeat(64))]);
  const newer = { ...fullOptions(), monitoring: "basic" as const };
  await storeVersion("versions@example.com", deployment, newer, 1);
  await behind.fleet.refresh();

  // Of five owners, whose servers were connected days ago: of fewer, or of newer ones, nobody knows whose fault it is.
  const unheard: FleetScreen[] = [];
  for (const number of [1, 2, 3, 4, 5]) {
    // Their domains answer: of one that does not, it is the server that is away.
    const each = await withMachines(`unheard-${number}`, 4, { domain });
    await each.fleet.connectedBefore(4);
    await each.fleet.move(laterMinutes);
    for (let at = 0; at < 4; at += 1) await each.fleet.says(at, well(at));
    unheard.push(each);
  }
  for (const { fleet } of [...unheard, ...unheard]) await fleet.fallSilent(4);
  for (const { fleet } of unheard) await fleet.refresh();

  return {
    ...{
      waiting,
      booting,
      stepping,
      healthy,
      used,
      wrong,
      many,
      cluster,
      down,
      silent,
      snoozed,
      handled,
      back,
    },
    ...{ answered, storm },
    recorder: { ...cluster, server: cluster.fleet.server(4) },
    ...{ copied, twice: duplicate, unheard: unheard[0] ?? waiting },
    ...{ behind, edited: { ...behind, server: behind.fleet.server(1) } },
    paused: { ...paused, server: paused.fleet.server(1) },
    left: { ...wrong, server: left?.server ?? "" },
  };
}
