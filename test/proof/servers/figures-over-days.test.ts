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
const minute = 60_000;
const day = 24 * 60 * minute;

/** A server of a workspace of its own. */
async function connected() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const token = await fleets.makeToken({ workspace, deployment, uses: 2, hours: 72 });
  const server = new Machine(worker);
  await server.enrol(token.token);
  let seq = 0;
  return {
    token: token.token,
    workspace,
    report: (participants: number, machine = server) =>
      machine.report(++seq, [`metric\tparticipants\t${participants}`]),
    pass: (ms: number) => worker.moveFleetClock(workspace, ms),
    /** What was reported of participants in a range: their number, the oldest first. */
    async participants(range: "48h" | "7d" | "90d", id = server.server) {
      const page = await fleets.server(workspace, id, range);
      const { most } = page?.series.figures.participants ?? { most: new Float32Array() };
      return [...most].filter((value) => !Number.isNaN(value));
    },
  };
}

test("a report is in the figures of 48 hours, 7 and 90 days, and each forgets it in its time", async () => {
  const { report, pass, participants } = await connected();
  await report(200);
  expect(await participants("48h")).toEqual([200]);
  expect(await participants("7d")).toEqual([200]);
  expect(await participants("90d")).toEqual([200]);

  await pass(day + 1_000);
  await report(3);
  expect(await participants("48h")).toEqual([200, 3]);

  await pass(2 * day);
  expect(await participants("48h")).toEqual([]);
  expect(await participants("7d")).toEqual([200, 3]);

  await pass(5 * day);
  expect(await participants("7d")).toEqual([]);
  expect(await participants("90d")).toEqual([200, 3]);

  await pass(81 * day);
  expect(await participants("90d")).toEqual([200, 3]);
  await pass(2 * day);
  expect(await participants("90d")).toEqual([]);
});

test("the least and the most of an hour outlive its minutes", async () => {
  const { report, pass, participants } = await connected();
  for (const count of [7, 250, 0]) {
    await report(count);
    await pass(15 * minute);
  }
  await pass(4 * day);
  expect(Math.max(...(await participants("7d")))).toBe(250);
  expect(Math.max(...(await participants("90d")))).toBe(250);
});

test("figures of one server are never another's", async () => {
  const { token, report, pass, participants } = await connected();
  const other = new Machine(worker, "i-other");
  await other.enrol(token);
  await report(5);
  await report(9, other);
  await pass(3 * day);
  expect(await participants("7d")).toEqual([5]);
  expect(await participants("7d", other.server)).toEqual([9]);
});

test("days between which nothing was reported keep their figures", async () => {
  const { report, pass, participants } = await connected();
  await report(8);
  for (let days = 0; days < 3; days += 1) {
    await pass(3 * day);
    await report(days);
  }
  expect(await participants("90d")).toEqual([8, 0, 1, 2]);
});
