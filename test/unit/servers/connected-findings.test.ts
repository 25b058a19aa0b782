import { expect, test } from "vitest";
import { causeWords, helpPath } from "~/features/servers/incidents/cause-words.ts";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { logsCommand } from "~/features/servers/incidents/incident-view.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { layoutWords, missingOf } from "~/features/servers/layout/layout.ts";
import { layoutFindings } from "~/features/servers/state/connected-findings.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { findingsOf } from "~/features/servers/state/state.ts";
import { reportText } from "../../support/servers/report-lines.ts";

const compose =
  "layout\tcompose\t/srv/rtc/compose.yaml\t/srv/rtc/livekit.yaml\tsfu\t\tdocker\ttraefik";
const unit =
  "layout\tsystemd\t/etc/systemd/system/livekit.service\t/etc/livekit.yaml\tlivekit.service\t\t\tnginx";

function reportOf(...more: string[]) {
  const read = parseReport(reportText({ domain: "sfu.example.com" }, more));
  if (!read.ok) throw new Error(`Line ${read.line} cannot be read.`);
  return read.report;
}

/** A server without a deployment that has just said this. */
function serverOf(...more: string[]): ServerRecord {
  const report = reportOf(...more);
  return {
    ...{ id: crypto.randomUUID(), name: "sfu-1", keyHash: "", enrolledAt: report.at },
    ...{ machine: report.machine, instance: report.instance, refused: [], changes: [] },
    boots: [{ id: report.boot, seq: 1, firstAt: report.at }],
    bucket: { left: 10, at: report.at },
    ...{ report, reportAt: report.at, domain: "sfu.example.com" },
  };
}

const day = 86_400;

test.for([
  [
    "fact\tanswers\tno",
    "livekit.silent",
    "sudo docker compose -f /srv/rtc/compose.yaml logs --tail 100 sfu",
  ],
  [
    "service\tsfu\tlivekit/livekit-server:v1.13.11\texited\t",
    "stopped",
    "sudo docker compose -f /srv/rtc/compose.yaml logs --tail 100 sfu",
  ],
  [
    "service\tsfu\tlivekit/livekit-server:latest\trunning\t",
    "image.moves",
    "the image of sfu in /srv/rtc/compose.yaml",
  ],
  [
    "service\tsfu\tlivekit/livekit-server\trunning\t",
    "image.moves",
    "the image of sfu in /srv/rtc/compose.yaml",
  ],
  ["fact\tkeys\tknown", "keys.known", "/srv/rtc/livekit.yaml"],
  ["fact\tkeys\tshort", "keys.short", "/srv/rtc/livekit.yaml"],
  ["fact\treadable\tyes", "keys.readable", "/srv/rtc/livekit.yaml"],
  [
    "fact\tstarts\tno",
    "start.manual",
    "write `restart: unless-stopped` at sfu in /srv/rtc/compose.yaml",
  ],
  ["turn\tno", "turn.off", "/srv/rtc/livekit.yaml"],
  ["fact\tcertificate-invalid\tself-signed certificate", "cert.invalid", "traefik"],
  ["disk\t90\t100", "disk.filling", ""],
  ["disk\t99\t100", "disk.full", ""],
] as const)("%s is found as %s, and its next step names the layout", ([line, code, wanted]) => {
  const report = reportOf(compose, line);
  const found = layoutFindings(report, report.at);
  expect(found.map((each) => [each.code, each.wanted])).toEqual([[`connected.${code}`, wanted]]);
  const { title, next } = causeWords(found[0] ?? { code: "", subject: "" });
  expect(title).not.toContain("connected.");
  expect(next).toContain(wanted);
  expect(next).not.toContain("livekit-deploy");
});

test.for([
  ["service\tsfu\tlivekit/livekit-server:v1.9\trunning\t"],
  ["service\tsfu\tlivekit/livekit-server@sha256:abc\trunning\t"],
  ["service\tredis\tredis\trunning\t"],
  ["fact\tanswers\tyes"],
  ["fact\tkeys\tfine"],
  ["turn\tyes"],
  ["disk\t84\t100"],
  ["fact\tsomething-newer\tno"],
])("%s is nothing wrong", ([line = ""]) => {
  const report = reportOf(compose, line);
  expect(layoutFindings(report, report.at)).toEqual([]);
});

test.for([
  [14.5, undefined],
  [13.5, "warning"],
  [3.5, "warning"],
  [2.5, "critical"],
  [-1, "critical"],
] as const)("a certificate that ends in %d days is %s", ([days, severity]) => {
  const { at } = reportOf(compose);
  const ends = Math.floor(at / 1_000 + days * day);
  const report = reportOf(compose, `fact\tcertificate-ends\t${ends}`);
  expect(layoutFindings(report, at)[0]?.severity).toBe(severity);
  expect(report.certificates).toEqual([{ name: "sfu.example.com", ends: ends * 1_000 }]);
});

test("a machine on which LiveKit is gone has that one finding", () => {
  const report = reportOf("layout\tnone\t\t\t\t\t\t", "fact\tanswers\tno", "turn\tno");
  const found = layoutFindings(report, report.at);
  expect(found).toMatchObject([{ code: "connected.none", severity: "critical" }]);
  expect(missingOf({ ...(report.layout ?? never()) }, undefined)).toEqual([]);
});

function never(): never {
  throw new Error("There is no layout.");
}

test("an affected version, and what a check finds from outside, are said for the layout, without a command of ours", () => {
  const record = serverOf(unit, "release\tlivekit\tv1.9.10", "turn\tyes");
  const outside: ServerRecord = {
    ...record,
    outside: {
      ...{ at: record.enrolledAt, changedAt: record.enrolledAt, isScheduled: true, results: [] },
      failing: [
        { rung: "tcp", code: "port.closed", subject: "443/tcp", sentence: "", count: 2 },
        {
          rung: "turn",
          code: "turn.tls.silent",
          subject: "turn.example.com",
          sentence: "",
          count: 2,
        },
      ],
    },
  };
  const found = findingsOf(outside);
  expect(found.map(({ code }) => code)).toEqual([
    expect.stringMatching(/^connected\.version\.(affected|exposed)$/),
    "connected.port.closed",
    "connected.turn.tls.silent",
  ]);
  for (const finding of found)
    expect(causeWords(finding).next, finding.code).not.toContain("livekit-deploy ");
  expect(causeWords(found[0] ?? { code: "", subject: "" }).next).toContain(
    "the program that /etc/systemd/system/livekit.service starts",
  );
  expect(helpPath("connected.turn.tls.silent")).toBe(helpPath("turn.tls.silent"));
});

test("of a server that is down or silent the next step is a command that its machine has", () => {
  const record = serverOf(unit);
  const later = record.enrolledAt + 3_600_000;
  const silence = (answers: boolean): ServerRecord => ({
    ...record,
    silence: { foundAt: later, probe: { at: later, answers, isCertain: true } },
  });
  for (const [state, code] of [
    [silence(false), "down"],
    [silence(true), "silent"],
  ] as const) {
    const cause = causesOf(state, later).find((each) => each.code === code);
    expect(cause && causeWords(cause).next).toContain(
      "sudo /opt/livekit-connect/livekit-connect status",
    );
    const { layout: _, ...ofBundle } = state.report ?? never();
    const usual = causesOf({ ...state, report: ofBundle }, later).find(
      (each) => each.code === code,
    );
    expect(usual && causeWords(usual).next).toContain("sudo livekit-deploy doctor");
  }
});

test("a layout is called what it is, and what is missing has its lines", () => {
  const report = reportOf(compose, "fact\tmetrics\tno");
  const layout = report.layout ?? never();
  expect(layoutWords(layout, "v1.9.1")).toBe(
    "LiveKit v1.9.1 in Docker Compose at /srv/rtc/compose.yaml, behind Traefik",
  );
  expect(layoutWords({ ...layout, user: "1000", proxy: "" }, undefined)).toBe(
    "LiveKit in Docker Compose at /srv/rtc/compose.yaml, without root (user 1000)",
  );
  expect(missingOf(layout, undefined)).toMatchObject([
    {
      where: "/srv/rtc/livekit.yaml",
      lines:
        "prometheus:\n  port: 6789\n# then: sudo docker compose -f /srv/rtc/compose.yaml up -d --force-recreate sfu",
    },
    { lines: "sudo /opt/livekit-connect/livekit-connect domain NAME" },
  ]);
  expect(missingOf({ ...layout, facts: {} }, "sfu.example.com")).toEqual([]);
});

test("metrics stay on the machine where LiveKit's unit is behind a proxy there; in a container 127.0.0.1 may be its alone", () => {
  const metricsOff = "fact\tmetrics\tno";
  const lines = (line: string) =>
    missingOf(reportOf(line, metricsOff).layout ?? never(), "sfu.example.com")[0]?.lines;
  expect(lines(unit)).toBe(
    "prometheus:\n  port: 6789\nbind_addresses: [127.0.0.1]  # in the place of one that is there\n# then: sudo systemctl restart livekit.service",
  );
  expect(lines(unit.replace("nginx", ""))).not.toContain("bind_addresses");
  expect(lines(compose)).not.toContain("bind_addresses");
});

test("the logs of when an incident began are those of the layout", () => {
  const at = Date.UTC(2026, 10, 29, 8, 15);
  const incident = { openedAt: at, causes: [] };
  expect(logsCommand(incident, reportOf(compose).layout)).toBe(
    "sudo docker compose -f /srv/rtc/compose.yaml logs --since 2026-11-29T08:10:00Z --until 2026-11-29T08:20:00Z sfu",
  );
  expect(logsCommand(incident, reportOf(unit).layout)).toBe(
    'sudo journalctl --since "2026-11-29 08:10:00 UTC" --until "2026-11-29 08:20:00 UTC" -u livekit.service',
  );
});

test("what a shell would read as more than a word is not taken into commands, and a kind that is newer is none", () => {
  const hostile = reportOf("layout\tcompose\t/srv/$(id)`x`;rm -rf /\t\tsfu;id\t\tdocker\t").layout;
  expect(hostile).toMatchObject({ where: "/srv/??id??x??rm -rf /", name: "sfu?id" });
  expect(reportOf("layout\tnomad\t/x\t\ty\t\t\t").layout?.kind).toBe("none");
});
