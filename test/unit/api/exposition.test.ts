import { expect, test } from "vitest";
import { exposition, wantsOpenMetrics } from "~/features/api/exposition";
import type { ServerFigures } from "~/features/servers/pages/server-view";
import { parsedExposition } from "../../support/api/exposition-parser.ts";
import { tableOf } from "../../support/documentation/tables.ts";

const server = (of: Partial<ServerFigures> = {}): ServerFigures => ({
  ...{ id: "5d1c3a0e-7a55-4a8e-9a5b-1be0c2b7d2aa", deployment: "d1", name: "livekit-1" },
  ...{ enrolledAt: 0, stages: [], findings: [], services: [], certificates: [], addresses: [] },
  ...{ rebootPending: false, retiredAt: undefined, doctorAt: undefined, backupAt: undefined },
  ...{ state: { code: "healthy" }, lastReportAt: 1_700_000_000_500, rooms: 2, participants: 5 },
  ...{ incident: undefined, maintenanceUntil: undefined, ourFault: undefined, day: [] },
  ...{ request: undefined, domain: "live.example.com", release: "v1.13.11" },
  madeFrom: { deployment: "d1", version: 3, isChanged: false },
  capacity: { cpus: 4, memory: 8_000, disk: 40_000 },
  tracks: { published: 7, subscribed: 12 },
  latest: {
    ...{
      at: 0,
      participants: 5,
      rooms: 2,
      load: 0.5,
      memory: 4_000,
      disk: 10_000,
      in: 10,
      out: 20,
    },
    ...{ cpu: 12.5, loss: 1, jitter: 4, failedJoins: 0.5, recordings: 1 },
  },
  ...of,
});

test("a server's figures are gauges in base units, each family with HELP and TYPE", () => {
  const families = parsedExposition(exposition([server()], false));
  const value = (name: string) => families.get(`livekit_deploy_${name}`)?.samples[0]?.value;
  expect([...families.values()].every(({ type, help }) => type === "gauge" && help)).toBe(true);
  expect({
    ...{ up: value("server_up"), healthy: value("server_healthy"), servers: value("servers") },
    ...{ cpu: value("server_cpu_usage_ratio"), memory: value("server_memory_used_bytes") },
    ...{ disk: value("server_disk_size_bytes"), jitter: value("server_jitter_seconds") },
    ...{ reported: value("server_last_report_timestamp_seconds") },
    ...{ people: value("server_participants"), tracks: value("server_tracks_published") },
  }).toEqual({
    ...{ up: 1, healthy: 1, servers: 1, cpu: 0.125, memory: 4_096_000, disk: 40_960_000 },
    ...{ jitter: 0.004, reported: 1_700_000_000.5, people: 5, tracks: 7 },
  });
  expect(families.get("livekit_deploy_server_info")?.samples[0]?.labels).toMatchObject({
    ...{ domain: "live.example.com", deployment: "d1", version: "3", state: "healthy" },
    livekit_version: "v1.13.11",
  });
});

test("a name with quotes, backslashes and lines comes out of a parser as it went in", () => {
  const name = 'a "b" \\ c\nlivekit_deploy_servers 99';
  const families = parsedExposition(exposition([server({ name })], false));
  for (const [family, { samples }] of families) {
    if (family !== "livekit_deploy_servers") expect(samples[0]?.labels.name).toBe(name);
  }
  expect(families.get("livekit_deploy_servers")?.samples).toEqual([{ labels: {}, value: 1 }]);
});

test("a server that is silent has no figure, and says that it is down and when it last reported", () => {
  const silent = server({ state: { code: "silent", since: 1 }, latest: undefined });
  const families = parsedExposition(exposition([silent], false));
  expect([...families.keys()].map((name) => name.replace("livekit_deploy_", ""))).toEqual([
    ...["servers", "server_info", "server_incidents_open", "server_up", "server_healthy"],
    ...["server_maintenance", "server_last_report_timestamp_seconds"],
  ]);
  expect(families.get("livekit_deploy_server_up")?.samples[0]?.value).toBe(0);
});

test("an open incident is in the series of its severity alone", () => {
  const incident = {
    ...{ id: "i", openedAt: 0, severity: "page" as const, causes: [] },
    ...{ acknowledged: undefined, snoozedUntil: undefined },
  };
  const families = parsedExposition(exposition([server({ incident })], false));
  const open = families.get("livekit_deploy_server_incidents_open")?.samples;
  expect(open?.map(({ labels, value }) => [labels.severity, value])).toEqual([
    ...[
      ["page", 1],
      ["notify", 0],
    ],
  ]);
});

test("every family is documented, and no other; a server adds the same series whatever it says", () => {
  const families = parsedExposition(exposition([server()], false));
  const documented = tableOf("docs/prometheus", "Figures of a server, at one address").map(
    ([name = ""]) => name.replaceAll("`", ""),
  );
  expect(documented.toSorted()).toEqual([...families.keys()].toSorted());
  const count = [...families.values()].reduce((sum, { samples }) => sum + samples.length, 0);
  expect(count - 1).toBe(families.size);
});

test("OpenMetrics ends with EOF, and an empty fleet has a family too", () => {
  expect(exposition([], true)).toMatch(/livekit_deploy_servers 0\n# EOF\n$/);
  expect(parsedExposition(exposition([], false)).size).toBe(1);
});

test.each([
  [null, false],
  ["*/*", false],
  ["text/plain;version=0.0.4;q=0.5,*/*;q=0.1", false],
  ["application/openmetrics-text;version=1.0.0,text/plain;q=0.5", true],
  ["text/plain, application/openmetrics-text;q=0.3", false],
  ["application/openmetrics-text;q=0", false],
])("Accept: %s asks for OpenMetrics: %s", (accept, wanted) => {
  expect(wantsOpenMetrics(accept)).toBe(wanted);
});
