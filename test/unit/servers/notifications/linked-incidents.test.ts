import { expect, test } from "vitest";
import { linkLivesMs } from "~/features/servers/notifications/acknowledge-link.server.ts";
import { answersIn, removeAnswers } from "~/features/servers/notifications/answers.server.ts";
import { saveChannel } from "~/features/servers/notifications/channels.server.ts";
import { LinkedIncidents } from "~/features/servers/notifications/linked-incidents.server.ts";
import { changeAlertTimes } from "~/features/servers/notifications/times/alert-times.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";
import { mailChannel, monitoredFleet } from "../../../support/servers/monitored-fleet.ts";

const workspace = { name: "Northwind", address: "https://site.example/dashboard/w/northwind" };

function linkedFleet(count = 1) {
  const fleet = monitoredFleet(count);
  const { sql, clock, monitor, queue, ids } = fleet;
  const linked = new LinkedIncidents(sql, () => clock.now, monitor, queue);
  const [first] = ids;
  const content = {
    ...{ workspace: "fleet", channel: mailChannel.id, incident: first?.incident, at: begin },
  };
  return { ...fleet, linked, content };
}

test("a link acknowledges once for whoever got the mail, and the next message's link does again", () => {
  const { sql, linked, content, monitor, sent } = linkedFleet();
  const incident = () => monitor.incident(content.incident ?? "");
  expect(linked.view(content, workspace)).toMatchObject({ count: 1, waiting: 1 });
  expect(incident()?.acknowledged).toBeUndefined();
  const request = { act: "acknowledge", note: "restarting" } as const;
  expect(linked.use(content, request)).toBe("done");
  expect(incident()?.acknowledged).toEqual({
    ...{ by: "ada", who: "ada@example.com", at: begin, note: "restarting" },
  });
  expect(sent).toHaveLength(1);
  expect(answersIn(sql)).toMatchObject([
    {
      ...{
        action: "incident.acknowledged",
        target: "sfu-1",
        person: "ada",
        who: "ada@example.com",
      },
      at: new Date(begin).toISOString(),
    },
  ]);
  expect(linked.view(content, workspace)).toMatchObject({
    waiting: 0,
    incidents: [{ acknowledged: { who: "ada@example.com" } }],
  });
  monitor.unacknowledge(content.incident ?? "");
  expect(linked.use(content, request)).toBe("used");
  expect(linked.use({ ...content, at: begin + 15 * minute }, request)).toBe("done");
});

test("each act of a link is done once, and a press that comes second takes nothing from the first", () => {
  const { sql, linked, content, monitor } = linkedFleet();
  const until = begin + 60 * minute;
  changeAlertTimes(sql, { zone: "Europe/Berlin" }, { channels: [], now: begin });
  expect(linked.view(content, workspace)?.zone).toBe("Europe/Berlin");
  monitor.acknowledge(content.incident ?? "", { by: "ben", at: begin });
  for (const act of ["acknowledge", "snooze-hour", "snooze-morning"] as const) {
    expect(linked.use(content, { act, until })).toBe("done");
    expect(linked.use(content, { act, until })).toBe("used");
  }
  expect(monitor.incident(content.incident ?? "")).toMatchObject({
    ...{ acknowledged: { by: "ben" }, snoozedUntil: Date.parse("2026-11-25T08:00:00Z") },
  });
  const noted = answersIn(sql);
  expect(noted.map((each) => [each.action, each.until]).toSorted()).toEqual([
    ["incident.acknowledged", undefined],
    ["incident.snoozed", new Date(until).toISOString()],
    // Nine o'clock in Berlin.
    ["incident.snoozed", "2026-11-25T08:00:00.000Z"],
  ]);
  removeAnswers(
    sql,
    noted.map(({ id }) => id),
  );
  expect(answersIn(sql)).toEqual([]);
});

test("of a channel that several people read it is not known who it was", () => {
  const { sql, linked, content, monitor } = linkedFleet();
  const secret = "whsec_";
  const url = "https://hooks.example.com/x";
  const shared = { ...mailChannel, id: "shared", kind: "webhook", url, secret } as const;
  saveChannel(sql, shared);
  expect(linked.use({ ...content, channel: "shared" }, { act: "acknowledge" })).toBe("done");
  expect(monitor.incident(content.incident ?? "")?.acknowledged).toMatchObject({
    ...{ by: "shared", who: "somebody by Webhook at hooks.example.com" },
  });
});

test("a link to all is to what paged when its message was made, and to nothing later", () => {
  const { sql, linked, content, monitor, ids } = linkedFleet(20);
  const all = { ...content, incident: undefined };
  const view = linked.view(all, workspace);
  expect(view).toMatchObject({ count: 20, waiting: 20 });
  expect(view?.incidents).toHaveLength(12);
  expect(linked.use({ ...all, at: begin - minute }, { act: "acknowledge" })).toBe("over");
  expect(linked.use(all, { act: "acknowledge" })).toBe("done");
  expect(ids.every(({ incident }) => monitor.incident(incident)?.acknowledged)).toBe(true);
  expect(answersIn(sql)).toMatchObject([{ target: "20 servers", who: "ada@example.com" }]);
});

test("a link ends after 72 hours, and with its channel", () => {
  const { clock, linked, content } = linkedFleet();
  const gone = { ...content, channel: "removed" };
  expect(linked.view(gone, workspace)).toBeUndefined();
  expect(linked.use(gone, { act: "acknowledge" })).toBe("gone");
  clock.now = begin + linkLivesMs;
  expect(linked.view(content, workspace)).toBeDefined();
  clock.now += 1;
  expect(linked.view(content, workspace)).toBeUndefined();
  expect(linked.use(content, { act: "acknowledge" })).toBe("gone");
});
