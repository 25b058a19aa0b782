import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { metricsText } from "../../fakes/machine/machine-folder.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import {
  type Console,
  connect,
  machineAt,
  realCurl,
  report,
  run,
  serverId,
  token,
  well,
  withKernel,
} from "../support/deployments/console-machine.ts";
import { startConsole } from "../support/deployments/console-server.ts";
import { backupsFolder, backupsOn, runningMachine } from "../support/deployments/machine.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

test("a report says which process of LiveKit answers, what it serves and how well, how busy the processors are, and when certificates end", async () => {
  await using console = await startConsole(well);
  using server = withKernel(
    runningMachine({ recording: { kind: "local" }, ingress: "both" }, { url: console.url }),
  );
  server.set(
    "livekit-metrics",
    metricsText({ node: "ND_abc", startedAt: 1_795_313_000, rooms: 2, participants: 5 }),
  );
  server.set("recordings", "EG_one EG_two");
  server.set("streams", "IN_one");
  server.run("health");
  await connect(server);
  await report(server);
  const read = parseReport(console.requests.at(-1)?.body ?? "");
  const now = Math.floor(Date.now() / 1_000);
  const inDays = (days: number) => (now + days * 86_400) * 1_000;
  expect(read).toMatchObject({
    ok: true,
    report: {
      node: { id: "ND_abc", startedAt: 1_795_313_000_000 },
      metrics: {
        ...{ rooms: 2, participants: 5, "tracks-published": 10, egress: 2, ingress: 1 },
        ...{ "loss-sum": 7.75, "loss-count": 50, "jitter-sum": 2_500_000, "jitter-count": 500 },
        "joins-failed": 5,
      },
      cpu: { busy: 1_000, total: 10_000 },
      doctorAt: expect.any(Number),
    },
  });
  if (!read.ok) return;
  const names = read.report.certificates.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["livekit.example.com", "turn.livekit.example.com"]),
  );
  for (const { ends } of read.report.certificates) {
    expect(ends).toBeGreaterThan(inDays(59));
    expect(ends).toBeLessThan(inDays(61));
  }
});

test.for([
  ["it is switched off", "stop", "1 poweroff.target start waiting\n"],
  ["it is started again", "reboot", "7 reboot.target start waiting\n"],
] as const)("the last report of a machine that goes says that %s", async ([, going, jobs]) => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  await report(server);
  server.set("system-state", "stopping\n");
  server.set("jobs", jobs);
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, output: "" });
  const [last, lastReport] = console.requests.slice(1).map(({ body }) => parseReport(body));
  expect(lastReport).toMatchObject({ ok: true, report: { seq: 2, going } });
  if (last?.ok && lastReport?.ok)
    expect({ ...lastReport.report, seq: 1, at: last.report.at }).toEqual({ ...last.report, going });
});

test("a stop of the unit alone, and the shutdown of a machine that is not connected, send no last report", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  server.set("system-state", "stopping\n");
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, output: "" });
  server.unset("system-state");
  await connect(server);
  await report(server);
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, output: "" });
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
});

test("M3: a reboot that waits for calls says so each minute until LiveKit has stopped, with what is left of the drain", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console, { drain: { minutes: 3 } });
  await connect(server);
  await report(server);
  server.set("system-state", "stopping\n");
  server.set("jobs", "7 reboot.target start waiting\n");
  server.set("state-livekit.service", "deactivating\n");
  // A clock that only a pause moves, by thirty seconds; LiveKit waits for two and a half minutes.
  server.set("clock", "1800000000");
  server.command(
    "date",
    'case "$*" in +%s) cat "$MACHINE/clock" ;; *) exec /bin/date "$@" ;; esac',
  );
  server.command(
    "sleep",
    `[ "$1" = 2 ] || exec /bin/sleep "$1"
now=$(($(cat "$MACHINE/clock") + 30)); echo "$now" >"$MACHINE/clock"
[ "$now" -lt 1800000150 ] || echo inactive >"$MACHINE/state-livekit.service"`,
  );
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, output: "" });
  const sent = console.requests.slice(2).map(({ body }) => {
    const read = parseReport(body);
    if (!read.ok) throw new Error("This is no report.");
    return [read.report.seq, read.report.at / 1_000 - 1_800_000_000, read.report.drainMinutes];
  });
  expect(sent).toEqual([
    [2, 0, 3],
    [3, 60, 2],
    [4, 120, 1],
    [5, 150, undefined],
  ]);
});

test("M11: a container that boots reports another boot, though its host's is the same", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  const bootOf = async (started?: number) => {
    if (started !== undefined) {
      server.write("run/systemd/container", "lxc\n");
      server.write("proc/1/stat", `1 (systemd (init)) S ${"0 ".repeat(18)}${started} 9 9\n`);
    }
    await report(server);
    return reportedBy(console).boot;
  };
  expect(await bootOf()).toBe("11111111-1111-4111-8111-111111111111");
  const first = await bootOf(70_001);
  expect(await bootOf(70_001)).toBe(first);
  const second = await bootOf(90_002);
  expect(new Set([first, second, "11111111-1111-4111-8111-111111111111"]).size).toBe(3);
});

test("M3: the unit of the last report is stopped before the network is, and has the time of LiveKit's own", () => {
  const { files } = bundle(optionsFrom({ domain: "livekit.example.com" }));
  const unit = (name: string) => files.find(({ path }) => path === name)?.content ?? "";
  expect(unit("livekit-report.timer")).toContain("Wants=livekit-going.service\n");
  expect(unit("livekit-report.timer")).toContain(
    "OnCalendar=*:*:00\nAccuracySec=1s\nRandomizedDelaySec=45\nFixedRandomDelay=yes\n",
  );
  expect(unit("livekit-going.service")).toContain("After=network-online.target\n");
  expect(unit("livekit-going.service")).toContain("ExecStop=-/opt/livekit/bin/console.sh going\n");
  const timeout = /^TimeoutStopSec=.*$/m.exec(unit("livekit.service"))?.[0];
  expect(timeout).toBeDefined();
  expect(unit("livekit-going.service")).toContain(`${timeout}\n`);
});

test("no backup has the key or the token, and after a restore of an old one the machine reports on", async () => {
  await using console = await startConsole(well);
  using server = withKernel(runningMachine());
  // Made before anybody thought of a console.
  expect(server.run("backup", ["--by-hand"]).status).toBe(0);
  const [old = ""] = backupsOn(server);
  const connection = { url: console.url, token };
  for (const { installed, content } of bundle(
    optionsFrom({ domain: "livekit.example.com" }),
    undefined,
    connection,
  ).files)
    if (installed) server.write(installed.path, content, Number.parseInt(installed.mode, 8));
  expect(server.run("backup", ["--by-hand"]).status).toBe(0);
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(server.run("backup", ["--by-hand"]).status).toBe(0);
  const key = server.read("opt/livekit/server.key");
  for (const name of backupsOn(server)) {
    const archive = server.path(`${backupsFolder}/${name}`);
    const { stdout } = spawnSync("tar", ["-xzOf", archive], { encoding: "latin1" });
    expect(stdout).toContain("LIVEKIT_API_KEY");
    expect(stdout).not.toContain(token);
    expect(stdout).not.toContain(key.trim());
  }
  const restored = server.run("restore", [server.path(`${backupsFolder}/${old}`), "--now"]);
  expect(restored.output).toContain("Restored.");
  expect(server.read("opt/livekit/deployment.env")).not.toContain("CONSOLE_URL");
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests.map(({ path }) => path)).toEqual([
    "/v1/enrol",
    "/v1/report",
    "/v1/report",
  ]);
  expect(console.requests.at(-1)?.credential).toBe(key.trim());
});

test("a copy of the folder on another machine keeps the key, and says who may allow it", async () => {
  const output = "This key belongs to another machine. Allow this one on the server's page.";
  await using console = await startConsole((request) =>
    request.body.includes("instance\ti-0copy\n")
      ? { status: 409, lines: ["refused another-machine", `say ${output}`] }
      : well(request),
  );
  using server = machineAt(console);
  await connect(server);
  await report(server);
  using copy = machineAt(console);
  copy.write("opt/livekit/server.key", server.read("opt/livekit/server.key"), 0o600);
  copy.write("var/lib/cloud/data/instance-id", "i-0copy\n");
  expect(await report(copy)).toEqual({ status: 1, output: `Not reported. ${output}\n` });
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(copy.has("opt/livekit/server.key")).toBe(true);
});

test("a disconnect names the machine, and a copy forgets the key though the server stays", async () => {
  const [stays, ended] = [[`kept ${serverId}`], [`disconnected ${serverId}`]];
  await using console = await startConsole((request) =>
    request.path === "/v1/disconnect"
      ? { status: 200, lines: request.body.includes("instance i-0copy\n") ? stays : ended }
      : well(request),
  );
  using original = machineAt(console);
  await connect(original);
  const [introduced] = console.requests;
  for (const instance of ["i-0copy", "i-0abc"]) {
    using left = machineAt(console);
    left.write("opt/livekit/server.key", original.read("opt/livekit/server.key"), 0o600);
    left.write("var/lib/cloud/data/instance-id", `${instance}\n`);
    const { status, output } = await run(left, "livekit-deploy", ["disconnect"]);
    expect([status, output.includes("The server stays connected")]).toEqual([
      0,
      instance === "i-0copy",
    ]);
    expect(left.has("opt/livekit/server.key")).toBe(false);
    expect(console.requests.at(-1)?.body).toMatch(
      new RegExp(`^machine [0-9a-f]{64}\ninstance ${instance}\n$`),
    );
  }
  expect(introduced?.body).toContain(console.requests.at(-1)?.body);
});

testInProof("a copy that connects with a token of its own has a secret of its own", async () => {
  await using console = await startConsole(well);
  using original = machineAt(console);
  await connect(original);
  const key = original.read("opt/livekit/server.key");
  using copy = machineAt(console);
  copy.write("opt/livekit/server.key", key, 0o600);
  expect(await connect(copy)).toMatchObject({ status: 0 });
  expect(copy.read("opt/livekit/server.key")).not.toBe(key);
  const hashes = console.requests.map(({ body }) => /^key-hash (\S+)$/m.exec(body)?.[1]);
  expect(new Set(hashes).size).toBe(2);
});

const reportedBy = ({ requests }: Console) => {
  const read = parseReport(requests.at(-1)?.body ?? "");
  if (!read.ok) throw new Error("This is no report.");
  return read.report;
};

test("each run of the doctor is reported with its time, also when it finds what it found before", async () => {
  await using console = await startConsole(well);
  using server = withKernel(runningMachine({}, { url: console.url }));
  await connect(server);
  await report(server);
  expect(reportedBy(console).doctorAt).toBeUndefined();
  server.run("health");
  for (const name of ["opt/livekit/state", "run/livekit-health"])
    for (const file of readdirSync(server.path(name)))
      utimesSync(server.path(`${name}/${file}`), 1_700_000_000, 1_700_000_000);
  await report(server);
  expect(reportedBy(console).doctorAt).toBe(1_700_000_000_000);
  server.run("health");
  await report(server);
  expect(reportedBy(console).doctorAt).toBeGreaterThan(Date.now() - 60_000);
  // After a boot, what the doctor found before it.
  rmSync(server.path("run/livekit-health"), { recursive: true });
  await report(server);
  expect(reportedBy(console).doctorAt).toBeGreaterThan(Date.now() - 60_000);
});

test.for([
  ["something that needs attention", "run/reboot-required", "", "reboot.waiting", true],
  ["something that does not work", "disk-used", "97", "disk.full", false],
] as const)(
  "a first run of the doctor that finds %s is reported though its alert reaches nobody",
  async ([, name, value, code, isReady]) => {
    await using console = await startConsole(well);
    const alerting = { monitoring: "24/7", alertUrl: "https://alerts.example.com/hook" };
    using server = withKernel(runningMachine(alerting, { url: console.url }));
    await connect(server);
    server.write("opt/livekit/state/stages", "services 1700000000\n".replace(" ", "\t"));
    server.write("opt/livekit/state/first-boot-done", "");
    if (name === "disk-used") server.set(name, value);
    else server.write(name, value);
    server.set("alert-fails");
    expect(server.run("health")).toMatchObject({ status: 1 });
    expect(server.has("opt/livekit/state/health")).toBe(false);
    await report(server);
    const reported = reportedBy(console);
    expect(reported.doctorAt).toEqual(expect.any(Number));
    expect(reported.findings.map((finding) => finding.code)).toContain(code);
    expect(reported.stages.some((stage) => stage.code === "ready")).toBe(isReady);
  },
);

test("a machine with IPv6 alone reports, and one behind a proxy asks the proxy for the console only", async () => {
  await using six = await startConsole(well, "::1");
  using alone = machineAt(six);
  await connect(alone);
  expect(await report(alone)).toEqual({ status: 0, output: "" });

  await using proxy = await startConsole((request) =>
    well({ ...request, path: new URL(request.path).pathname }),
  );
  using behind = machineAt({ url: "http://console.invalid" });
  const environment = { http_proxy: proxy.url, https_proxy: proxy.url, ALL_PROXY: proxy.url };
  await run(behind, "livekit-deploy", ["connect"], `${token}\n`, environment);
  behind.command("curl", `exec ${realCurl} "$@"`);
  expect(await run(behind, "console", ["report"], "", environment)).toEqual({
    status: 0,
    output: "",
  });
  expect(proxy.requests.map(({ path }) => path)).toEqual([
    "http://console.invalid/v1/enrol",
    "http://console.invalid/v1/report",
  ]);
});
