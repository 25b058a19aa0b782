import { expect, test } from "vitest";
import type { Cause, Incident } from "~/features/servers/incidents/incident.ts";
import { minuteMs } from "~/features/servers/metrics/packed-figures.ts";
import { SeriesOfRange } from "~/features/servers/metrics/series.ts";
import { marksOf } from "~/features/servers/pages/marks.server.ts";
import type { Change } from "~/features/servers/state/server-record.ts";

const now = Date.parse("2026-11-24T12:03:00Z");
const series = new SeriesOfRange("6h", now).series();
/** The begin of the minute that was so many minutes ago. */
const ago = (minutes: number) => now - minutes * minuteMs;

const change = (minutes: number, code: Change["code"], words: Partial<Change> = {}): Change => ({
  ...{ at: ago(minutes), code, subject: "", from: "", to: "" },
  ...words,
});

const image = (tag: string) => `livekit/livekit-server:${tag} running`;

const cause: Cause = { code: "down", subject: "", severity: "page", since: ago(50) };
const incident = (of: Partial<Incident>): Incident => ({
  ...{ id: "i-1", server: "s-1", openedAt: ago(50), severity: "page", causes: [cause] },
  ...{ notifiedCount: 0, pendingCount: 0 },
  ...of,
});

const marked = (changes: readonly Change[], incidents?: readonly Incident[]) =>
  marksOf(series, { readAt: now, changes, incidents });

test("an incident is marked from its first cause to its end, and an open one until now (M8)", () => {
  const past = incident({ closedAt: ago(40) });
  const open = incident({ id: "i-2", severity: "notify", openedAt: ago(10) });
  expect(marked([], [open, past])).toEqual([
    {
      ...{ kind: "page", words: "Incident: The server is down" },
      ...{ at: "2026-11-24T11:13:00.000Z", until: "2026-11-24T11:23:00.000Z", from: 309, to: 319 },
    },
    {
      ...{ kind: "notify", words: "Incident: The server is down" },
      ...{ at: "2026-11-24T11:53:00.000Z", from: 349, to: 359 },
    },
  ]);
});

test("an incident that began before the range is marked from its edge, and one that ended before it not at all", () => {
  const long = incident({ openedAt: ago(900), closedAt: ago(100) });
  const ended = incident({ openedAt: ago(900), closedAt: ago(800) });
  expect(marked([], [long, ended])).toMatchObject([{ from: 0, to: 259 }]);
});

test("a reboot, an update and a start of LiveKit are each one mark, whatever else the report says (M8)", () => {
  const changes = [
    change(5, "node"),
    change(5, "finding", { subject: "disk.filling /" }),
    change(20, "service", { subject: "livekit", from: image("v1.13.5"), to: image("v1.13.6") }),
    change(20, "service", { subject: "caddy", from: "caddy:2 running", to: "caddy:2 exited" }),
    change(20, "node"),
    change(60, "boot"),
    change(60, "node"),
    change(60, "version", { from: "version 5", to: "version 6" }),
    change(90, "version", { from: "version 4", to: "version 5" }),
  ];
  expect(marked(changes).map(({ kind, words, from, to }) => [kind, words, from, to])).toEqual([
    ["update", "Update: version 4 → version 5", 269, 269],
    ["reboot", "Reboot", 299, 299],
    ["update", "Update: livekit v1.13.5 → v1.13.6", 339, 339],
    ["restart", "LiveKit started anew", 354, 354],
  ]);
});

test("a first boot, a certificate and a service that stops are no marks", () => {
  const changes = [
    change(3, "service", { subject: "caddy", to: "caddy:2 running" }),
    change(4, "service", { subject: "caddy", from: "caddy:2 running", to: "caddy:2 exited" }),
    change(5, "certificate", { subject: "live.example.com", from: "2026-12-01", to: "2027-02-01" }),
    change(6, "finding", { subject: "disk.filling /", to: "warning" }),
  ];
  expect(marked(changes)).toEqual([]);
});
