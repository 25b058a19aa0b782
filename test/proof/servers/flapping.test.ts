import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { pagerEvents, webhookAddress, webhookBodies } from "../../support/servers/arrived.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());
beforeEach(resetFakes);

const day = 24 * 60;
/** After this much of good reports its end has been said, though a sum waits an hour for the one before. */
const calm = 2 * 60;
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";

/** One server, whose people are notified by mail, PagerDuty and a webhook; `arrived` says what came to each. */
async function alertedServer() {
  const name = crypto.randomUUID();
  const address = `${name}@example.com`;
  const routingKey = name.replaceAll("-", "");
  const made = await makeFleet(worker, { maker: { person: crypto.randomUUID(), address } });
  for (const channel of [
    { kind: "pagerduty" as const, routingKey },
    { kind: "webhook" as const, url: webhookAddress(name) },
  ]) {
    expect(await made.fleets.addChannel(made.workspace, channel, "first")).toHaveProperty(
      "channel",
    );
  }
  const arrived = async () => ({
    mails: (await mailsTo(address)).toReversed(),
    pager: await pagerEvents(routingKey),
    webhook: await webhookBodies(name),
  });
  return { ...made, arrived };
}

test.concurrent.for([
  // It is never well for five minutes, so nothing changes after the first message, which is repeated: eight times, then
  // hourly. Of the others a rollup says each hour how it is, and takes the place of the hourly repeat.
  { what: "is not well every other minute", bad: 1, good: 1, how: "critical", atOnce: 1, sums: 0 },
  { what: "is not well for a minute of 7", bad: 1, good: 6, how: "critical", atOnce: 4, sums: 20 },
  { what: "is not well for 10 of 30", bad: 10, good: 20, how: "critical", atOnce: 4, sums: 20 },
  { what: "is silent for 6 minutes of 15", bad: 6, good: 9, how: "silence", atOnce: 4, sums: 20 },
] as const)(
  "a server that $what for 24 hours makes at most 4 messages, 8 repeats and 24 rollups by each channel, and its end is said",
  { timeout: 1_800_000 },
  async ({ bad, good, how, atOnce, sums }, { expect }) => {
    const { first, move, incidents, arrived } = await alertedServer();
    let seq = 1;
    const minuteOf = async (isBad: boolean) => {
      await move(1);
      seq += 1;
      // Calls are counted by address and minute of the real clock, in which more than one hour of the day goes by.
      first.address = `${first.server}, hour ${Math.floor(seq / 60)}`;
      if (isBad && how === "silence") return;
      const answer = await first.report(seq, isBad ? [critical] : []);
      expect(answer.status).toBe(200);
    };
    for (let at = 0; at < day; at += 1) await minuteOf(at % (bad + good) < bad);
    const ofDay = await arrived();
    for (let at = 0; at < calm; at += 1) await minuteOf(false);
    const whole = await arrived();

    const { webhook, mails, pager } = ofDay;
    const count = Map.groupBy(webhook, ({ type }) => type);
    const [summed = [], repeated = []] = ["incidents.changed", "incident.repeated"].map((type) =>
      count.get(type),
    );
    const others = webhook.length - summed.length - repeated.length;
    expect.soft(others).toBeGreaterThanOrEqual(atOnce);
    // Where the last message said that it is well, its repeat says that it is not well again.
    if (sums > 0) expect.soft(others + repeated.length).toBeLessThanOrEqual(atOnce + 8);
    else expect.soft(others).toBe(atOnce);
    expect.soft(summed.length).toBeGreaterThanOrEqual(sums);
    expect.soft(summed.length).toBeLessThanOrEqual(24);
    expect.soft(repeated.length).toBeGreaterThanOrEqual(sums === 0 ? 28 : 0);
    expect.soft(repeated.length).toBeLessThanOrEqual(sums === 0 ? 30 : 8);
    // Each channel gets the same.
    const isSum = ({ subject }: { subject: string }) => subject.includes("since the last message");
    expect.soft(mails.map(isSum)).toEqual(webhook.map(({ type }) => type === "incidents.changed"));
    expect
      .soft(pager.map(({ event_action }) => event_action))
      .toEqual(webhook.map(({ data }) => (data.incidents[0]?.closed_at ? "resolve" : "trigger")));

    expect.soft(await incidents()).toMatchObject([{ closedAt: expect.any(Number) }]);
    expect.soft(whole.webhook.at(-1)?.data.incidents[0]?.closed_at).toEqual(expect.any(String));
    expect.soft(whole.mails.at(-1)?.subject).toMatch(/is well again$/);
    expect.soft(whole.pager.at(-1)?.event_action).toBe("resolve");
    // And nothing more than that.
    expect.soft(whole.webhook.length - webhook.length).toBeLessThanOrEqual(1);
    expect.soft(whole.mails).toHaveLength(whole.webhook.length);
    expect.soft(whole.pager).toHaveLength(whole.webhook.length);
  },
);
