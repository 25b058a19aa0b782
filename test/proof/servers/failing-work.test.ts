// Work of a fleet that throws, for whatever reason, again and again.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { webhookAddress } from "../../support/servers/arrived.ts";
import { changeRows } from "../../support/servers/change-rows.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes, steerMail } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());
afterEach(resetFakes);

const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const opened = "sfu-1: TURN over UDP gives no relay";

/** A server whose maker is notified by mail. */
async function fleetWithMail() {
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const fleet = await makeFleet(worker, { maker: { person, address } });
  const alarms = async () => (await worker.fleetCounts(fleet.workspace)).calls.alarm ?? 0;
  const subjects = async () => (await mailsTo(address)).map(({ subject }) => subject);
  const failures = () =>
    worker.takeLogs().flatMap(({ level, message }) => (level === "error" ? [message] : []));
  return { ...fleet, alarms, subjects, failures };
}

test("a piece of the alarm that throws is tried each three minutes, and what else is due keeps its time", async () => {
  const { workspace, first, move, alarms, subjects, failures } = await fleetWithMail();
  const never = ["drop table tokens", "delete from settings where name = 'removed-old'"];
  await changeRows(worker, workspace, never);
  const before = await alarms();
  failures();
  for (let seq = 2; seq <= 61; seq += 1) {
    await move(1);
    await first.report(seq);
  }
  expect((await alarms()) - before).toBeLessThan(25);
  const [failure, ...others] = failures();
  expect(failure).toBe("A fleet's alarm failed at its old rows");
  expect(others.length).toBeGreaterThan(15);
  await steerMail({ resend: "down" });
  await first.report(62, [critical]);
  await move(0);
  expect(await subjects()).toEqual([]);
  await steerMail({ resend: "well" });
  await move(1);
  expect(await subjects()).toEqual([opened]);
});

test("a channel at which sending throws waits by itself, is tried each three minutes, and is given up after a day", async () => {
  const fleet = await fleetWithMail();
  const { fleets, workspace, first, move, alarms, subjects, failures, view } = fleet;
  const webhook = { kind: "webhook", url: webhookAddress(workspace) } as const;
  const added = await fleets.addChannel(workspace, webhook, "first");
  if ("refused" in added) throw new Error("The channel was refused");
  const { id } = added.channel;
  // Without a secret nothing can be signed.
  const record = JSON.stringify({ ...webhook, id, madeAt: Date.now(), turn: "first" });
  await worker.spoilRecord(workspace, { table: "channels", id, record });
  failures();
  await first.report(2, [critical]);
  await move(0);
  expect(await subjects()).toEqual([opened]);
  await fleets.acknowledge(workspace, (await view())?.incident?.id ?? "", "person");
  const before = await alarms();
  for (let seq = 3; seq <= 62; seq += 1) {
    await move(1);
    await first.report(seq, [critical]);
  }
  expect((await alarms()) - before).toBeLessThan(45);
  expect(new Set(failures())).toEqual(new Set(["A channel's messages were not sent"]));
  for (let hours = 0; hours < 25; hours += 1) await move(60);
  const channels = await fleets.channels(workspace);
  expect(channels?.find((each) => each.id === id)).toMatchObject({
    failed: { reason: "It was not sent, by a fault of ours." },
  });
});
