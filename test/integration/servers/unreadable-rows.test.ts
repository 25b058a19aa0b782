import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const facts = { name: "Northwind", slug: "northwind", servers: 100 };

/** Three servers, of which the middle one is to be spoiled; `subjects`: of the mails that their maker got. */
async function newFleet() {
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const fleet = await makeFleet(worker, { count: 3, maker: { person, address } });
  const [one, spoiled, other] = fleet.servers;
  if (!one || !spoiled || !other) throw new Error("The fleet has too few servers");
  const subjects = async () => (await mailsTo(address)).map(({ subject }) => subject).toReversed();
  return { ...fleet, one, spoiled, other, subjects };
}

const errors = () => worker.takeLogs().filter(({ level }) => level === "error");
const unreadable = "A row of a fleet cannot be read and is left out";

test.for([
  ["no JSON", "{"],
  ["another shape", "{}"],
  ["a report of another shape", undefined],
] as const)(
  "a server whose row is %s is left out and logged; the others go on",
  async ([, record]) => {
    const { fleets, workspace, one, spoiled, other, move, incidents, subjects } = await newFleet();
    const { server: id } = spoiled;
    worker.takeLogs();
    const deep = {
      ...{ id, deployment: "", name: "sfu-1", keyHash: "", machine: "", instance: "" },
      ...{ enrolledAt: 0, refused: [], boots: [], changes: [], bucket: { left: 1, at: 0 } },
      reportAt: Date.now(),
      report: {
        ...{ stages: [null], findings: [], services: [], certificates: [], addresses: [] },
        metrics: {},
      },
    };
    await worker.spoilRecord(workspace, {
      ...{ table: "servers", id, record: record ?? JSON.stringify(deep) },
    });
    const shown = async () =>
      (await fleets.overview(workspace)).servers.map((each) => each.id).toSorted();
    expect(await shown()).toEqual([one.server, other.server].toSorted());
    await fleets.update(workspace, facts, []);
    await one.report(2);
    await move(3);
    await one.report(3);
    await move(4);
    expect((await worker.fleetCounts(workspace)).calls.alarm).toBeLessThan(20);
    expect((await incidents()).map(({ server }) => server).toSorted()).toEqual(
      [one.server, other.server].toSorted(),
    );
    expect(await subjects()).not.toEqual([]);
    const logged = errors();
    if (record === undefined) expect(logged).not.toEqual([]);
    else expect(logged).toMatchObject([{ message: unreadable, table: "servers", row: id }]);
    expect(await spoiled.report(2)).toMatchObject({
      status: 401,
      lines: { refused: "unknown-key" },
    });
    expect(await other.report(2)).toMatchObject({ status: 200 });
  },
);

test("an unreadable incident, channel and message stop nothing else", async () => {
  const { fleets, workspace, one, spoiled, move, incidents, subjects } = await newFleet();
  const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
  const url = "https://hooks.example.com/alerts";
  const added = await fleets.addChannel(workspace, { kind: "webhook", url }, "second");
  if ("refused" in added) throw new Error("The channel was refused");
  await move(1);
  for (const server of [one, spoiled]) await server.report(2, [critical]);
  const lost = (await incidents()).find(({ server }) => server === spoiled.server);
  for (const [table, id] of [
    ["incidents", lost?.id ?? ""],
    ["channels", added.channel.id],
  ] as const) {
    await worker.spoilRecord(workspace, { table, id, record: "{" });
  }
  worker.takeLogs();
  expect(await fleets.channels(workspace)).toHaveLength(1);
  expect((await incidents()).map(({ server }) => server)).toEqual([one.server]);
  await move(1);
  expect(await subjects()).toEqual(["sfu-1: TURN over UDP gives no relay"]);
  expect(errors().map(({ table }) => table)).toEqual(["channels", "incidents"]);
});

test("an incident whose only cause is null stops nothing else", async () => {
  const { fleets, workspace, one, spoiled, move, incidents, subjects } = await newFleet();
  const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
  await move(1);
  for (const server of [one, spoiled]) await server.report(2, [critical]);
  const lost = (await incidents()).find(({ server }) => server === spoiled.server)?.id ?? "";
  const incident = {
    ...{ id: lost, server: spoiled.server, openedAt: Date.now(), severity: "pages" },
    ...{ causes: [null], told: 0, untold: 1 },
  };
  await worker.spoilRecord(workspace, {
    ...{ table: "incidents", id: lost, record: JSON.stringify(incident) },
  });
  worker.takeLogs();
  expect((await incidents()).map(({ server }) => server)).toEqual([one.server]);
  await fleets.update(workspace, facts, []);
  await move(1);
  expect(await subjects()).toEqual(["sfu-1: TURN over UDP gives no relay"]);
  expect(errors()).toMatchObject([{ message: unreadable, table: "incidents", row: lost }]);
});
