import { expect, test } from "vitest";
import { digested, type Incident } from "~/features/servers/incidents/incident.ts";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import {
  type Delivery,
  type Item,
  judgeDigest,
  judgeItem,
  mergedItems,
  messageOf,
} from "~/features/servers/notifications/current-message.ts";
import { digestDue, testDue } from "~/features/servers/notifications/daily.server.ts";
import {
  afterFailure,
  deliveriesOf,
  dueDeliveries,
  fromStored,
  openingFor,
  saveDelivery,
  toStored,
} from "~/features/servers/notifications/deliveries.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin, critical, down, minute, warning } from "../../../support/servers/incident-step.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const hour = 60 * minute;
const pager: Channel = {
  ...{ kind: "pagerduty", routingKey: "key", id: "pager", madeAt: begin, turn: "first" },
};
const second: Channel = { ...pager, id: "second", turn: "second" };
const paging: Incident = {
  ...{ id: "incident", server: "server", openedAt: begin, severity: "page", causes: [critical] },
  ...{ notifiedCount: 1, pendingCount: 0 },
};
const closed: Incident = { ...paging, closedAt: begin + 9 * minute };
const heard = { pager: true };
const acknowledgement = { by: "person", at: begin };
const answered: Incident = { ...paging, notifiedChannels: heard, acknowledged: acknowledgement };

const judge = (
  event: Item["event"],
  incident: Incident | undefined,
  channel = pager,
  maintenanceUntil?: number,
) => {
  const present = incident && { incident, name: "sfu-1", maintenanceUntil };
  const judged = judgeItem({ incident: "incident", event }, present, channel, begin + hour, false);
  return typeof judged === "object" && "event" in judged ? judged.event : judged;
};

test.for([
  ["what the doctor found is said at once", [critical], "opened", 0],
  ["what got worse by it too", [critical], "worse", 0],
  ["also where a silence is over", [critical, { ...down(), endedAt: begin }], "worse", 0],
  ["silence is held for two minutes", [down()], "opened", 2],
  ["a return of silence too", [down()], "reopened", 2],
  ["and one that follows something else", [critical, down()], "worse", 2],
  ["and one that is said in a sum", [critical, down()], "rollup", 2],
] as const)("%s, and the second recipient waits ten minutes", ([, causes, kind, minutes]) => {
  const incident = { ...paging, causes };
  const event = kind === "rollup" ? { event: kind, changes: 1 } : { event: kind };
  const made = deliveriesOf(incident, event, [pager, second], begin, () => "id");
  expect(made.map(({ due }) => due - begin)).toEqual([minutes * minute, 10 * minute]);
});

test.for([
  ["is not said where it is over, or was our fault", true, { ...down(), endedAt: begin }, "until"],
  ["is said while it lasts", true, down(), "worse"],
  ["opens what the channel never heard of", undefined, { ...down(), endedAt: begin }, "opened"],
] as const)("a silence that made it worse %s", ([, notified, cause, expected]) => {
  const silent = { ...paging, causes: [critical, down()] };
  const made = deliveriesOf(silent, { event: "worse" }, [pager], begin, () => "id");
  const [item = { incident: "", event: "rollup" }] = made.flatMap(({ items }) => items);
  const incident = {
    ...{ ...silent, causes: [critical, cause] },
    ...(notified === undefined ? {} : { notifiedChannels: { pager: notified } }),
  };
  const judged = judgeItem(item, { incident, name: "sfu-1" }, pager, begin + 2 * minute, false);
  expect(judged).toMatchObject(
    expected === "until"
      ? { until: begin + 5 * minute }
      : { event: expected, send: expect.anything() },
  );
});

test("the end is said to everybody at once", () => {
  const made = deliveriesOf(closed, { event: "closed" }, [pager, second], begin, () => "id");
  expect(made.map(({ due }) => due)).toEqual([begin, begin]);
});

test.for([
  ["an opening, while it lasts", "opened", paging, "opened"],
  ["no opening of what is over", "opened", closed, "drop"],
  ["no end that nobody waits for", "closed", closed, "drop"],
  [
    "the end, where it was notified before",
    "closed",
    { ...closed, notifiedChannels: { pager: true } },
    "closed",
  ],
  ["no end twice", "closed", { ...closed, notifiedChannels: { pager: false } }, "drop"],
  [
    "no end of what is there again",
    "closed",
    { ...paging, notifiedChannels: { pager: true } },
    "drop",
  ],
  ["a sum that ends it", "rollup", { ...closed, notifiedChannels: { pager: true } }, "rollup"],
  [
    "a sum that it came and went since its end",
    "rollup",
    { ...closed, notifiedChannels: { pager: false } },
    "rollup",
  ],
  ["no sum of what it never heard of", "rollup", closed, "drop"],
  ["a later event as the opening, where that never arrived", "worse", paging, "opened"],
  ["nothing while it is snoozed", "worse", { ...paging, snoozedUntil: begin + 2 * hour }, "drop"],
  ["nothing of what is gone", "opened", undefined, "drop"],
  ["a repeat of what it was sent", "repeated", { ...paging, notifiedChannels: heard }, "repeated"],
  ["a repeat as the opening, where that never arrived", "repeated", paging, "opened"],
  ["no repeat of what is over", "repeated", { ...closed, notifiedChannels: heard }, "drop"],
  ["no repeat while it may be over", "repeated", { ...paging, calmSince: begin }, "drop"],
  ["no repeat of what somebody acknowledged", "repeated", answered, "drop"],
  ["that somebody acknowledged it", "acknowledged", answered, "acknowledged"],
  [
    "no acknowledgement that was taken back",
    "acknowledged",
    { ...answered, acknowledged: undefined },
    "drop",
  ],
  [
    "no acknowledgement of what it never heard of",
    "acknowledged",
    { ...answered, notifiedChannels: {} },
    "drop",
  ],
  [
    "nothing while it may be over",
    "opened",
    { ...paging, calmSince: begin + hour },
    { until: begin + hour + minute },
  ],
] as const)("a channel is sent %s", ([, event, incident, expected]) => {
  expect(judge(event, incident)).toEqual(expected);
});

test("an acknowledgement keeps it from the second recipient alone", () => {
  const incident = { ...paging, acknowledged: { by: "person", at: begin } };
  expect(judge("opened", incident, second)).toBe("drop");
  expect(judge("opened", incident, pager)).toBe("opened");
});

test("during a maintenance a message waits for its end", () => {
  expect(judge("opened", paging, pager, begin + 2 * hour)).toEqual({ until: begin + 2 * hour });
  expect(judge("repeated", paging, pager, begin + 2 * hour)).toBe("drop");
});

test("a repeat goes to every channel at once", () => {
  const silent = { ...paging, causes: [down()] };
  const made = deliveriesOf(silent, { event: "repeated" }, [pager, second], begin, () => "id");
  expect(made.map(({ due }) => due)).toEqual([begin, begin]);
});

test("that somebody acknowledged is sent to what calls on, and not to the one that said so", () => {
  const mail = { kind: "mail", person: "ada", address: "ada@example.com" } as const;
  const mailed: Channel = { ...mail, id: "mail", madeAt: begin, turn: "first" };
  const channels = [mailed, pager, { ...pager, id: "other" }];
  const by = (id: string) => {
    const incident = { ...paging, acknowledged: { by: id, at: begin } };
    const made = deliveriesOf(incident, { event: "acknowledged" }, channels, begin, () => "id");
    return made.map(({ channel }) => channel);
  };
  expect(by("ada")).toEqual(["pager", "other"]);
  expect(by("pager")).toEqual(["other"]);
});

test("a channel that is added is sent what pages and nobody acknowledged: a second one after its ten minutes (M1)", () => {
  const sent: Incident = { ...paging, pagesSince: begin, notifiedAt: begin, pageSent: true };
  const due = (incident: Incident, channel: Channel, minutes: number) => {
    const opening = openingFor(channel, incident, begin + minutes * minute, () => "id");
    return opening && (opening.due - begin) / minute;
  };
  expect(due(sent, pager, 1)).toBe(1);
  expect(due(sent, second, 1)).toBe(10);
  expect(due(sent, second, 20)).toBe(20);
  expect(due({ ...sent, acknowledged: acknowledgement }, pager, 1)).toBeUndefined();
  expect(due({ ...sent, closedAt: begin }, pager, 1)).toBeUndefined();
  expect(due({ ...sent, pageSent: false }, pager, 1)).toBeUndefined();
});

test("a delivery that the Worker of before does not know is an end to it, which it drops while that pages", () => {
  const items = (["repeated", "acknowledged"] as const).map((event) => ({
    incident: "one",
    event,
  }));
  const stored = toStored({ ...delivery, items });
  expect(stored.items.map(({ event }) => event)).toEqual(["closed", "closed"]);
  expect(fromStored(stored)).toEqual({ ...delivery, items });
});

test("a pager learns the end, though a warning lasts", () => {
  const eased: Incident = {
    ...{ ...paging, severity: "notify", causes: [warning], calmSince: begin },
    notifiedChannels: { pager: true },
  };
  const present = { incident: eased, name: "sfu-1" };
  const judged = judgeItem({ incident: "incident", event: "closed" }, present, pager, begin, false);
  expect(judged).toMatchObject({ send: { closedAt: begin, severity: "notify" } });
  expect(judgeDigest(present, begin)).not.toHaveProperty("send.closedAt");
});

test("several events of one incident are one message", () => {
  const item = { incident: "one", event: "opened" } as const;
  expect(mergedItems([item, { ...item, event: "worse" }])).toEqual([{ ...item, event: "worse" }]);
  expect(mergedItems([item, { ...item, event: "rollup", changes: 5 }])).toEqual([
    { incident: "one", event: "rollup", changes: 6 },
  ]);
  expect(mergedItems([item, { ...item, incident: "other" }])).toHaveLength(2);
  expect(
    mergedItems([
      { ...item, event: "rollup", changes: 5 },
      { ...item, event: "repeated" },
    ]),
  ).toEqual([{ incident: "one", event: "rollup", changes: 5 }]);
  const worse = { ...item, event: "worse", isDown: true } as const;
  expect(mergedItems([worse, worse])).toEqual([worse]);
  expect(mergedItems([{ ...item, event: "worse" }, worse])).toEqual([{ ...item, event: "worse" }]);
});

const delivery: Delivery = {
  ...{
    id: "message",
    channel: "pager",
    kind: "notification",
    items: [],
    due: begin,
    from: begin,
    tries: 0,
  },
};

test("a message is tried again with growing waits, and given up after 24 hours", () => {
  const dues: number[] = [];
  let next: Delivery | undefined = delivery;
  while (next) {
    dues.push(next.due);
    next = afterFailure(next, next.due);
  }
  const gaps = dues.slice(1).map((due, at) => due - (dues[at] ?? 0));
  expect(gaps).toEqual(gaps.toSorted((one, other) => one - other));
  expect(gaps[0]).toBe(30_000);
  expect(gaps.at(-1)).toBe(hour);
  const last = dues.at(-1) ?? 0;
  expect(last - begin).toBeLessThanOrEqual(24 * hour);
  expect(last - begin).toBeGreaterThan(22 * hour);
});

test("a target's own wait counts where it is longer, for at most an hour", () => {
  const wait = (wantedMs: number) => (afterFailure(delivery, begin, wantedMs)?.due ?? 0) - begin;
  expect([wait(1_000), wait(5 * minute), wait(48 * hour)]).toEqual([30_000, 5 * minute, hour]);
});

test("a message keeps its id while it says the same", () => {
  const workspace = { name: "Northwind", address: "https://example.com" };
  const content = { event: "opened" as const, incidents: [], workspace };
  const first = messageOf(delivery, content, begin);
  expect(first.message).toMatchObject({ id: "message", at: begin, ...content });
  const again = { ...delivery, tries: 1, tried: first.tried };
  expect(messageOf(again, content, begin + hour)).toEqual(first);
  const other = messageOf(again, { ...content, event: "rollup" }, begin + hour);
  expect(other.message.id).not.toBe("message");
  expect(
    messageOf({ ...again, tried: other.tried }, { ...content, event: "rollup" }, begin),
  ).toEqual(other);
});

test("the digest is made at seven in the morning of UTC, when something was in none", () => {
  const notifying: Incident = { ...paging, severity: "notify", causes: [warning] };
  const seven = Date.parse("2026-11-25T07:00:00Z");
  const next = seven + 24 * hour;
  expect(digestDue([notifying], 0)).toBe(seven);
  expect(digestDue([paging], 0)).toBeUndefined();
  expect(digestDue([digested(notifying)], seven)).toBeUndefined();
  expect(digestDue([notifying], seven)).toBe(next);
  const noticedLate = { ...notifying, calmSince: seven + minute };
  expect(digestDue([noticedLate], seven)).toBe(next);
  const back = { ...digested(notifying), causes: [{ ...warning, since: seven + minute }] };
  expect(digestDue([back], seven)).toBe(next);
});

test("each channel is tested once in 30 days", () => {
  expect(testDue(pager) - begin).toBe(30 * 24 * hour);
  expect(testDue({ ...pager, testedAt: begin + hour }) - begin).toBe(30 * 24 * hour + hour);
});

test("an end says since when it paged, and not what was over before", () => {
  const [month, day] = [30 * 24 * hour, 24 * hour];
  const before = { ...down(), endedAt: begin + hour };
  const incident: Incident = {
    ...{
      ...paging,
      severity: "notify",
      pagesSince: begin + month,
      notifiedChannels: { pager: true },
    },
    causes: [warning, { ...down(), since: begin + month, endedAt: begin + month + hour }, before],
    calmSince: begin + month + hour,
  };
  const judged = judgeItem(
    { incident: "incident", event: "closed" },
    { incident, name: "sfu-1" },
    pager,
    begin + month + day,
    false,
  );
  expect(judged).toMatchObject({
    send: { openedAt: begin + month, closedAt: begin + month + hour, causes: { length: 2 } },
  });
});

test("the end of an incident says where its server is watched no more", () => {
  const incident = { ...closed, notifiedChannels: { pager: true } };
  const judged = (unwatched: "disconnected" | undefined) =>
    judgeItem(
      { incident: "incident", event: "closed" },
      { incident, name: "sfu-1", unwatched },
      pager,
      begin + hour,
      false,
    );
  expect(judged("disconnected")).toMatchObject({ send: { unwatched: "disconnected" } });
  expect(judged(undefined)).not.toHaveProperty("send.unwatched");
});

test("a message about a server comes before results of tests that came earlier: strangers hold up no alert", () => {
  const sql = sqliteStorage();
  prepareTables(sql);
  const delivery = { channel: "webhook", items: [], tries: 0, due: begin };
  for (const [at, id] of ["one", "two"].entries()) {
    saveDelivery(sql, { ...delivery, id, kind: "connection-test", from: begin + at });
  }
  saveDelivery(sql, { ...delivery, id: "alert", kind: "notification", from: begin + 5 });
  expect(dueDeliveries(sql, begin).map(({ id }) => id)).toEqual(["alert", "one", "two"]);
});
