import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { mailsTo } from "../../../support/auth/inbox.ts";
import { makeFleet } from "../../../support/servers/make-fleet.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { sharedWorker } from "../../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const hourMs = 3_600_000;

const newPerson = () => {
  const person = crypto.randomUUID();
  return { person, address: `${person}@example.com` };
};

/** A fleet that tells two people at once; what was mailed to each, the oldest first. */
async function fleetOfTwo() {
  const [ada, ben] = [newPerson(), newPerson()];
  const fleet = await makeFleet(worker, { count: 1, maker: ada });
  const { fleets, workspace } = fleet;
  await fleets.addChannel(workspace, { kind: "mail", ...ben }, "first");
  const subjects = async ({ address }: { address: string }) =>
    (await mailsTo(address)).map(({ subject }) => subject).toReversed();
  return { ...fleet, ada, ben, mailed: async () => [await subjects(ada), await subjects(ben)] };
}

test("a page comes at once to the one whose week it is, and to the others after ten minutes", async () => {
  const { fleets, workspace, servers, move, ada, ben, mailed } = await fleetOfTwo();
  const { readAt } = await fleets.overview(workspace);
  // The next handover is days away.
  const weekday = new Date(readAt - 3 * 24 * hourMs).getUTCDay();
  const people = [ben.person, ada.person];
  const change = (what: Parameters<typeof fleets.changeAlertTimes>[1]) =>
    fleets.changeAlertTimes(workspace, what);
  expect(await change({ rota: { people, weekday, hour: 0 } })).toBe(true);
  const turns = (await fleets.channels(workspace))?.map(({ turn, turnNow }) => [turn, turnNow]);
  expect(turns?.toSorted()).toEqual([
    ["first", "first"],
    ["first", "second"],
  ]);
  await servers[0]?.report(2, [critical]);
  await move(0);
  expect((await mailed()).map(({ length }) => length)).toEqual([0, 1]);
  await move(11);
  const [toAda] = await mailed();
  expect(toAda).not.toEqual([]);

  // Who is away is followed by the next.
  const [from, until] = [readAt - 24 * hourMs, readAt + 48 * hourMs].map((time) =>
    new Date(time).toISOString().slice(0, 10),
  ) as [string, string];
  expect(await change({ absence: { person: ben.person, from, until } })).toBe(true);
  const first = (await fleets.channels(workspace))?.find(({ turnNow }) => turnNow === "first");
  expect(first).toMatchObject({ person: ada.person });
});

test("in quiet hours a page arrives, and so does the end of a watch", async () => {
  const { fleets, workspace, servers, move, mailed } = await fleetOfTwo();
  const { readAt } = await fleets.overview(workspace);
  const [adas] = (await fleets.channels(workspace)) ?? [];
  const hour = new Date(readAt).getUTCHours();
  const quiet = { from: (hour + 23) % 24, until: (hour + 2) % 24 };
  expect(await fleets.setQuietHours(workspace, adas?.id ?? "", quiet)).toBe(true);
  expect(await fleets.setQuietHours(workspace, crypto.randomUUID(), quiet)).toBe(false);
  await servers[0]?.report(2, [critical]);
  await move(0);
  expect((await mailed()).map(({ length }) => length)).toEqual([1, 1]);

  await servers[0]?.disconnect();
  await move(1);
  const disconnected = expect.stringContaining("was disconnected on its machine");
  for (const mails of await mailed()) expect(mails).toContainEqual(disconnected);
});
