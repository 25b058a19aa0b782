import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { changeRows } from "../../support/servers/change-rows.ts";
import { Machine } from "../../support/servers/machine.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

/** The first tables that fleets had, with what is in those of today. */
const former = [
  `create table former (
    hash text primary key, deployment text not null, version integer not null,
    uses integer not null, used integer not null, ends integer not null, revoked integer not null
  ) without rowid`,
  "insert into former select hash, deployment, 2, uses, used, ends, revoked from tokens",
  "drop table tokens",
  "alter table former rename to tokens",
  "drop table deliveries",
  `create table deliveries (
    id text primary key, due integer not null, channel text not null, record text not null
  ) without rowid`,
];

test("a fleet with the first tables goes on: its tokens and new ones work, and people are notified", async () => {
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const { fleets, workspace, first, move } = await makeFleet(worker, {
    maker: { person, address },
  });
  const tokenRequest = { workspace, deployment: crypto.randomUUID(), uses: 1, hours: 72 };
  const before = await fleets.makeToken(tokenRequest);
  await changeRows(worker, workspace, former);
  const after = await fleets.makeToken(tokenRequest);
  for (const [instance, { token }] of Object.entries({ before, after })) {
    expect(await new Machine(worker, instance).enrol(token)).toMatchObject({ status: 200 });
  }
  await first.report(2, ["finding\tturn.udp.silent\tcritical\t\tnothing came back\t"]);
  await move(1);
  expect((await mailsTo(address)).map(({ subject }) => subject)).toEqual([
    "sfu-1: TURN over UDP gives no relay",
  ]);
});
