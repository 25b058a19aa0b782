import { expect, test } from "vitest";
import type { Incident } from "~/features/servers/incidents/incident.ts";
import { saveIncident } from "~/features/servers/incidents/incident-table.server.ts";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import { covers, overlap } from "~/features/servers/notifications/channel-limits.ts";
import { saveChannel } from "~/features/servers/notifications/channels.server.ts";
import { currentMessage, judgeItem } from "~/features/servers/notifications/current-message.ts";
import { DailyMessages } from "~/features/servers/notifications/daily.server.ts";
import { dueDeliveries } from "~/features/servers/notifications/deliveries.server.ts";
import { changeAlertTimes } from "~/features/servers/notifications/times/alert-times.server.ts";
import { begin, critical, minute, warning } from "../../../support/servers/incident-step.ts";
import { mailChannel, monitoredFleet } from "../../../support/servers/monitored-fleet.ts";

const channel: Channel = {
  ...{ kind: "pagerduty", routingKey: "key", id: "pager", madeAt: begin, turn: "first" },
};
const ofMedia: Channel = { ...channel, limits: { deployments: ["media"] } };
const paging: Incident = {
  ...{ id: "incident", server: "server", openedAt: begin, severity: "page", causes: [critical] },
  ...{ notifiedCount: 1, pendingCount: 0 },
};

/** What becomes of a page about a server of that deployment. */
const judged = (to: Channel, deployment: string, incident = paging) => {
  const present = { incident, name: "sfu-1", deployment };
  const item = { incident: "incident", event: "opened" as const };
  const answer = judgeItem(item, present, to, begin + minute, false);
  return typeof answer === "object" && "event" in answer ? answer.event : answer;
};

test("a channel that is limited to deployments is told of their servers alone", () => {
  expect(judged(ofMedia, "media")).toBe("opened");
  expect(judged(ofMedia, "staging")).toBe("drop");
  expect(judged(channel, "staging")).toBe("opened");
});

test("what it was notified of it is told to the end, whatever it is limited to meanwhile", () => {
  const { closed } = { closed: { ...paging, closedAt: begin, notifiedChannels: { pager: true } } };
  const present = { incident: closed, name: "sfu-1", deployment: "staging" };
  const item = { incident: "incident", event: "closed" as const };
  expect(judgeItem(item, present, ofMedia, begin + minute, false)).toHaveProperty("send");
});

test("its digest lists their servers alone", () => {
  const telling: Incident = { ...paging, severity: "notify", causes: [warning] };
  const items = ["media", "staging"].map((incident) => ({ incident, event: "rollup" as const }));
  const digest = {
    ...{ id: "d", channel: "pager", kind: "digest" as const, due: 0, from: 0, tries: 0, items },
  };
  const { incidents } = currentMessage(digest, ofMedia, begin + minute, ({ incident: id }) => ({
    ...{ incident: { ...telling, id }, name: id, deployment: id },
  }));
  expect(incidents.map(({ server }) => server.name)).toEqual(["media"]);
});

test("no digest goes to a channel of what wakes somebody alone", () => {
  const { sql, clock, monitor, queue, ids } = monitoredFleet(1);
  const [{ server, incident: id } = { server: "", incident: "" }] = ids;
  saveIncident(sql, { ...paging, id, server, severity: "notify", causes: [warning] });
  saveChannel(sql, { ...mailChannel, id: "pages", limits: { onlyPages: true } });
  clock.now = begin + 24 * 60 * minute;
  new DailyMessages(sql, () => clock.now, monitor, queue).add();
  const digests = dueDeliveries(sql, clock.now).filter(({ kind }) => kind === "digest");
  expect(digests.map(({ channel: to }) => to)).toEqual([mailChannel.id]);
});

test("the digest goes by each channel's own turn, also in the week of somebody who gets pages alone", () => {
  const { sql, clock, monitor, queue, ids } = monitoredFleet(1);
  const [{ server, incident: id } = { server: "", incident: "" }] = ids;
  saveIncident(sql, { ...paging, id, server, severity: "notify", causes: [warning] });
  const bens: Channel = {
    ...{ ...mailChannel, id: "bens", person: "ben", address: "ben@example.com" },
    ...{ kind: "mail", limits: { onlyPages: true } },
  };
  saveChannel(sql, bens);
  clock.now = begin + 24 * 60 * minute;
  const rota = { people: ["ben", "ada"], weekday: new Date(clock.now).getUTCDay(), hour: 0 };
  const channels = [mailChannel, bens];
  expect(changeAlertTimes(sql, { rota }, { channels, now: clock.now })).toBe(true);
  new DailyMessages(sql, () => clock.now, monitor, queue).add();
  const digests = dueDeliveries(sql, clock.now).filter(({ kind }) => kind === "digest");
  expect(digests.map(({ channel: to }) => to)).toEqual([mailChannel.id]);
});

test("one recipient may be there once for each deployment, and not beside one for all", () => {
  const of = (...deployments: string[]) => ({ limits: { deployments } });
  expect(overlap(of("a"), of("b"))).toBe(false);
  expect(overlap(of("a", "b"), of("b"))).toBe(true);
  expect(overlap(of("a"), {})).toBe(true);
  expect([covers({}, undefined), covers(of("a"), undefined)]).toEqual([true, false]);
});
