import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
const deployment = "44444444-4444-4444-8444-444444444444";
const minute = 60_000;

/** A cluster of an edge and so many media and Egress machines, by one token, each of which has reported once. */
async function cluster(media: number, egress = 0) {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const address = `${workspace}@example.com`;
  const { token } = await fleets.makeToken({
    ...{ workspace, deployment, uses: media + egress + 1, hours: 72, domain: "rtc.example.com" },
    facts: {
      ...{ name: "Northwind", slug: "northwind", servers: 20 },
      deployments: { [deployment]: { name: "Production" } },
    },
    maker: { person: "ada", address },
  });
  const machines = new Map<string, Machine>();
  let seq = 0;
  const say = async (name: string, lines: readonly string[] = []) => {
    seq += 1;
    const usual = [`role\t${name.split("-")[0]}`, "cpus\t4", "load\t0.2"];
    return machines.get(name)?.report(seq, [...usual, ...lines]);
  };
  const numbered = (role: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${role}-${at + 1}`);
  for (const name of ["edge", ...numbered("media", media), ...numbered("egress", egress)]) {
    const machine = new Machine(worker, `i-${name}`, undefined, name);
    machine.address = "192.0.2.77";
    expect(await machine.enrol(token)).toMatchObject({ status: 200 });
    machines.set(name, machine);
    await say(name);
  }
  // What is due is then done by a move, and by nothing else.
  await worker.stopFleetClock(workspace);
  const move = (minutes: number) => worker.moveFleetClock(workspace, minutes * minute);
  const overview = () => fleets.overview(workspace);
  const open = async () => (await overview()).clusters?.[0]?.incident;
  const machine = (name: string) => machines.get(name) ?? new Machine(worker);
  const mails = async () => (await mailsTo(address)).toReversed();
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  const bodies = async () => (await mails()).map(({ text }) => text);
  return { fleets, workspace, machine, say, move, overview, open, subjects, bodies };
}

test("machines of one deployment with a role are one cluster: a fault of one is a line of its incident", async () => {
  const { fleets, workspace, say, open, overview } = await cluster(2);
  expect((await overview()).clusters).toEqual([{ deployment, incident: undefined }]);
  await say("media-2", ["finding\tturn.udp.silent\tcritical\t\t\t"]);
  const incident = await open();
  expect(incident).toMatchObject({
    severity: "pages",
    causes: [{ code: "turn.udp.silent", machine: { name: "media-2", role: "media" } }],
  });
  const servers = (await overview()).servers;
  expect(servers.flatMap(({ name, incident }) => (incident ? [name] : []))).toEqual(["media-2"]);
  expect(await fleets.acknowledge(workspace, incident?.id ?? "", "ada")).toBe(true);
  expect((await open())?.acknowledged).toMatchObject({ by: "ada" });
  const page = await fleets.incident(workspace, incident?.id ?? "");
  expect(page).toMatchObject({ server: { id: deployment, isCluster: true } });
});

test("a machine that leaves is disconnected, and nobody is told; of the edge they are", async () => {
  const { machine, overview, say, move, subjects } = await cluster(2);
  const leave = (name: string) => machine(name).disconnect("left yes\n");
  expect(await leave("media-1")).toMatchObject({ status: 200 });
  expect(await say("media-1")).toMatchObject({ status: 410, lines: { refused: "key-revoked" } });
  const connected = (await overview()).servers.filter(({ retiredAt }) => retiredAt === undefined);
  expect(connected.map(({ name }) => name).sort()).toEqual(["edge", "media-2"]);
  await move(0);
  expect(await subjects()).toEqual([]);
  // Whoever has stolen a key would say the same.
  await leave("media-2");
  await leave("edge");
  await move(0);
  expect((await subjects()).toSorted()).toEqual([
    "edge was disconnected on its machine",
    "media-2 was disconnected on its machine",
  ]);
});

test("an Egress machine leaves where another one records, and nobody is told; of the last one they are", async () => {
  const { machine, move, subjects } = await cluster(1, 2);
  const leave = (name: string) => machine(name).disconnect("left yes\n");
  await leave("egress-1");
  await move(0);
  expect(await subjects()).toEqual([]);
  await leave("egress-2");
  await move(0);
  expect(await subjects()).toEqual(["egress-2 was disconnected on its machine"]);
});

test("the page of an Egress machine leads to no calls, and offers no check from outside", async () => {
  const { browser, askForToken } = await serverCustomer(worker, "pro");
  const { token } = await askForToken("2");
  const pageOf = async (role: string) => {
    const machine = new Machine(worker, `i-${role}`, undefined, `${role}-1`);
    expect(await machine.enrol(token)).toMatchObject({ status: 200 });
    await machine.report(1, [`role\t${role}`]);
    const page = await browser.request(`/dashboard/servers/${machine.server}`);
    return textOfHtml(await page.text());
  };
  const ofCalls = /Sessions|Live rooms|Why calls fail|From outside/g;
  expect((await pageOf("media")).match(ofCalls)).toContain("Sessions");
  const page = await pageOf("egress");
  expect(page).toContain("egress-1");
  expect(page.match(ofCalls)).toBeNull();
});

test("the edge dies: one message of the cluster, with its page", async () => {
  const { say, move, subjects, bodies, open } = await cluster(2);
  const unreached = ["finding\tedge.silent\tcritical\t10.0.0.2\t\t"];
  for (let at = 1; at <= 6; at += 1) {
    await move(1);
    for (const name of ["media-1", "media-2"]) await say(name, at > 4 ? unreached : []);
  }
  expect((await open())?.causes).toMatchObject([{ code: "down", machine: { name: "edge" } }]);
  await move(3);
  expect(await subjects()).toEqual(["Production: edge: The edge is down, and nobody can join"]);
  expect((await bodies())[0]).toContain(`/deployments/${deployment}#cluster`);
});

test("a maintenance of a cluster is that of all its machines", async () => {
  const { fleets, workspace, overview } = await cluster(2);
  const until = Date.now() + 60 * minute;
  expect(await fleets.setMaintenance(workspace, deployment, until)).toBe(true);
  const { servers } = await overview();
  expect(servers.map(({ maintenanceUntil }) => maintenanceUntil)).toEqual([until, until, until]);
});
