import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { Machine } from "../../support/servers/machine.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

const deployment = "44444444-4444-4444-8444-444444444444";
const otherDeployment = "55555555-5555-4555-8555-555555555555";
const facts = { slug: "okapi", name: "Okapi", servers: 500 };

/** A workspace of the test's own, a token of it for each deployment, and what its plan has. */
async function fleetWith(servers: number) {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const tokenOf = async (of: string) => {
    const tokenRequest = { workspace, deployment: of, uses: 3, hours: 72 };
    const made = await fleets.makeToken({ ...tokenRequest, facts: { ...facts, servers } });
    return made.token;
  };
  return { fleets, workspace, token: await tokenOf(deployment), tokenOf };
}

test("a plan of one server takes one machine, and says to the second what to do", async () => {
  const { fleets, workspace, token } = await fleetWith(1);
  const first = new Machine(worker, "i-first");
  expect(await first.enrol(token)).toMatchObject({ status: 200 });
  const second = await new Machine(worker, "i-second").enrol(token);
  expect(second).toMatchObject({ status: 403, lines: { refused: "plan-limit" } });
  expect(second.lines.say).toContain("Disconnect one in the console, or change the plan.");
  await fleets.retire(workspace, first.server);
  expect(await new Machine(worker, "i-second").enrol(token)).toMatchObject({ status: 200 });
});

test("a workspace without a plan connects no machine, and one that is connected reports on", async () => {
  const { fleets, workspace, token } = await fleetWith(500);
  const server = new Machine(worker);
  await server.enrol(token);
  await fleets.update(workspace, { ...facts, servers: 0 }, []);
  const next = await new Machine(worker, "i-next").enrol(token);
  expect(next).toMatchObject({ status: 403, lines: { refused: "plan-limit" } });
  expect(await server.report(1)).toMatchObject({ status: 200 });
});

test("a fleet that is updated answers its servers, and one that has none is not made by it", async () => {
  const { fleets, workspace, token } = await fleetWith(500);
  const server = new Machine(worker);
  await server.enrol(token);
  const record = { id: server.server, deployment, name: "sfu-1", enrolledAt: expect.any(Number) };
  expect(await fleets.update(workspace, facts, [])).toEqual([record]);
  const nobodys = crypto.randomUUID();
  expect(await fleets.update(nobodys, facts, [])).toEqual([]);
  expect((await fleets.overview(nobodys)).servers).toEqual([]);
});

test("a deleted deployment's servers and tokens end when the fleet is updated; another's go on", async () => {
  const { fleets, workspace, token, tokenOf } = await fleetWith(500);
  const [gone, stays] = [new Machine(worker, "i-gone"), new Machine(worker, "i-stays")];
  await gone.enrol(token);
  const other = await tokenOf(otherDeployment);
  await stays.enrol(other);
  await fleets.update(workspace, facts, [deployment]);
  expect(await gone.report(1)).toMatchObject({ status: 410, lines: { refused: "key-revoked" } });
  const late = await new Machine(worker, "i-late").enrol(token);
  expect(late).toMatchObject({ status: 410, lines: { refused: "token-revoked" } });
  expect(await stays.report(1)).toMatchObject({ status: 200 });
  expect(await new Machine(worker, "i-next").enrol(other)).toMatchObject({ status: 200 });
});

const uncontacted = "The site has not contacted this workspace's servers for eight days";
const uncontactedLogs = () => worker.takeLogs().filter(({ message }) => message === uncontacted);

test("a fleet that nobody has updated for eight days keeps everything, and says so in the log", async () => {
  const { fleets, workspace, token } = await fleetWith(500);
  const server = new Machine(worker);
  await server.enrol(token);
  await fleets.update(workspace, facts, []);
  await worker.moveFleetClock(workspace, 7 * 86_400_000);
  expect(uncontactedLogs()).toEqual([]);
  await worker.moveFleetClock(workspace, 3 * 86_400_000);
  expect(uncontactedLogs()[0]).toMatchObject({ level: "error", workspace });
  expect(await server.report(1)).toMatchObject({ status: 200, lines: { taken: "1" } });
  await fleets.update(workspace, facts, []);
  await worker.moveFleetClock(workspace, 2 * 86_400_000);
  expect(uncontactedLogs()).toEqual([]);
});

test("eight days count from the first token where the site never updated a fleet", async () => {
  const { workspace } = await fleetWith(500);
  worker.takeLogs();
  await worker.moveFleetClock(workspace, 7 * 86_400_000);
  expect(uncontactedLogs()).toEqual([]);
  await worker.moveFleetClock(workspace, 2 * 86_400_000);
  expect(uncontactedLogs()[0]).toMatchObject({ level: "error", workspace });
});
