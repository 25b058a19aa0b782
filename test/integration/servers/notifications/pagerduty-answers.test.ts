import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { pagerEvents } from "../../../support/servers/arrived.ts";
import { makeFleet } from "../../../support/servers/make-fleet.ts";
import { actAtPagerDuty, resetFakes } from "../../../support/site/control-fakes.ts";
import { sharedWorker } from "../../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const secrets = ["n0t-a-real-secret-of-pagerduty"];

/** A fleet with a server that pages, of which two services at PagerDuty were notified; the first may answer. */
async function pagedFleet() {
  const fleet = await makeFleet(worker);
  const { fleets, workspace, first, move, view } = fleet;
  const keys = [crypto.randomUUID(), crypto.randomUUID()].map((id) => id.replaceAll("-", ""));
  for (const routingKey of keys) {
    await fleets.addChannel(workspace, { kind: "pagerduty", routingKey }, "first");
  }
  await first.report(2, [critical]);
  await move(0);
  const all = ((await fleets.channels(workspace)) ?? []).flatMap((each) =>
    each.kind === "pagerduty" ? [each] : [],
  );
  const [channel, other] = keys.map((key) => all.find(({ ending }) => key.endsWith(ending)));
  const { port } = new URL(worker.url);
  const url = `http://servers.localhost:${port}${channel?.answerPath}`;
  const dedup_key = (await view())?.incident?.id ?? "";
  const act = (more: Partial<Parameters<typeof actAtPagerDuty>[0]> = {}) =>
    actAtPagerDuty({
      ...{ event_type: "incident.acknowledged", dedup_key, agent: "Tenex Engineer", url, secrets },
      ...more,
    });
  const actions = async (at: number) =>
    (await pagerEvents(keys[at] ?? "")).map(({ event_action }) => event_action);
  const acknowledged = async () => (await view())?.incident?.acknowledged;
  const channels = [channel?.id ?? "", other?.id ?? ""];
  return { ...fleet, channels, act, actions, acknowledged, dedup_key };
}

test("what is acknowledged at PagerDuty is acknowledged here, and the other services there learn it", async () => {
  const { fleets, workspace, move, channels, act, actions, acknowledged } = await pagedFleet();
  expect(await act()).toBe(404);
  const [id = ""] = channels;
  expect(await fleets.setPagerSecret(workspace, id, secrets[0] ?? "")).toBe(true);
  expect(await act()).toBe(202);
  expect(await acknowledged()).toMatchObject({ by: id, who: "Tenex Engineer at PagerDuty" });
  await move(0);
  expect(await actions(0)).toEqual(["trigger"]);
  expect(await actions(1)).toEqual(["trigger", "acknowledge"]);
  const heard = (await fleets.channels(workspace))?.find((each) => each.id === id);
  expect(heard).toMatchObject({ answers: true, heardAt: expect.any(Number) });
  // There it ends by itself after a while: then it is repeated here.
  expect(await act({ event_type: "incident.unacknowledged" })).toBe(202);
  expect(await acknowledged()).toBeUndefined();
});

test("nothing follows from what PagerDuty did not sign, from another incident or from an hour ago", async () => {
  const { fleets, workspace, channels, act, acknowledged } = await pagedFleet();
  await fleets.setPagerSecret(workspace, channels[0] ?? "", secrets[0] ?? "");
  expect(await act({ secrets: ["another-secret-of-somebody"] })).toBe(401);
  expect(await act({ secrets: [] })).toBe(401);
  expect(await act({ dedup_key: crypto.randomUUID() })).toBe(202);
  expect(await act({ event_type: "incident.resolved" })).toBe(202);
  const hourAgo = new Date(Date.now() - 61 * 60_000).toISOString();
  expect(await act({ occurred_at: hourAgo })).toBe(202);
  expect(await acknowledged()).toBeUndefined();
  // While PagerDuty changes its secret there are two signatures.
  expect(await act({ secrets: ["the-next-secret-at-pagerduty", ...secrets] })).toBe(202);
  expect(await acknowledged()).toBeDefined();
});

test("what a member acknowledged stays, though it ends at PagerDuty", async () => {
  const { fleets, workspace, channels, act, acknowledged, dedup_key } = await pagedFleet();
  await fleets.setPagerSecret(workspace, channels[0] ?? "", secrets[0] ?? "");
  await fleets.acknowledge(workspace, dedup_key, "person");
  expect(await act({ event_type: "incident.unacknowledged" })).toBe(202);
  expect(await acknowledged()).toMatchObject({ by: "person" });
});
