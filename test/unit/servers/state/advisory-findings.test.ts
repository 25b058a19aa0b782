import { expect, test } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { causeWords } from "~/features/servers/incidents/cause-words.ts";
import { causesOf } from "~/features/servers/incidents/faults/server-causes.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import { recommendedVersions, withAdvisories } from "~/features/servers/state/advisory-findings.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import { stateOf } from "~/features/servers/state/state.ts";
import { machine, reportText } from "../../../support/servers/report-lines.ts";

const now = Date.parse("2026-11-28T12:00:00Z");

const service = (name: string, image: string) => `service\t${name}\t${image}\trunning\thealthy`;
const oldLivekit = service("livekit", "livekit/livekit-server:v1.13.9");

function reportOf(...lines: string[]) {
  const read = parseReport(reportText({}, lines));
  if (!read.ok) throw new Error(`Line ${read.line} of the test's report cannot be read`);
  return read.report;
}

const codesOf = (...lines: string[]) =>
  withAdvisories(reportOf(...lines)).map(({ code, subject, severity }) => [
    code,
    subject,
    severity,
  ]);

function serverWith(...lines: string[]): ServerRecord {
  const record: ServerRecord = {
    ...{ id: "s-1", deployment: "d-1", name: "sfu-1", enrolledAt: now, keyHash: "c".repeat(64) },
    ...{ machine: machine.machine, instance: machine.instance },
    ...{ refused: [], boots: [], bucket: { left: 10, at: now }, changes: [] },
  };
  const taken = takeReport(record, reportOf(...lines), now);
  return ("record" in taken && taken.record) || record;
}

const causes = (...lines: string[]) =>
  causesOf(serverWith(...lines), now).map(({ code, severity }) => [code, severity]);

test("a version that can be attacked from the internet pages, with the version to run instead", () => {
  const [finding] = withAdvisories(reportOf(oldLivekit));
  expect(finding).toEqual({
    code: "version.exposed",
    severity: "critical",
    subject: "livekit",
    found: expect.stringMatching(/^v1\.13\.9 runs\. Everybody with a token .*#4992\)$/),
    wanted: `livekit=${pinned.livekit.tag}`,
  });
  expect(causes(oldLivekit)).toEqual([["version.exposed", "page"]]);
  expect(stateOf(serverWith(oldLivekit), now)).toEqual({
    code: "degraded",
    finding: "version.exposed",
  });
  expect(causeWords({ code: "version.exposed", subject: "livekit", ...finding }).next).toBe(
    `\`sudo livekit-deploy update --to livekit=${pinned.livekit.tag}\``,
  );
});

test("what the configuration keeps away is a warning: TURN that is off, Redis on loopback, Prometheus", () => {
  expect(causes(oldLivekit, "turn\tyes")).toEqual([["version.exposed", "page"]]);
  expect(causes(oldLivekit, "turn\tno")).toEqual([["version.affected", "notify"]]);
  expect(causes(service("redis", "redis:7.4.6-alpine"))).toEqual([["version.affected", "notify"]]);
  expect(causes(service("prometheus", "prom/prometheus:v3.5.0"))).toEqual([
    ["version.affected", "notify"],
  ]);
  // Without TURN it still takes messages of any size from everybody.
  expect(causes(service("livekit", "livekit/livekit-server:v1.13.5"), "turn\tno")).toEqual([
    ["version.exposed", "page"],
  ]);
});

test("our table judges in the place of the one in the machine's files, where it knows what runs", () => {
  const ofDoctor = "finding\tversion.affected\twarning\tlivekit\tv1.13.11 runs\tlivekit=TAG";
  expect(codesOf(service("livekit", "livekit/livekit-server:v1.13.11"), ofDoctor)).toEqual([]);
  expect(codesOf(oldLivekit, ofDoctor)).toEqual([["version.exposed", "livekit", "critical"]]);
  const behindTag = service("livekit", "livekit/livekit-server:v1.13");
  expect(codesOf(behindTag, ofDoctor)).toEqual([["version.affected", "livekit", "warning"]]);
  expect(codesOf(behindTag, ofDoctor, "release\tlivekit\tv1.13.11")).toEqual([]);
  expect(codesOf(behindTag, "release\tlivekit\tv1.13.9")).toEqual([
    ["version.exposed", "livekit", "critical"],
  ]);
});

test("an image with a digest is judged by its tag, and one of somebody else not at all", () => {
  expect(codesOf(service("caddy", `livekit/caddyl4:v2.10.2@sha256:${"a".repeat(64)}`))).toEqual([
    ["version.exposed", "caddy", "critical"],
  ]);
  expect(codesOf(service("agent", "example/agent:v1.0.0"))).toEqual([]);
});

test("rclone is judged by the version that the files name, and only newer files mend it", () => {
  expect(codesOf("release\trclone\t1.74.4")).toEqual([["files.affected", "rclone", "warning"]]);
  expect(codesOf("release\trclone\t1.76.0")).toEqual([]);
});

test("the machine is answered which affected version is to make way for which", () => {
  const report = reportOf(oldLivekit, service("redis", "redis:8.2.1"), "release\trclone\t1.74.4");
  expect(recommendedVersions(report).split(",").sort()).toEqual([
    `livekit:v1.13.9=${pinned.livekit.tag}`,
    "rclone:1.74.4=1.76.0",
    "redis:8.2.1=TAG",
  ]);
  // A service that follows a tag that moves goes on following one.
  expect(
    recommendedVersions(
      reportOf(service("livekit", "livekit/livekit-server:v1.13"), "release\tlivekit\tv1.13.9"),
    ),
  ).toBe("livekit:v1.13.9=v1.13");
  expect(recommendedVersions(reportOf(service("livekit", "livekit/livekit-server:v1.13.11")))).toBe(
    "",
  );
});
