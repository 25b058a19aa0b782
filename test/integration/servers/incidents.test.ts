import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { machine } from "../../support/servers/report-lines.ts";
import {
  askedOfInternet,
  fakes,
  resetFakes,
  steerAlerts,
  steerInternet,
} from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

afterEach(resetFakes);

const minute = 60_000;
const newFleet = (wanted: Parameters<typeof makeFleet>[1] = {}) => makeFleet(worker, wanted);
const person = "55555555-5555-4555-8555-555555555555";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const otherBoot = machine.otherBoot;
const warning = "finding\tdisk.filling\twarning\t/\t91 %\t";

test("a server that says nothing is down after three minutes, with one incident that its return closes", async () => {
  const { first, move, view, incidents } = await newFleet();
  await move(2);
  expect(await view()).toMatchObject({ state: { code: "healthy" }, incident: undefined });
  await move(2);
  expect(await view()).toMatchObject({
    state: { code: "down" },
    incident: { severity: "pages", causes: [{ code: "down" }] },
  });
  await move(30);
  expect(await incidents()).toHaveLength(1);
  await first.report(2);
  expect((await view())?.state.code).toBe("healthy");
  for (let seq = 3; seq < 9; seq += 1) {
    await move(1);
    await first.report(seq);
  }
  expect(await view()).toMatchObject({ incident: undefined });
  expect(await incidents()).toMatchObject([
    { closedAt: expect.any(Number), causes: [{ code: "down", endedAt: expect.any(Number) }] },
  ]);
});

test("a finding of the doctor's opens an incident with its words, and its end closes it", async () => {
  const { first, move, view, incidents } = await newFleet();
  await first.report(2, [critical, warning]);
  const found = { code: "turn.udp.silent", severity: "pages", found: "nothing came back" };
  expect((await view())?.incident).toMatchObject({
    severity: "pages",
    causes: [found, { code: "disk.filling", subject: "/", severity: "tells" }],
  });
  for (let seq = 3; seq < 10; seq += 1) {
    await move(1);
    await first.report(seq);
  }
  expect(await incidents()).toMatchObject([{ closedAt: expect.any(Number) }]);
});

test("a disconnected server's incident closes at once", async () => {
  const { fleets, workspace, first, view, incidents } = await newFleet();
  await first.report(2, [critical]);
  await fleets.retire(workspace, first.server);
  expect(await view()).toMatchObject({ state: { code: "retired" }, incident: undefined });
  expect(await incidents()).toMatchObject([{ closedAt: expect.any(Number) }]);
});

test("people acknowledge and snooze an incident, and work on a server, where there is one", async () => {
  const { fleets, workspace, first, view } = await newFleet();
  const other = await newFleet();
  await first.report(2, [critical]);
  const id = (await view())?.incident?.id ?? "";
  const until = Date.now() + 60 * minute;
  for (const [of, there] of [
    [other.workspace, false],
    [workspace, true],
  ] as const) {
    expect(await fleets.acknowledge(of, id, person)).toBe(there);
    expect(await fleets.snooze(of, id, until)).toBe(there);
    expect(await fleets.setMaintenance(of, first.server, until)).toBe(there);
  }
  expect(await view()).toMatchObject({
    incident: { acknowledged: { by: person }, snoozedUntil: until },
    maintenanceUntil: until,
  });
  await fleets.setMaintenance(workspace, first.server, null);
  expect((await view())?.maintenanceUntil).toBeUndefined();
});

const pager = { kind: "pagerduty", routingKey: "e93facc04764012d7bfb002500d5d1a6" } as const;
const webhookTo = (name: string) => ({
  kind: "webhook" as const,
  url: `${fakes().alerts.url}/webhooks/${name}`,
});

/** A fleet whose maker is told by mail, and PagerDuty and a webhook beside. */
async function toldFleet(options: { count?: number; domain?: string } = {}) {
  const name = crypto.randomUUID();
  const address = `${name}@example.com`;
  const fleet = await newFleet({ ...options, maker: { person, address } });
  for (const wanted of [pager, webhookTo(name)]) {
    await fleet.fleets.addChannel(fleet.workspace, wanted, "first");
  }
  const subjects = async () => (await mailsTo(address)).map(({ subject }) => subject).toReversed();
  return { ...fleet, name, address, subjects };
}

async function listed<Item>(path: string): Promise<Item[]> {
  return (await fetch(`${fakes().alerts.url}/_local/${path}`)).json();
}

type PagerEvent = { event_action: string; dedup_key: string };
/** What PagerDuty was told of incidents. */
const paged = async () =>
  (await listed<PagerEvent>("pagerduty")).map(({ event_action }) => event_action);
const webhooked = async (wanted: string) =>
  (await listed<{ name: string; body: string }>("webhooks"))
    .filter(({ name }) => name === wanted)
    .map(({ body }) => JSON.parse(body) as { type: string });

test("each channel is told once that a server is down, and once that it is well again", async () => {
  const { first, move, name, subjects } = await toldFleet();
  await move(4);
  expect(await subjects()).toEqual([]);
  await move(30);
  expect(await subjects()).toEqual(["sfu-1: The server is down"]);
  expect(await paged()).toEqual(["trigger"]);
  expect(await webhooked(name)).toHaveLength(1);
  for (let seq = 2; seq < 10; seq += 1) {
    await first.report(seq);
    await move(1);
  }
  expect(await subjects()).toEqual(["sfu-1: The server is down", "sfu-1 is well again"]);
  expect(await paged()).toEqual(["trigger", "resolve"]);
  expect(await webhooked(name)).toHaveLength(2);
});

test("a server in maintenance is told when that ends, though another one was told meanwhile", async () => {
  const { fleets, workspace, servers, move, subjects } = await toldFleet({ count: 2 });
  await move(4);
  await fleets.setMaintenance(workspace, servers[1]?.server ?? "", Date.now() + 34 * minute);
  await move(10);
  expect(await subjects()).toEqual(["sfu-1: The server is down"]);
  await move(30);
  expect(await subjects()).toHaveLength(2);
});

test("a webhook that wants no more gets nothing until a test by hand arrives", async () => {
  const { fleets, workspace, first, move, name } = await toldFleet();
  const webhook = (await fleets.channels(workspace))?.find(({ kind }) => kind === "webhook");
  await steerAlerts({ webhooks: "gone" });
  await first.report(2, [critical]);
  await move(1);
  const count = (await webhooked(name)).length;
  await steerAlerts({ webhooks: "failing" });
  await fleets.testChannel(workspace, webhook?.id ?? "");
  await steerAlerts({ webhooks: "well" });
  await move(31 * 24 * 60);
  expect(await webhooked(name)).toHaveLength(count + 1);
  await fleets.testChannel(workspace, webhook?.id ?? "");
  await move(31 * 24 * 60);
  expect((await webhooked(name)).length).toBeGreaterThan(count + 2);
});

test("what is well again before anybody was told is never told", async () => {
  const { first, move, subjects } = await toldFleet();
  await move(4);
  for (let seq = 2; seq < 10; seq += 1) {
    await first.report(seq);
    await move(1);
  }
  expect(await subjects()).toEqual([]);
  expect(await paged()).toEqual([]);
});

test("a channel that is down for an hour is told each incident once when it is back, and none that is over", async () => {
  const { servers, move, incidents, name } = await toldFleet({ count: 3 });
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
  const tries = (await webhooked(name)).length;
  await steerAlerts({ pagerduty: "well", webhooks: "well" });
  for (let seq = 63; seq < 130; seq += 1) {
    await move(1);
    for (const server of servers) await server.report(seq, server === one ? [critical] : []);
  }
  expect((await paged()).filter((action) => action === "trigger")).toHaveLength(1);
  expect((await webhooked(name)).slice(tries)).toHaveLength(1);
});

test("a second recipient is told after ten minutes, but not where somebody acknowledged", async () => {
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
    expect(await webhooked(name)).toHaveLength(0);
    await lasting(12, 16);
    expect(await webhooked(name)).toHaveLength(acknowledges ? 0 : 1);
  }
});

test("a silent server whose LiveKit answers pages nobody, and is in the digest of the next day", async () => {
  const domain = "rtc.example.com";
  await steerInternet({ server: domain, answers: "livekit" });
  const { move, view, subjects } = await toldFleet({ domain });
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

test("what is in maintenance when the digest is made is in the next one", async () => {
  const domain = "rtc.example.com";
  await steerInternet({ server: domain, answers: "livekit" });
  const { fleets, workspace, first, move, subjects } = await toldFleet({ domain });
  await move(5);
  await fleets.setMaintenance(workspace, first.server, Date.now() + 25 * 60 * minute);
  await move(24 * 60);
  expect(await subjects()).toEqual([]);
  await move(25 * 60);
  expect(await subjects()).toEqual([
    "Look at sfu-1 when you have time: The server does not report",
  ]);
});

test("a silent server whose LiveKit does not answer is down", async () => {
  const domain = "rtc.example.com";
  await steerInternet({ server: domain, answers: "nothing" });
  const { move, view } = await toldFleet({ domain });
  await move(4);
  expect(await view()).toMatchObject({ state: { code: "down" }, incident: { severity: "pages" } });
  expect((await askedOfInternet()).filter((path) => path.includes(domain))).toHaveLength(1);
});

test("an alarm whose work throws ten times loses nothing: afterwards all that was due is done once", async () => {
  const { workspace, move, incidents, subjects } = await toldFleet({ count: 2 });
  worker.takeLogs();
  await worker.failFleetAlarms(workspace, 10);
  await move(29);
  expect(await incidents()).toEqual([]);
  const failures = worker.takeLogs().map(({ message }) => String(message));
  expect(failures.filter((each) => each.endsWith("at its servers"))).not.toHaveLength(0);
  await move(30);
  expect(await incidents()).toHaveLength(2);
  expect(await subjects()).toEqual(["2 servers are not well"]);
  expect(await paged()).toEqual(["trigger", "trigger"]);
});

test.for(["the next report", "the site, which updates fleets"] as const)(
  "an alarm that was lost is set anew by %s",
  async (by) => {
    const { fleets, workspace, servers, first, move, incidents } = await toldFleet({ count: 2 });
    await worker.loseFleetAlarm(workspace);
    await move(10);
    expect(await incidents()).toEqual([]);
    if (by === "the next report") await first.report(2);
    else await fleets.update(workspace, { name: "Northwind", slug: "northwind", servers: 100 }, []);
    await move(4);
    const silent = by === "the next report" ? servers.slice(1) : servers;
    expect((await incidents()).map(({ server }) => server).toSorted()).toEqual(
      expect.arrayContaining(silent.map(({ server }) => server)),
    );
  },
);

test("a server that a new plan lets report again is watched from when it may", async () => {
  const { fleets, workspace, move, incidents } = await newFleet({ count: 2 });
  const facts = { name: "Northwind", slug: "northwind" };
  await fleets.update(workspace, { ...facts, servers: 1 }, []);
  await move(60);
  expect(await incidents()).toHaveLength(1);
  await fleets.update(workspace, { ...facts, servers: 2 }, []);
  await move(75);
  expect(await incidents()).toHaveLength(2);
});

test("reports from 1970, twice and in the wrong order open and close nothing by themselves", async () => {
  const { first, move, view, incidents } = await newFleet();
  await first.report(3, [critical], { at: 0 });
  const id = (await view())?.incident?.id;
  expect(id).toBeTypeOf("string");
  await first.report(2);
  await first.report(3, [critical], { at: 0 });
  for (let seq = 4; seq < 12; seq += 1) {
    await move(1);
    await first.report(seq, [critical], { at: 99_999_999_999 });
    await first.report(1);
  }
  expect((await view())?.incident).toMatchObject({ id, causes: [{ code: "turn.udp.silent" }] });
  expect(await incidents()).toHaveLength(1);
});

test("a report that is sent again is no sign of life: the server stays down", async () => {
  const { first, move, view } = await newFleet();
  await move(5);
  expect(await first.report(1)).toMatchObject({ status: 200 });
  expect(await view()).toMatchObject({ state: { code: "down" }, incident: { severity: "pages" } });
});

test("a machine that was restored from an old backup goes on as the same server", async () => {
  const { first, move, view, incidents } = await newFleet();
  await first.report(900);
  await move(5);
  expect((await view())?.state.code).toBe("down");
  expect(await first.report(1, [], { boot: otherBoot })).toMatchObject({ status: 200 });
  expect((await view())?.state.code).toBe("healthy");
  for (let seq = 2; seq < 9; seq += 1) {
    await move(1);
    await first.report(seq, [], { boot: otherBoot });
  }
  expect(await incidents()).toMatchObject([{ closedAt: expect.any(Number) }]);
});

test("a folder that was cloned while it reports is said in the digest, and wakes nobody", async () => {
  const { first, move, view, subjects } = await toldFleet();
  for (let seq = 2; seq < 12; seq += 1) {
    await move(1);
    await first.report(seq);
    await first.report(seq, [], { boot: otherBoot });
  }
  expect(await view()).toMatchObject({
    ...{ state: { code: "twice" }, incident: { severity: "tells", causes: [{ code: "twice" }] } },
  });
  expect(await subjects()).toEqual([]);
});

test("a clone with another machine's id asks, and the server's own incident goes on", async () => {
  const { first, view } = await newFleet();
  await first.report(2, [critical]);
  const before = (await view())?.incident;
  expect(await first.report(3, [], { instance: "i-clone" })).toMatchObject({ status: 409 });
  expect(await view()).toMatchObject({ incident: before, request: { instance: "i-clone" } });
});

test("a workspace that never had a server can be forgotten, also twice", async () => {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  await fleets.forget(workspace);
  await fleets.forget(workspace);
  expect((await fleets.overview(workspace)).servers).toEqual([]);
});
