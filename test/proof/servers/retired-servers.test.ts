// Workspaces that make their servers anew leave disconnected ones behind.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { changeRows } from "../../support/servers/change-rows.ts";
import { Machine } from "../../support/servers/machine.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());
afterEach(resetFakes);

const deployment = "44444444-4444-4444-8444-444444444444";
const day = 24 * 60;
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const disconnect = (server: Machine) => server.disconnect();

type Fleet = Awaited<ReturnType<typeof makeFleet>>;

async function connect({ fleets, workspace }: Pick<Fleet, "fleets" | "workspace">, uses = 1) {
  const { token } = await fleets.makeToken({ workspace, deployment, uses, hours: 100 * 24 });
  return async (instance: string) => {
    const server = new Machine(worker, instance);
    expect(await server.enrol(token)).toMatchObject({ status: 200 });
    return server;
  };
}

/** Fails where the condition does not hold for what a fleet keeps. */
const holds = (workspace: string, condition: string) =>
  changeRows(worker, workspace, [`update settings set value = null where not (${condition})`]);

test("a server that is made anew fifty times leaves nothing behind after ninety days, and no number is used twice", async () => {
  const fleet = await makeFleet(worker);
  const { fleets, workspace, first, move } = fleet;
  const anew = await connect(fleet, 50);
  for (let at = 1; at <= 50; at += 1) {
    const server = await anew(`i-anew-${at}`);
    await server.report(1, [critical, "load\t0.5"]);
    expect(await disconnect(server)).toMatchObject({ status: 200 });
  }
  const listed = async () => (await fleets.overview(workspace)).servers.map(({ id }) => id);
  expect(await listed()).toHaveLength(51);
  await move(89 * day);
  expect(await listed()).toHaveLength(51);
  await move(2 * day);
  expect(await listed()).toEqual([first.server]);
  for (const table of ["incidents where server <> ", "servers where id <> "])
    await holds(workspace, `not exists (select 1 from ${table}'${first.server}')`);
  await holds(workspace, "not exists (select 1 from quarters where server <> 1)");
  await holds(workspace, "not exists (select 1 from days where id & 1048575 <> 1)");
  const next = await (await connect(fleet))("i-next");
  await holds(workspace, `(select number from servers where id = '${next.server}') = 52`);
});

test("of more than 500 servers that were disconnected the oldest go first", async () => {
  const fleet = await makeFleet(worker);
  const { fleets, workspace, first } = fleet;
  const last = await (await connect(fleet))("i-last");
  await disconnect(first);
  const others = JSON.stringify(Array.from({ length: 600 }, (_, at) => at + 1));
  await changeRows(worker, workspace, [
    `insert into servers (id, number, token_hash, key_hash, retired, record)
     select servers.id || '-' || value, number + value + 1, '', '', retired - value,
       json_set(record, '$.id', servers.id || '-' || value, '$.retiredAt', retired - value)
     from servers, json_each('${others}') where retired is not null`,
  ]);
  await disconnect(last);
  const { servers } = await fleets.overview(workspace);
  expect(servers.filter(({ retiredAt }) => retiredAt !== undefined)).toHaveLength(500);
  const ids = new Set(servers.map(({ id }) => id));
  expect([last.server, first.server, `${first.server}-498`].every((id) => ids.has(id))).toBe(true);
  expect(ids.has(`${first.server}-499`)).toBe(false);
});

test("what was disconnected is reported to the site for a month", async () => {
  const { fleets, workspace, first, move } = await makeFleet(worker);
  const update = () =>
    fleets.update(workspace, { name: "Northwind", slug: "northwind", servers: 500 }, []);
  await disconnect(first);
  expect(await update()).toMatchObject([{ id: first.server, retiredAt: expect.any(Number) }]);
  await move(29 * day);
  expect(await update()).toHaveLength(1);
  await move(2 * day);
  expect(await update()).toEqual([]);
});

test("the end of what was said often is said of a server that was disconnected meanwhile", async () => {
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const { first, move } = await makeFleet(worker, { maker: { person, address } });
  const subjects = async () => (await mailsTo(address)).map(({ subject }) => subject);
  let seq = 2;
  const minutes = async (count: number, lines: string[]) => {
    for (let minute = 0; minute < count; minute += 1, seq += 1) {
      await first.report(seq, lines);
      await move(1);
    }
  };
  for (let times = 0; times < 2; times += 1) {
    await minutes(2, [critical]);
    await minutes(7, []);
  }
  await minutes(2, [critical]);
  expect(await subjects()).toHaveLength(4);
  await disconnect(first);
  await move(61);
  const [newest, disconnected, ...others] = await subjects();
  expect(newest).toMatch(/^sfu-1 changed .* since the last message, and was disconnected$/);
  expect(disconnected).toMatch(/^sfu-1 was disconnected/);
  expect(others).toHaveLength(4);
});

const formerServers = [
  `create table former (
    id text primary key, number integer not null, token_hash text not null, key_hash text not null,
    record text not null
  ) without rowid`,
  "insert into former select id, number, token_hash, key_hash, record from servers",
  "drop table servers",
  "alter table former rename to servers",
];

test("a fleet whose table does not say which servers were disconnected learns it from its records", async () => {
  const fleet = await makeFleet(worker, { count: 2 });
  const { fleets, workspace, servers, first, move } = fleet;
  await disconnect(first);
  await changeRows(worker, workspace, formerServers);
  // The plan has room for two, of which one is connected.
  await fleets.makeToken({
    ...{ workspace, deployment, uses: 1, hours: 72 },
    facts: { name: "Northwind", slug: "northwind", servers: 2 },
  });
  const second = await (await connect(fleet))("i-second");
  for (const server of [...servers.slice(1), second]) {
    expect(await server.report(2)).toMatchObject({ status: 200 });
  }
  await move(91 * day);
  const ids = (await fleets.overview(workspace)).servers.map(({ id }) => id);
  expect(ids).not.toContain(first.server);
  expect(ids).toHaveLength(2);
});
