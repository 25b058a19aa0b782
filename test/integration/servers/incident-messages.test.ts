import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { testInProof } from "../../support/run/variants.ts";
import { pagerEvents, webhookAddress, webhookBodies } from "../../support/servers/arrived.ts";
import { Machine } from "../../support/servers/machine.ts";
import { type FleetWanted, makeFleet } from "../../support/servers/make-fleet.ts";
import { machine } from "../../support/servers/report-lines.ts";
import {
  resetFakes,
  steerAlerts,
  steerMail,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const minute = 60_000;
const newFleet = (wanted: FleetWanted = {}) => makeFleet(worker, wanted);
const person = "55555555-5555-4555-8555-555555555555";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const otherBoot = machine.otherBoot;

const pager = { kind: "pagerduty", routingKey: "e93facc04764012d7bfb002500d5d1a6" } as const;
const webhookTo = (name: string) => ({
  kind: "webhook" as const,
  url: webhookAddress(name),
});

/** A fleet whose maker is notified by mail, and PagerDuty and a webhook beside. */
async function alertedFleet(options: FleetWanted = {}) {
  const name = crypto.randomUUID();
  const address = `${name}@example.com`;
  const fleet = await newFleet({ ...options, maker: { person, address } });
  for (const wanted of [pager, webhookTo(name)]) {
    await fleet.fleets.addChannel(fleet.workspace, wanted, "first");
  }
  const subjects = async () => (await mailsTo(address)).map(({ subject }) => subject).toReversed();
  return { ...fleet, name, address, subjects };
}

/** The actions on incidents that PagerDuty received. */
const paged = async () =>
  (await pagerEvents(pager.routingKey)).map(({ event_action }) => event_action);

test("each channel is notified that a server is down, every 15 minutes again, and once that it is well", async () => {
  const { first, move, name, subjects } = await alertedFleet();
  await move(4);
  expect(await subjects()).toEqual([]);
  await move(30);
  const again = "sfu-1 is still not well: The server is down";
  const sent = ["sfu-1 is down", again, again];
  expect(await subjects()).toEqual(sent);
  expect(await paged()).toEqual(["trigger", "trigger", "trigger"]);
  expect((await webhookBodies(name)).map(({ type }) => type)).toEqual([
    ...["incident.opened", "incident.repeated", "incident.repeated"],
  ]);
  for (let seq = 2; seq < 10; seq += 1) {
    await first.report(seq);
    await move(1);
  }
  expect(await subjects()).toEqual([...sent, "sfu-1 is well again"]);
  expect((await paged()).at(-1)).toBe("resolve");
  expect(await webhookBodies(name)).toHaveLength(4);
});

test("an incident of a server in maintenance is sent when that ends, though another was sent meanwhile", async () => {
  const { fleets, workspace, servers, move, subjects, view } = await alertedFleet({ count: 2 });
  await move(4);
  await fleets.acknowledge(workspace, (await view())?.incident?.id ?? "", person);
  await fleets.setMaintenance(workspace, servers[1]?.server ?? "", Date.now() + 34 * minute);
  await move(10);
  expect(await subjects()).toEqual(["sfu-1 is down"]);
  await move(30);
  expect(await subjects()).toHaveLength(2);
});

testInProof(
  "what a second recipient was to get before a maintenance is tried for a day after it",
  async () => {
    const { fleets, workspace, first, move } = await alertedFleet();
    const name = crypto.randomUUID();
    await fleets.addChannel(workspace, webhookTo(name), "second");
    await first.report(2, [critical]);
    await move(1);
    await fleets.setMaintenance(workspace, first.server, Date.now() + 26 * 60 * minute);
    await steerAlerts({ webhooks: "failing" });
    await move(26 * 60);
    const channel = async () =>
      (await fleets.channels(workspace))?.find(({ turn }) => turn === "second");
    expect((await channel())?.failed).toBeUndefined();
    await steerAlerts({ webhooks: "well" });
    await move(60);
    expect(await webhookBodies(name)).not.toHaveLength(0);
    expect((await channel())?.failed).toBeUndefined();
  },
);

testInProof("a webhook that wants no more gets nothing until a test by hand arrives", async () => {
  const { fleets, workspace, first, move, name } = await alertedFleet();
  const webhook = (await fleets.channels(workspace))?.find(({ kind }) => kind === "webhook");
  await steerAlerts({ webhooks: "gone" });
  await first.report(2, [critical]);
  await move(1);
  const count = (await webhookBodies(name)).length;
  await steerAlerts({ webhooks: "failing" });
  await fleets.testChannel(workspace, webhook?.id ?? "");
  await steerAlerts({ webhooks: "well" });
  await move(31 * 24 * 60);
  expect(await webhookBodies(name)).toHaveLength(count + 1);
  await fleets.testChannel(workspace, webhook?.id ?? "");
  await move(31 * 24 * 60);
  expect((await webhookBodies(name)).length).toBeGreaterThan(count + 2);
});

test("an incident that ends before anybody was notified is never sent", async () => {
  const { first, move, subjects } = await alertedFleet();
  await move(4);
  for (let seq = 2; seq < 10; seq += 1) {
    await first.report(seq);
    await move(1);
  }
  expect(await subjects()).toEqual([]);
  expect(await paged()).toEqual([]);
});

testInProof(
  "a channel that is down for an hour gets each incident once when it is back, and none that is over",
  async () => {
    const { fleets, workspace, servers, move, incidents, name, view } = await alertedFleet({
      count: 3,
    });
    const [one, other, well] = servers;
    await steerAlerts({ pagerduty: "down", webhooks: "failing" });
    await one?.report(2, [critical]);
    await other?.report(2, [critical]);
    for (let seq = 3; seq < 63; seq += 1) {
      await move(1);
      await one?.report(seq, [critical]);
      await other?.report(seq, seq < 20 ? [critical] : []);
      await well?.report(seq);
    }
    expect(await incidents()).toHaveLength(2);
    await fleets.acknowledge(workspace, (await view())?.incident?.id ?? "", person);
    await move(0);
    const tries = (await webhookBodies(name)).length;
    await steerAlerts({ pagerduty: "well", webhooks: "well" });
    for (let seq = 63; seq < 130; seq += 1) {
      await move(1);
      for (const server of servers) await server.report(seq, server === one ? [critical] : []);
    }
    expect((await paged()).filter((action) => action === "trigger")).toHaveLength(1);
    expect((await webhookBodies(name)).slice(tries)).toHaveLength(1);
  },
);

test("mail that is down for an hour brings each incident once when it is back, and none that is over", async () => {
  const { servers, move, incidents, subjects } = await alertedFleet({ count: 2 });
  const [one, other] = servers;
  await steerMail({ resend: "down" });
  for (let seq = 2; seq < 63; seq += 1) {
    await one?.report(seq, [critical]);
    await other?.report(seq, seq < 20 ? [critical] : []);
    await move(1);
  }
  expect(await incidents()).toHaveLength(2);
  expect(await subjects()).toEqual([]);
  await steerMail({ resend: "well" });
  for (let seq = 63; seq < 80; seq += 1) {
    await one?.report(seq, [critical]);
    await other?.report(seq);
    await move(1);
  }
  expect(await subjects()).toEqual([
    "sfu-1: TURN over UDP gives no relay",
    "sfu-1 is still not well: TURN over UDP gives no relay",
  ]);
});

testInProof.for([
  ["is slow", "slow"],
  ["never answers", "silent"],
] as const)(
  "a webhook that %s holds up one alarm for seconds, and nobody's mail: %#",
  async ([, how]) => {
    const { workspace, servers, move, name, subjects } = await alertedFleet({ count: 6 });
    await steerAlerts({ webhooks: how });
    await move(1);
    for (const server of servers) await server.report(2, [critical]);
    const arrived = async () => (await webhookBodies(name)).length;
    await worker.moveFleetClock(workspace, 0);
    expect(await subjects()).toEqual(["6 servers are not well"]);
    expect(await arrived()).toBeLessThan(6);
    await steerAlerts({ webhooks: "well" });
    await move(1);
    expect(await arrived()).toBe(6);
    expect(await subjects()).toHaveLength(1);
  },
);

testInProof("a message that an alarm is sending when the clock is moved arrives once", async () => {
  const { first, move, name } = await alertedFleet();
  await steerAlerts({ webhooks: "slow" });
  await first.report(2, [critical]);
  await move(1);
  expect(await webhookBodies(name)).toHaveLength(1);
});

testInProof(
  "a storm of incidents makes 20 mails in an hour, and one of a beginning beyond them",
  async () => {
    const { fleets, workspace, subjects } = await alertedFleet();
    // A quarter past noon of the next day: no digest is made, and no hour ends soon.
    const day = 24 * 60 * minute;
    await worker.moveFleetClock(workspace, day - (Date.now() % day) + 12.25 * 60 * minute);
    const before = (await subjects()).length;
    const newSubjects = async () => (await subjects()).slice(before);
    const wanted = { deployment: crypto.randomUUID(), uses: 23, hours: 72 };
    const { token } = await fleets.makeToken({ workspace, ...wanted });
    for (let count = 1; count <= 23; count += 1) {
      const server = new Machine(worker, `i-storm-${count}`);
      await server.enrol(token);
      await server.report(1, [critical]);
      await worker.moveFleetClock(workspace, 0);
    }
    expect(await newSubjects()).toEqual(Array(21).fill("sfu-1: TURN over UDP gives no relay"));
  },
);

test("a second recipient is notified after ten minutes, but not where somebody acknowledged", async () => {
  for (const acknowledges of [false, true]) {
    const { fleets, workspace, first, move, view } = await newFleet();
    const name = crypto.randomUUID();
    await fleets.addChannel(workspace, webhookTo(name), "second");
    await first.report(2, [critical]);
    if (acknowledges)
      await fleets.acknowledge(workspace, (await view())?.incident?.id ?? "", person);
    const lasting = async (from: number, until: number) => {
      for (let seq = from; seq < until; seq += 1) {
        await move(1);
        await first.report(seq, [critical]);
      }
    };
    await lasting(3, 12);
    expect(await webhookBodies(name)).toHaveLength(0);
    await lasting(12, 16);
    expect(await webhookBodies(name)).toHaveLength(acknowledges ? 0 : 1);
  }
});

test("a silent server whose LiveKit answers pages nobody, and is in the digest of the next day", async () => {
  const domain = "rtc.example.com";
  await steerServer(domain, "livekit");
  const { move, view, subjects } = await alertedFleet({ domain, hour: 12 });
  await move(30);
  expect(await view()).toMatchObject({
    ...{ state: { code: "silent" }, incident: { severity: "tells", causes: [{ code: "silent" }] } },
  });
  expect(await subjects()).toEqual([]);
  await move(24 * 60);
  expect(await subjects()).toEqual([
    "Look at sfu-1 when you have time: The server does not report",
  ]);
  expect(await paged()).toEqual([]);
});

testInProof(
  "a server that stops is down, though another one answers at the domain that both have",
  async () => {
    const domain = "rtc.example.com";
    await steerServer(domain, "livekit");
    const { first, servers, move, view, subjects } = await alertedFleet({ count: 2, domain });
    // Both are connected by now, so it reported beside the other one.
    await first.report(2);
    for (let seq = 2; seq < 30; seq += 1) {
      await move(1);
      await servers[1]?.report(seq);
    }
    expect(await view()).toMatchObject({
      ...{ state: { code: "down" }, incident: { severity: "pages", causes: [{ code: "down" }] } },
    });
    expect(await subjects()).toEqual([
      "sfu-1 is down",
      "sfu-1 is still not well: The server is down",
    ]);
    expect(await paged()).toEqual(["trigger", "trigger"]);
  },
);

testInProof("what is in maintenance when the digest is made is in the next one", async () => {
  const domain = "rtc.example.com";
  await steerServer(domain, "livekit");
  const { fleets, workspace, first, move, subjects } = await alertedFleet({ domain });
  await move(5);
  await fleets.setMaintenance(workspace, first.server, Date.now() + 25 * 60 * minute);
  await move(24 * 60);
  expect(await subjects()).toEqual([]);
  await move(25 * 60);
  expect(await subjects()).toEqual([
    "Look at sfu-1 when you have time: The server does not report",
  ]);
});

test("a channel that wants no more messages is said once by another channel", async () => {
  const { first, move, subjects } = await alertedFleet({ hour: 12 });
  await steerAlerts({ webhooks: "gone" });
  await first.report(2, [critical]);
  await move(1);
  await move(1);
  expect(await subjects()).toEqual([
    "sfu-1: TURN over UDP gives no relay",
    "Alerts do not arrive by webhook",
  ]);
});

test("an alarm whose work throws ten times loses nothing: afterwards all that was due is done once", async () => {
  const fleet = await alertedFleet({ count: 2, isStopped: true });
  const { workspace, move, incidents, subjects } = fleet;
  worker.takeLogs();
  await worker.failFleetAlarms(workspace, 10);
  await move(29);
  expect(await incidents()).toEqual([]);
  const failures = worker.takeLogs().map(({ message }) => String(message));
  expect(failures.filter((each) => each.endsWith("at its servers"))).not.toHaveLength(0);
  await move(14);
  expect(await incidents()).toHaveLength(2);
  expect(await subjects()).toEqual(["2 servers are not well"]);
  expect(await paged()).toEqual(["trigger", "trigger"]);
});

testInProof(
  "a folder that was cloned while it reports is said in the digest, and wakes nobody",
  async () => {
    const { fleets, workspace, subjects, move } = await alertedFleet();
    // Ten minutes before the digest of the next day.
    const day = 24 * 60 * minute;
    await worker.moveFleetClock(workspace, day - (Date.now() % day) + (6 * 60 + 50) * minute);
    const before = (await subjects()).length;
    const wanted = { deployment: crypto.randomUUID(), uses: 1, hours: 72 };
    const { token } = await fleets.makeToken({ workspace, ...wanted });
    const cloned = new Machine(worker, "i-cloned");
    await cloned.enrol(token);
    for (let seq = 1; seq < 9; seq += 1) {
      await cloned.report(seq);
      await cloned.report(seq, [], { boot: otherBoot });
      await move(1);
    }
    const view = await fleets.server(workspace, cloned.server);
    expect(view).toMatchObject({
      ...{ state: { code: "twice" }, incident: { severity: "tells", causes: [{ code: "twice" }] } },
    });
    expect((await subjects()).slice(before)).toEqual([]);
    for (let seq = 9; seq < 13; seq += 1) {
      await cloned.report(seq);
      await cloned.report(seq, [], { boot: otherBoot });
      await move(1);
    }
    expect((await subjects()).slice(before)).toEqual([
      "Look at sfu-1 when you have time: Two machines use one key",
    ]);
  },
);

test("a server that is disconnected on its machine is said to every channel at once (N3)", async () => {
  const { first, move, name, subjects } = await alertedFleet();
  await first.disconnect();
  await move(0);
  expect(await subjects()).toEqual(["sfu-1 was disconnected on its machine"]);
  expect(await paged()).toEqual(["trigger"]);
  expect(await webhookBodies(name)).toMatchObject([
    { type: "server.disconnected", data: { server: { name: "sfu-1" } } },
  ]);
});

test("a channel that is added while an incident pages is notified of it at once (M1)", async () => {
  const { fleets, workspace, first, move, view } = await alertedFleet();
  await first.report(2, [critical]);
  await move(2);
  const add = async (turn: "first" | "second") => {
    const name = crypto.randomUUID();
    await fleets.addChannel(workspace, webhookTo(name), turn);
    await move(0);
    return name;
  };
  const name = await add("first");
  expect((await webhookBodies(name)).map(({ type }) => type)).toEqual(["incident.opened"]);
  const second = await add("second");
  expect(await webhookBodies(second)).toEqual([]);
  await fleets.acknowledge(workspace, (await view())?.incident?.id ?? "", person);
  expect(await webhookBodies(await add("first"))).toEqual([]);
  await move(9);
  expect(await webhookBodies(second)).toEqual([]);
});

test("an acknowledgement is sent to PagerDuty and webhooks once, and ends the repeats (M2)", async () => {
  const { fleets, workspace, first, move, name, view, subjects } = await alertedFleet();
  await first.report(2, [critical]);
  await move(1);
  const id = (await view())?.incident?.id ?? "";
  const words = { who: "ada@example.com", note: "restarting it" };
  await fleets.acknowledge(workspace, id, person, words);
  await fleets.acknowledge(workspace, id, "another");
  await move(1);
  expect(await paged()).toEqual(["trigger", "acknowledge"]);
  expect((await webhookBodies(name)).at(-1)).toMatchObject({
    type: "incident.acknowledged",
    data: { incidents: [{ id, acknowledged: { by: "ada@example.com", note: "restarting it" } }] },
  });
  expect((await view())?.incident?.acknowledged).toMatchObject({ by: person, ...words });
  await move(2 * 60);
  expect(await subjects()).toHaveLength(2);
  await fleets.unacknowledge(workspace, id);
  await move(0);
  expect((await subjects()).at(-1)).toMatch(/^sfu-1 is still not well: /);
});

const facts = { name: "Northwind", slug: "northwind", servers: 500 };
const deployment = "44444444-4444-4444-8444-444444444444";

test("a message says the deployment, the domain and the address of a server, and how many were in calls (M5)", async () => {
  const { fleets, workspace, first, move, address } = await alertedFleet({
    domain: "live.example.com",
  });
  const deployments = { [deployment]: { name: "Production", provider: "hetzner" } };
  await fleets.update(workspace, { ...facts, deployments }, []);
  await first.report(2, [critical, "address\t4\t203.0.113.7", "metric\tparticipants\t12"]);
  await move(1);
  const [mail] = await mailsTo(address);
  expect(mail?.text).toContain(
    "The server of Production: sfu-1, live.example.com, 203.0.113.7. 12 people were in calls at its last report.",
  );
  expect(mail?.text).toContain("Log in: ssh root@203.0.113.7\n");
});

test("a smaller plan pauses all servers but the one that was picked, and one mail names every one (H4)", async () => {
  const { fleets, workspace, servers, first, move, subjects, address } = await alertedFleet({
    count: 3,
  });
  const [, picked] = servers;
  expect(await fleets.pickServer(workspace, picked?.server ?? "")).toBe(true);
  expect(await fleets.pickServer(workspace, crypto.randomUUID())).toBe(false);
  // With one of them something is wrong.
  await first.report(2, [critical]);
  await move(1);
  await fleets.update(workspace, { ...facts, servers: 1 }, []);
  await move(1);
  const { servers: views } = await fleets.overview(workspace);
  const watched = views.filter(({ state }) => state.code !== "paused").map(({ id }) => id);
  expect(watched).toEqual([picked?.server]);
  expect((await subjects()).slice(1)).toEqual(["2 servers are not watched any more"]);
  const names = views.map(({ name }) => name);
  const text = (await mailsTo(address))[0]?.text ?? "";
  for (const name of names) expect(text).toContain(name);
  expect(await paged()).toContain("resolve");
});
