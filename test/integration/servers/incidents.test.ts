import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { testInProof } from "../../support/run/variants.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { machine } from "../../support/servers/report-lines.ts";
import { resetFakes, resolverRequests, steerServer } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
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

test("a threshold of the team's own opens an incident after five minutes, and none once it is removed", async () => {
  const { fleets, workspace, first, move, view, incidents } = await newFleet();
  const wanted = { measure: "participants", value: 40, severity: "page" } as const;
  expect(await fleets.setThreshold(workspace, wanted)).toBe(true);
  // It takes the place of the one before.
  expect(await fleets.setThreshold(workspace, { ...wanted, value: 20 })).toBe(true);
  let seq = 1;
  const minutes = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      seq += 1;
      await first.report(seq, ["metric\tparticipants\t30"]);
      await move(1);
    }
  };
  await minutes(5);
  expect(await view()).toMatchObject({ state: { code: "healthy" }, incident: undefined });
  await minutes(1);
  expect(await view()).toMatchObject({
    state: { code: "degraded", finding: "threshold.participants" },
    incident: {
      severity: "pages",
      causes: [{ code: "threshold.participants", found: "30 in calls", wanted: "20 in calls" }],
    },
  });
  const { thresholds = [] } = (await fleets.server(workspace, first.server)) ?? {};
  expect(thresholds).toMatchObject([{ measure: "participants", value: 20, severity: "page" }]);
  expect(await fleets.removeThreshold(workspace, thresholds[0]?.id ?? "")).toBe(true);
  expect(await fleets.removeThreshold(workspace, thresholds[0]?.id ?? "")).toBe(false);
  await minutes(7);
  expect(await view()).toMatchObject({ state: { code: "healthy" }, incident: undefined });
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

test("a silent server whose LiveKit does not answer is down", async () => {
  const domain = "rtc.example.com";
  await steerServer(domain, "nothing");
  const { move, view } = await newFleet({ domain });
  await move(4);
  expect(await view()).toMatchObject({ state: { code: "down" }, incident: { severity: "pages" } });
  expect((await resolverRequests()).filter((path) => path.startsWith("/servers/"))).toHaveLength(1);
});

testInProof("a silent server is asked at the domain that it reported last", async () => {
  const [former, domain] = ["former.example.com", "rtc.example.com"];
  await steerServer(former, "livekit");
  await steerServer(domain, "nothing");
  const { first, move, view } = await newFleet({ domain: former });
  await first.report(2, [`domain\t${domain}`]);
  await move(4);
  expect((await view())?.state.code).toBe("down");
  const dnsRequests = await resolverRequests();
  expect(dnsRequests.filter((path) => path.startsWith("/servers/"))).toEqual([
    expect.stringContaining(domain),
  ]);
});

testInProof.for(["the next report", "the site, which updates fleets"] as const)(
  "an alarm that was lost is set anew by %s",
  async (by) => {
    const { fleets, workspace, servers, first, move, incidents } = await newFleet({ count: 2 });
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

testInProof(
  "reports from 1970, twice and in the wrong order open and close nothing by themselves",
  async () => {
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
  },
);

test("a report that is sent again is no sign of life: the server stays down", async () => {
  const { first, move, view } = await newFleet();
  await move(5);
  expect(await first.report(1)).toMatchObject({ status: 200 });
  expect(await view()).toMatchObject({ state: { code: "down" }, incident: { severity: "pages" } });
});

testInProof(
  "a machine that was restored from an old backup goes on as the same server",
  async () => {
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
  },
);

testInProof(
  "a clone with another machine's id asks, and the server's own incident goes on",
  async () => {
    const { first, view } = await newFleet();
    await first.report(2, [critical]);
    const before = (await view())?.incident;
    expect(await first.report(3, [], { instance: "i-clone" })).toMatchObject({ status: 409 });
    expect(await view()).toMatchObject({ incident: before, request: { instance: "i-clone" } });
  },
);

testInProof("a workspace that never had a server can be forgotten, also twice", async () => {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  await fleets.forget(workspace);
  await fleets.forget(workspace);
  expect((await fleets.overview(workspace)).servers).toEqual([]);
});

test("50 incidents are acknowledged in one press, which is one call of the fleet (M3)", async () => {
  const { fleets, workspace, servers, move } = await newFleet({ count: 50 });
  for (const server of servers) await server.report(2, [critical]);
  await move(0);
  const by = { by: person, who: "ada@example.com" };
  expect(await fleets.changeMany(workspace, "all", { act: "acknowledge", by })).toBe(50);
  const incidents = async () =>
    (await fleets.overview(workspace)).servers.map(({ incident }) => incident);
  expect((await incidents()).every((incident) => incident?.acknowledged?.who === by.who)).toBe(
    true,
  );
  expect(await fleets.changeMany(workspace, "all", { act: "acknowledge", by })).toBe(0);
  const chosen = servers.slice(0, 3).map(({ server }) => server);
  const until = Date.now() + 60 * minute;
  const some = { servers: [...chosen, crypto.randomUUID()] };
  expect(await fleets.changeMany(workspace, some, { act: "snooze", until })).toBe(3);
  expect((await incidents()).filter((incident) => incident?.snoozedUntil === until)).toHaveLength(
    3,
  );
  const elsewhere = { deployment: crypto.randomUUID() };
  expect(await fleets.changeMany(workspace, elsewhere, { act: "maintenance", until })).toBe(0);
  const here = { deployment: "44444444-4444-4444-8444-444444444444" };
  expect(await fleets.changeMany(workspace, here, { act: "maintenance", until })).toBe(50);
});
