import { expect, test } from "vitest";
import { layOut } from "../../../../app/features/mail/mail-layout.ts";
import { plainCauseWords } from "../../../../app/features/servers/incidents/cause-words.ts";
import type { Cause } from "../../../../app/features/servers/incidents/incident.ts";
import type {
  Message,
  MessageIncident,
} from "../../../../app/features/servers/notifications/channel.ts";
import { messageOf } from "../../../../app/features/servers/notifications/current-message.ts";
import { mailOf } from "../../../../app/features/servers/notifications/senders/mail.server.ts";
import { pagerEvents } from "../../../../app/features/servers/notifications/senders/pagerduty.server.ts";
import { webhookBody } from "../../../../app/features/servers/notifications/senders/webhook.server.ts";

const at = Date.UTC(2026, 10, 25, 3, 12);
const minute = 60_000;
const workspace = { name: "Northwind", address: "https://site.example/dashboard/w/northwind" };

const incident: MessageIncident = {
  id: "6f1c",
  server: { id: "a1", name: "media-1" },
  severity: "page",
  openedAt: at,
  causes: [
    { code: "down", subject: "", severity: "page", since: at },
    { code: "cert.ending", subject: "livekit.example.com", severity: "page", since: at - minute },
  ],
};

const message = (event: Message["event"], ...incidents: MessageIncident[]): Message => ({
  ...{ id: "m1", at: at + minute, event, incidents, workspace },
});

const closed: MessageIncident = {
  ...incident,
  closedAt: at + 20 * minute,
  causes: incident.causes.map((cause) => ({ ...cause, endedAt: at + 15 * minute })),
};
const second: MessageIncident = { ...incident, id: "9b2d", server: { id: "b2", name: "media-2" } };

test("the advice for two machines with one key is to connect the copy, and not to disconnect it", () => {
  const { next } = plainCauseWords({ code: "twice", subject: "" });
  expect(next).toMatch(/^on the copy: sudo livekit-deploy connect, with a new token/);
  expect(next).toContain("do not disconnect it");
  expect(next).not.toContain("livekit-deploy disconnect");
});

test("a mail about an incident says the server, each cause since when in UTC, and what to do", () => {
  const { subject, paragraphs, button, footer } = mailOf(message("opened", incident));
  expect(subject).toBe("media-1 is down");
  expect(paragraphs[0]).toBe(
    "The server is down, since November 25, 2026 at 3:12 AM UTC. What to do: look at your provider whether the machine runs and has a network; then: sudo livekit-deploy doctor.",
  );
  expect(paragraphs[1]).toMatch(
    /^A certificate ends within three days: livekit\.example\.com, since .+3:11 AM UTC\./,
  );
  expect(paragraphs.at(-1)).toBe(
    "This is sent again until somebody acknowledges it: eight times every 15 minutes, then once an hour. Acknowledging needs no sign-in.",
  );
  expect(button).toEqual({ label: "Open media-1", address: `${workspace.address}/servers/a1` });
  expect(footer).toContain("alerts of Northwind");
  // A mail program takes a full stop behind an address for a part of it.
  expect(footer).toMatch(/: https:\/\/\S+\/alerts$/);
});

test.each([
  ["worse", [incident], "media-1 got worse: The server is down"],
  ["reopened", [incident], "media-1 is not well again: The server is down"],
  ["repeated", [incident], "media-1 is still not well: The server is down"],
  ["closed", [closed], "media-1 is well again"],
  [
    "rollup",
    [{ ...incident, changes: 7 }],
    "media-1 changed 7 times since the last message: The server is down",
  ],
  [
    "rollup",
    [{ ...closed, changes: 1 }],
    "media-1 changed once since the last message, and is well again",
  ],
  ["rollup", [incident, second], "2 servers are not well"],
  ["rollup", [closed, second], "1 server is not well, 1 well again"],
  ["rollup", [closed, { ...closed, id: "9b2d" }], "2 servers are well again"],
  ["digest", [incident], "Look at media-1 when you have time: The server is down"],
  ["digest", [incident, second], "Look at 2 servers when you have time"],
  ["test", [], "A test of your alerts: nothing is wrong"],
] as const)("the subject of a mail says what a message is: %s", (event, incidents, subject) => {
  expect(mailOf(message(event, ...incidents)).subject).toBe(subject);
});

test("a mail about a server that is well again says from when until when it was not", () => {
  const { paragraphs } = mailOf(message("closed", closed));
  expect(paragraphs[0]).toBe(
    "It was not well from November 25, 2026 at 3:12 AM UTC until November 25, 2026 at 3:32 AM UTC.",
  );
  expect(paragraphs[1]).toMatch(/^The server is down, from .+ until .+3:27 AM UTC\.$/);
});

test("every message of an incident has what the doctor found, in the doctor's words", () => {
  const found = '88 % used <b>"now"</b>';
  const full = {
    code: "disk.filling",
    subject: "/",
    severity: "notify",
    since: at,
    found,
  } as const;
  const [down] = incident.causes;
  const text = message("opened", { ...incident, causes: down ? [down, full] : [full] });
  const words = mailOf(text);
  expect(words.paragraphs[0]).not.toContain("Found");
  expect(words.paragraphs[1]).toContain(`3:12 AM UTC. Found then: ${found}. What to do: `);
  expect(layOut(words).html).toContain("88 % used &lt;b&gt;");
  const { causes } = JSON.parse(webhookBody(text)).data.incidents[0];
  expect(causes).toMatchObject([{ found: "" }, { found }]);
  const [event] = pagerEvents(text);
  expect(event?.payload?.custom_details).toMatchObject({
    "The disk fills up: /": expect.stringContaining(`found then: ${found}; what to do`),
  });
});

test("a sum about a server that is well again says since when, and asks for nothing", () => {
  const { paragraphs } = mailOf(message("rollup", { ...closed, changes: 4 }));
  expect(paragraphs[0]).toBe("It is well again since November 25, 2026 at 3:32 AM UTC.");
  expect(paragraphs.join(" ")).not.toMatch(/What to do|acknowledge/);
});

test("a mail about several servers has a line for each, and leads to all of them", () => {
  const { paragraphs, button } = mailOf(message("rollup", { ...incident, changes: 3 }, closed));
  expect(paragraphs).toEqual([
    "media-1: The server is down, since November 25, 2026 at 3:12 AM UTC; it changed 3 times.",
    "media-1: well again since November 25, 2026 at 3:32 AM UTC.",
    "The server is down. What to do: look at your provider whether the machine runs and has a network; then: sudo livekit-deploy doctor.",
  ]);
  expect(button.address).toBe(workspace.address);
});

test("a mail has at most twelve lines, and counts the rest", () => {
  const many = Array.from({ length: 500 }, () => incident);
  const { paragraphs } = mailOf(message("digest", ...many));
  expect(paragraphs).toHaveLength(14);
  expect(paragraphs[12]).toBe("And 488 more.");
});

test("a mail about a channel that does not work says which and why, and leads to the alerts", () => {
  const failed = { kind: "pagerduty", reason: "PagerDuty answered 500." } as const;
  const { subject, paragraphs, button } = mailOf({ ...message("channel-failed"), failed });
  expect(subject).toBe("Alerts do not arrive by PagerDuty");
  expect(paragraphs[0]).toBe("PagerDuty answered 500.");
  expect(button.address).toBe(`${workspace.address}/alerts`);
});

test("a server that its own machine disconnected is said, with what it means and a way to it (N3)", () => {
  const server = { id: "5d1c", name: "media-1" };
  const { subject, paragraphs, button } = mailOf({ ...message("disconnected"), server });
  expect(subject).toBe("media-1 was disconnected on its machine");
  expect(paragraphs[0]).toContain("Nobody watches this server any more");
  expect(button).toEqual({ label: "Open media-1", address: `${workspace.address}/servers/5d1c` });
});

test("a cause that is newer than the words of this version is called by its code", () => {
  expect(plainCauseWords({ code: "moon.full", subject: "" })).toEqual({
    title: "moon.full",
    next: "sudo livekit-deploy doctor says more",
  });
});

test("PagerDuty opens and resolves one incident of its own for one of ours, and learns of no person", () => {
  const [opened] = pagerEvents(message("opened", incident));
  expect(opened).toMatchObject({
    event_action: "trigger",
    dedup_key: "6f1c",
    payload: { summary: "media-1 is down", source: "media-1", severity: "critical" },
    links: [
      { href: `${workspace.address}/servers/a1`, text: "media-1" },
      {
        href: "https://site.example/docs/troubleshooting#the-server-does-not-answer-at-all",
        text: "More about it",
      },
    ],
  });
  expect(JSON.stringify(opened)).not.toContain("Northwind");
  const warning = { ...incident, severity: "notify" } as const;
  expect(pagerEvents(message("worse", warning))[0]?.payload?.severity).toBe("warning");
  const resolve = { event_action: "resolve", dedup_key: "6f1c" };
  expect(pagerEvents(message("closed", closed))).toEqual([resolve]);
  const [still, gone] = pagerEvents(message("rollup", second, closed));
  expect([still?.event_action, gone]).toEqual(["trigger", resolve]);
  expect(pagerEvents(message("digest", incident))).toEqual([]);
});

const placed: MessageIncident = {
  ...incident,
  place: {
    ...{ deployment: "Production", domain: "live.example.com", address: "203.0.113.7" },
    provider: { name: "Hetzner", console: "https://console.hetzner.com/projects" },
    ...{ login: "ssh root@203.0.113.7", people: 12 },
  },
};

test("a mail says where the server is, how many were in calls, how to log in and where to read more (M5)", () => {
  const { paragraphs } = mailOf(message("opened", placed));
  expect(paragraphs.slice(2, -1)).toEqual([
    "The server of Production: media-1, live.example.com, 203.0.113.7. 12 people were in calls at its last report.",
    "Log in: ssh root@203.0.113.7",
    "The machine at Hetzner: https://console.hetzner.com/projects",
    "More about it: https://site.example/docs/troubleshooting#the-server-does-not-answer-at-all",
  ]);
});

test("PagerDuty and webhooks tell two servers of one name apart, and say how many were in calls (M5)", () => {
  const [event] = pagerEvents(message("opened", placed));
  expect(event?.payload).toMatchObject({
    ...{ source: "media-1 (Production, live.example.com)", component: "live.example.com" },
    group: "Production",
    custom_details: { "In calls at its last report": "12", "Log in": "ssh root@203.0.113.7" },
  });
  expect(event?.links?.map(({ text }) => text)).toContain("The machine at Hetzner");
  expect(JSON.parse(webhookBody(message("opened", placed))).data.incidents[0]).toMatchObject({
    ...{ deployment: "Production", domain: "live.example.com", address: "203.0.113.7" },
    ...{ provider: "Hetzner", participants: 12, log_in: "ssh root@203.0.113.7" },
  });
});

test("a mail about many servers has the time of the page and what to do, once for each cause (M4)", () => {
  const since = at - 3 * minute;
  const cause = { code: "down", subject: "", severity: "page", since } as const;
  const one = { ...placed, causes: [cause] };
  const two = { ...placed, id: "2", server: { id: "2", name: "media-2" }, causes: [cause] };
  const { paragraphs } = mailOf(message("rollup", one, two));
  expect(paragraphs).toEqual([
    "media-1 (Production, live.example.com): The server is down, since November 25, 2026 at 3:09 AM UTC; in calls at its last report: 12.",
    "media-2 (Production, live.example.com): The server is down, since November 25, 2026 at 3:09 AM UTC; in calls at its last report: 12.",
    expect.stringMatching(/^The server is down\. What to do: look at your provider/),
  ]);
});

test("messages have the sentence that the pages have of a server (H1, H2)", () => {
  const causes = [
    { code: "silent", subject: "" },
    { code: "twice", subject: "" },
    { code: "disk.full", subject: "" },
  ].map((cause) => ({ ...cause, severity: "page", since: at }) as const);
  const subjects = causes.map(
    (cause) => mailOf(message("opened", { ...incident, causes: [cause] })).subject,
  );
  expect(subjects).toEqual([
    "media-1 does not report",
    "Two machines use the key of media-1",
    "media-1: The disk is nearly full",
  ]);
});

test("who is in calls makes no other message of a try, so that no receiver gets it twice", () => {
  const content = (people: number) => ({
    ...{ event: "opened" as const, workspace },
    incidents: [{ ...placed, place: { ...placed.place, people } }],
  });
  const first = messageOf({ id: "d1", tries: 0 }, content(12), at);
  const again = messageOf({ id: "d1", tries: 1, tried: first.tried }, content(3), at + minute);
  expect(again.message.id).toBe(first.message.id);
});

test("one message names all servers that nobody watches any more, and those that are watched (H4)", () => {
  const paused = {
    why: "plan-limit",
    names: ["media-2", "media-3"],
    watched: ["media-1"],
  } as const;
  const text = {
    ...message("paused"),
    paused: { ...paused, names: [...paused.names], watched: [...paused.watched] },
  };
  const { subject, paragraphs, button } = mailOf(text);
  expect(subject).toBe("2 servers are not watched any more");
  expect(paragraphs[0]).toContain("when one of these is down: media-2, media-3.");
  expect(paragraphs[1]).toContain("Watched as before: media-1.");
  expect(button).toEqual({ label: "Open your servers", address: workspace.address });
  expect(pagerEvents(text)).toMatchObject([{ event_action: "trigger" }]);
  expect(JSON.parse(webhookBody(text))).toMatchObject({
    type: "servers.paused",
    data: { paused: ["media-2", "media-3"], paused_count: 2 },
  });
});

test("a test at PagerDuty is resolved at once", () => {
  expect(pagerEvents(message("test")).map((each) => [each.event_action, each.dedup_key])).toEqual([
    ["trigger", "m1"],
    ["resolve", "m1"],
  ]);
});

test("a webhook has type, timestamp and data, with times in ISO 8601", () => {
  expect(JSON.parse(webhookBody(message("closed", closed)))).toMatchObject({
    type: "incident.closed",
    timestamp: "2026-11-25T03:13:00.000Z",
    data: {
      workspace: "Northwind",
      incidents: [
        {
          id: "6f1c",
          server: { id: "a1", name: "media-1" },
          url: `${workspace.address}/servers/a1`,
          severity: "critical",
          opened_at: "2026-11-25T03:12:00.000Z",
          closed_at: "2026-11-25T03:32:00.000Z",
          causes: [{ code: "down", ended_at: "2026-11-25T03:27:00.000Z" }, {}],
        },
      ],
    },
  });
});

test("a webhook about 500 servers stays below 20 kB and counts what it leaves out", () => {
  const body = webhookBody(message("digest", ...Array.from({ length: 500 }, () => incident)));
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  const { data } = JSON.parse(body);
  expect(data.incidents.length + data.left_out).toBe(500);
  expect(data.incidents.length).toBeGreaterThan(10);
});

test("a message about a missing record says which one to set", () => {
  const subject = "rtc.example.com";
  const since = at;
  const missing = { code: "dns.missing", subject, severity: "page", since } as const;
  const advice = "set the missing record at your DNS provider: rtc.example.com";
  const textOf = (cause: Cause) => message("opened", { ...incident, causes: [cause] });
  const wanted = textOf({ ...missing, wanted: "A 203.0.113.7" });
  expect(mailOf(wanted).paragraphs[0]).toContain(`What to do: ${advice} A 203.0.113.7.`);
  const [event] = pagerEvents(wanted);
  expect(Object.values(event?.payload?.custom_details ?? {})).toEqual([
    expect.stringContaining(`what to do: ${advice} A 203.0.113.7`),
  ]);
  const { causes } = JSON.parse(webhookBody(wanted)).data.incidents[0];
  expect(causes).toMatchObject([{ next: `${advice} A 203.0.113.7` }]);
  expect(mailOf(textOf(missing)).paragraphs[0]).toContain(`What to do: ${advice}.`);
});

test("a message about a server that was disconnected while it was down does not say that it is well", () => {
  const over = { ...incident, closedAt: at + 60_000 };
  const gone = { ...over, unwatched: "disconnected" } as const;
  const mail = mailOf(message("closed", gone));
  expect(mail.subject).toBe("media-1 was disconnected, and nobody watches it any more");
  expect(mail.paragraphs[0]).toContain("It was disconnected at ");
  const sum = message("rollup", over, { ...gone, id: "other" });
  expect(mailOf(sum).subject).toBe("1 server is well again, 1 not watched any more");
  for (const words of [mail.subject, ...mail.paragraphs]) expect(words).not.toContain("well again");
  expect(pagerEvents(message("closed", gone))).toMatchObject([{ event_action: "resolve" }]);
});

const link = "https://site.example/acknowledge?link=abc";
const linked = { ...incident, acknowledgeAddress: `${link}1` };

test("a message of what pages has the link that acknowledges, in a mail, at PagerDuty and in a webhook", () => {
  const text = { ...message("opened", linked), acknowledgeAddress: link };
  const { button, second } = mailOf(text);
  expect(button).toEqual({ label: "Acknowledge or snooze", address: link });
  expect(second).toEqual({ label: "Open media-1", address: `${workspace.address}/servers/a1` });
  const { html, text: plain } = layOut(mailOf(text));
  for (const each of [button, second]) {
    expect(html).toContain(`href="${each?.address}"`);
    expect(plain).toContain(`${each?.label}: ${each?.address}`);
  }
  expect(pagerEvents(text)[0]?.links?.[1]).toEqual({ href: `${link}1`, text: "Acknowledge" });
  expect(JSON.parse(webhookBody(text)).data).toMatchObject({
    acknowledge_url: link,
    incidents: [{ acknowledge_url: `${link}1` }],
  });
});

test("a message of what somebody acknowledged says who, and PagerDuty learns that it was", () => {
  const acknowledged = {
    by: "ada",
    at: at + minute,
    who: "ada@example.com",
    note: "restarting it",
  };
  const text = { ...message("worse", { ...linked, acknowledged }), acknowledgeAddress: link };
  const { paragraphs, button, second } = mailOf(text);
  expect(paragraphs.at(-1)).toBe(
    "ada@example.com acknowledged it at November 25, 2026 at 3:13 AM UTC: restarting it",
  );
  expect([button.label, second?.label]).toEqual(["Open media-1", "Who sees to it"]);
  const event = message("acknowledged", { ...linked, acknowledged });
  expect(pagerEvents(event)).toEqual([{ event_action: "acknowledge", dedup_key: "6f1c" }]);
  expect(JSON.parse(webhookBody(event))).toMatchObject({
    type: "incident.acknowledged",
    data: { incidents: [{ acknowledged: { by: "ada@example.com", note: "restarting it" } }] },
  });
});
