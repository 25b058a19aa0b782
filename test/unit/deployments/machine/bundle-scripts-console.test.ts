import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { parseReport } from "~/features/servers/fleet/report.ts";
import { metricsText, writeKernel } from "../../../../fakes/machine/machine-folder.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { type ConsoleRequest, startConsole } from "../../../support/deployments/console-server.ts";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  machine,
  runningMachine,
} from "../../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const fleet = "0".repeat(32);
const server = "1".repeat(32);
const token = `lkd_e_${fleet}_${"A".repeat(43)}_${"2".repeat(16)}`;
const enrolled = [
  "server 11111111-1111-1111-1111-111111111111",
  `key-prefix lkd_s_${fleet}_${server}_`,
  `key-tag ${"3".repeat(16)}`,
];

/** What the console answers when everything is well. */
const well = ({ path, body }: ConsoleRequest) => ({
  status: 200,
  lines:
    path === "/v1/enrol"
      ? enrolled
      : path === "/v1/report"
        ? [`taken ${/^seq\t(\d+)$/m.exec(body)?.[1]}`]
        : [`disconnected ${server}`],
});
const refusing =
  (status: number, refused: string, ...more: string[]) =>
  () => ({ status, lines: [`refused ${refused}`, "say What to do about it.", ...more] });

const realCurl = spawnSync("sh", ["-c", "command -v curl"], { encoding: "utf8" }).stdout.trim();

type Console = Awaited<ReturnType<typeof startConsole>>;

/** A machine with what its kernel and its provider say. */
function withKernel(made: Machine): Machine {
  writeKernel(made, {
    machineId: "0123456789abcdef0123456789abcdef",
    bootId: "11111111-1111-4111-8111-111111111111",
  });
  made.write("var/lib/cloud/data/instance-id", "i-0abc\n");
  return made;
}

/** A machine of this bundle that can reach the console. */
function machineAt(
  { url }: Pick<Console, "url">,
  typed: Record<string, unknown> = {},
  hasToken = false,
): Machine {
  return withKernel(machine(typed, hasToken ? { url, token } : { url }));
}

/** Runs a command of the bundle while the console of this process can answer. */
function run(
  server: Machine,
  name: string,
  args: string[] = [],
  input = "",
  environment: Record<string, string> = {},
) {
  return new Promise<{ status: number | null; said: string }>((resolve) => {
    const child = server.start(name, args, environment);
    let said = "";
    child.stdout.on("data", (text) => (said += text));
    child.stderr.on("data", (text) => (said += text));
    // Some commands end without reading their input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("close", (status) => resolve({ status, said }));
  });
}
const connect = (server: Machine) => run(server, "livekit-deploy", ["connect"], `${token}\n`);
const report = (server: Machine) => run(server, "console", ["report"]);

/** The arguments and the environment of every program that runs on this system, as `ps axe` shows them to root. */
function processes(): string {
  const files = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return files
    .flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
    .map((file) => {
      try {
        return readFileSync(file, "latin1").replaceAll("\0", " ");
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return "";
      }
    })
    .join("\n");
}

const bundles: Record<string, Record<string, unknown>> = {
  Hetzner: { provider: "hetzner" },
  AWS: { provider: "aws" },
  "Amazon Linux": { provider: "aws", system: "amazon-linux-2023" },
  "Azure behind a proxy": { provider: "azure", proxy: "existing" },
  "DigitalOcean with Egress": { provider: "digital-ocean", recording: { kind: "local" } },
  "Google Cloud with IPv6": { provider: "google-cloud", addresses: "dual" },
  "Vultr without backups": { provider: "vultr", backups: { frequency: "none" } },
  "Linode updated by hand": { provider: "linode", updates: "manual" },
  Oracle: { provider: "oracle" },
  "another provider": { provider: "other" },
  "a strict firewall": { firewall: { preset: "strict" }, sshSource: ["192.0.2.0/24"] },
  "one UDP port": { mediaUdp: "single" },
};

const cases = Object.entries(bundles).flatMap(([name, typed]) =>
  (["dash", "busybox sh"] as const).map((shell) => [name, shell, typed] as const),
);

test.for(cases)(
  "a machine of %s connects, reports, takes a changed bundle and disconnects under %s",
  async ([, shell, typed]) => {
    await using console = await startConsole(well);
    using server = withKernel(runningMachine(typed, { url: console.url }, shell));
    server.command("sleep", "");
    for (const [component, { tag }] of Object.entries(pinned))
      server.set(`label-${component}`, tag.replace(/^v|-alpine$/g, ""));
    expect(await report(server)).toEqual({ status: 0, said: "" });
    expect(console.requests).toEqual([]);

    expect(await connect(server)).toMatchObject({ status: 0 });
    expect(server.mode("opt/livekit/server.key")).toBe("600");
    const key = server.read("opt/livekit/server.key");
    expect(await report(server)).toEqual({ status: 0, said: "" });

    const changed = optionsFrom({
      domain: "livekit.example.com",
      ...typed,
      extraDomains: ["livekit.example.org"],
    });
    const { files } = bundle(changed, undefined, { url: console.url });
    server.write("new.zip", zipOf(files));
    const applied = await run(server, "livekit-deploy", ["apply", server.path("new.zip")]);
    expect(applied.said).toContain("The bundle is in use.");
    expect(server.read("opt/livekit/server.key")).toBe(key);
    expect(await report(server)).toEqual({ status: 0, said: "" });
    expect(await run(server, "livekit-deploy", ["disconnect"])).toMatchObject({ status: 0 });
    expect(await report(server)).toEqual({ status: 0, said: "" });
    expect(console.requests.map(({ path }) => path)).toEqual([
      "/v1/enrol",
      "/v1/report",
      "/v1/report",
      "/v1/disconnect",
    ]);

    const [introduced, reported, later] = console.requests;
    const secret = /_([A-Za-z0-9]{43})_3{16}\n$/.exec(key)?.[1] ?? "";
    expect(introduced?.credential).toBe(token);
    expect(introduced?.body).toContain(
      `key-hash ${createHash("sha256").update(secret).digest("hex")}\n`,
    );
    const [first, second] = [reported, later].map((each) => parseReport(each?.body ?? ""));
    expect(first).toMatchObject({
      ok: true,
      report: {
        seq: 1,
        instance: "i-0abc",
        load: 0.31,
        memory: { used: 2_000_000, total: 8_000_000 },
        network: { in: 700, out: 900 },
        services: expect.arrayContaining([expect.objectContaining({ name: "livekit" })]),
      },
    });
    expect(second).toMatchObject({ ok: true, report: { seq: 2 } });
    if (first?.ok && second?.ok) expect(second.report.version).not.toBe(first.report.version);
  },
);

test("a report says which process of LiveKit answers, what it serves, and when certificates end", async () => {
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
      metrics: { rooms: 2, participants: 5, "tracks-published": 10, egress: 2, ingress: 1 },
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

test.for(["updating", "applying", "restoring"])(
  "while files are exchanged (%s) each report says that the server is being updated",
  async (marker) => {
    await using console = await startConsole(well);
    using server = machineAt(console);
    await connect(server);
    server.write(`opt/livekit/state/${marker}`, "");
    await report(server);
    expect(console.requests.at(-1)?.body).toContain("\ngoing\tupdate\n");
  },
);

test.for([
  ["it is switched off", "stop", "1 poweroff.target start waiting\n"],
  ["it is started again", "reboot", "7 reboot.target start waiting\n"],
] as const)("a machine tells that %s, with its last report", async ([, going, jobs]) => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  await report(server);
  server.set("system-state", "stopping\n");
  server.set("jobs", jobs);
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, said: "" });
  const [last, told] = console.requests.slice(1).map(({ body }) => parseReport(body));
  expect(told).toMatchObject({ ok: true, report: { seq: 2, going } });
  if (last?.ok && told?.ok)
    expect({ ...told.report, seq: 1, at: last.report.at }).toEqual({ ...last.report, going });
});

test("a stop of the unit alone, and the shutdown of a machine that is not connected, tell nothing", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  server.set("system-state", "stopping\n");
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, said: "" });
  server.unset("system-state");
  await connect(server);
  await report(server);
  expect(await run(server, "console", ["going"])).toEqual({ status: 0, said: "" });
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
});

test("the unit of the last report is stopped before the network is, and for eight seconds at most", () => {
  const { files } = bundle(optionsFrom({ domain: "livekit.example.com" }));
  const unit = (name: string) => files.find(({ path }) => path === name)?.content ?? "";
  expect(unit("livekit-report.timer")).toContain("Wants=livekit-going.service\n");
  expect(unit("livekit-report.timer")).toContain(
    "OnCalendar=*:*:00\nAccuracySec=1s\nRandomizedDelaySec=45\nFixedRandomDelay=yes\n",
  );
  expect(unit("livekit-going.service")).toContain("After=network-online.target\n");
  expect(unit("livekit-going.service")).toContain("ExecStop=-/opt/livekit/bin/console.sh going\n");
  expect(unit("livekit-going.service")).toContain("TimeoutStopSec=8\n");
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
  expect(await report(server)).toEqual({ status: 0, said: "" });
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
  expect(restored.said).toContain("Restored.");
  expect(server.read("opt/livekit/deployment.env")).not.toContain("CONSOLE_URL");
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(console.requests.map(({ path }) => path)).toEqual([
    "/v1/enrol",
    "/v1/report",
    "/v1/report",
  ]);
  expect(console.requests.at(-1)?.credential).toBe(key.trim());
});

test("a copy of the folder on another machine keeps the key, and says who may allow it", async () => {
  const say = "This key belongs to another machine. Allow this one on the server's page.";
  await using console = await startConsole((request) =>
    request.body.includes("instance\ti-0copy\n")
      ? { status: 409, lines: ["refused another-machine", `say ${say}`] }
      : well(request),
  );
  using server = machineAt(console);
  await connect(server);
  await report(server);
  using copy = machineAt(console);
  copy.write("opt/livekit/server.key", server.read("opt/livekit/server.key"), 0o600);
  copy.write("var/lib/cloud/data/instance-id", "i-0copy\n");
  expect(await report(copy)).toEqual({ status: 1, said: `Not reported. ${say}\n` });
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(copy.has("opt/livekit/server.key")).toBe(true);
});

test("whoever disconnects says which machine it is, and a copy forgets the key though the server stays", async () => {
  const [kept, ended] = [[`kept ${server}`], [`disconnected ${server}`]];
  await using console = await startConsole((request) =>
    request.path === "/v1/disconnect"
      ? { status: 200, lines: request.body.includes("instance i-0copy\n") ? kept : ended }
      : well(request),
  );
  using original = machineAt(console);
  await connect(original);
  const [introduced] = console.requests;
  for (const instance of ["i-0copy", "i-0abc"]) {
    using left = machineAt(console);
    left.write("opt/livekit/server.key", original.read("opt/livekit/server.key"), 0o600);
    left.write("var/lib/cloud/data/instance-id", `${instance}\n`);
    const { status, said } = await run(left, "livekit-deploy", ["disconnect"]);
    expect([status, said.includes("The server stays connected")]).toEqual([
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

test("a copy that connects with a token of its own has a secret of its own", async () => {
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

test("each look of the doctor is told with its time, also when it finds what it found before", async () => {
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
  "a first look that finds %s is told though its alert reaches nobody",
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
    const said = reportedBy(console);
    expect(said.doctorAt).toEqual(expect.any(Number));
    expect(said.findings.map((finding) => finding.code)).toContain(code);
    expect(said.stages.some((stage) => stage.code === "ready")).toBe(isReady);
  },
);

test("a machine with IPv6 alone reports, and one behind a proxy asks the proxy for the console only", async () => {
  await using six = await startConsole(well, "::1");
  using alone = machineAt(six);
  await connect(alone);
  expect(await report(alone)).toEqual({ status: 0, said: "" });

  await using proxy = await startConsole((request) =>
    well({ ...request, path: new URL(request.path).pathname }),
  );
  using behind = machineAt({ url: "http://console.invalid" });
  const environment = { http_proxy: proxy.url, https_proxy: proxy.url, ALL_PROXY: proxy.url };
  await run(behind, "livekit-deploy", ["connect"], `${token}\n`, environment);
  behind.command("curl", `exec ${realCurl} "$@"`);
  expect(await run(behind, "console", ["report"], "", environment)).toEqual({
    status: 0,
    said: "",
  });
  expect(proxy.requests.map(({ path }) => path)).toEqual([
    "http://console.invalid/v1/enrol",
    "http://console.invalid/v1/report",
  ]);
});

test("a machine that is not connected makes no request", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(console.requests).toEqual([]);
  expect(await run(server, "livekit-deploy", ["disconnect"])).toEqual({
    status: 1,
    said: "This machine is not connected.\n",
  });
});

test("while the machine waits for the console, neither token nor key is in a list of processes, nor said", async () => {
  const listed: string[] = [];
  await using console = await startConsole((request) => {
    listed.push(processes());
    return well(request);
  });
  using server = machineAt(console);
  const said = [
    await connect(server),
    await report(server),
    await run(server, "livekit-deploy", ["disconnect"]),
  ];
  const [, secret = ""] =
    /_([A-Za-z0-9]{43})_3{16}$/.exec(console.requests[1]?.credential ?? "") ?? [];
  expect(secret).not.toBe("");
  expect(listed).toHaveLength(3);
  const everything = [...listed, server.calls(), ...said.map((each) => each.said)];
  for (const list of listed) expect(list).toContain(`curl -sS -K - -X POST`);
  for (const hidden of [token.slice(39, 82), secret])
    for (const text of everything) expect(text).not.toContain(hidden);
});

test("after a lost answer the machine introduces itself with the same secret", async () => {
  let lost = true;
  await using console = await startConsole((request) => {
    if (!lost) return well(request);
    lost = false;
    return "breaks-off";
  });
  using server = machineAt(console);
  const first = await connect(server);
  expect(first).toMatchObject({ status: 1 });
  expect(first.said).toContain("The console did not answer.");
  expect(await connect(server)).toMatchObject({ status: 0 });
  const [one, two] = console.requests;
  expect(two?.body).toBe(one?.body);
});

test("with the token of its user data a machine connects by itself, and forgets it", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console, {}, true);
  expect(server.mode("opt/livekit/enrolment-token")).toBe("600");
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
});

test("a machine that was connected by another token forgets the one of its user data", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
});

test("a token that has ended is not tried again, and why is said once", async () => {
  await using console = await startConsole(refusing(410, "token-ended"));
  using server = machineAt(console, {}, true);
  expect(await report(server)).toEqual({
    status: 1,
    said: "Not connected. What to do about it.\n",
  });
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(console.requests).toHaveLength(1);
});

test.for([
  [401, "unknown-key", 3600],
  [410, "key-revoked", 3600],
  [409, "another-machine", 300],
  [429, "too-often", 40],
] as const)("after %s %s the machine keeps its key and waits", async ([status, code, seconds]) => {
  await using console = await startConsole((request) =>
    request.path === "/v1/enrol" ? well(request) : refusing(status, code, "not-before 40")(),
  );
  using server = machineAt(console);
  await connect(server);
  const before = Math.floor(Date.now() / 1_000);
  expect(await report(server)).toEqual({ status: 1, said: "Not reported. What to do about it.\n" });
  const until = Number(server.read("run/livekit-console/not-before"));
  expect(until - before).toBeGreaterThanOrEqual(seconds);
  expect(until - before).toBeLessThanOrEqual(seconds + 30);
  expect(await report(server)).toEqual({ status: 0, said: "" });
  expect(console.requests).toHaveLength(2);
  expect(server.has("opt/livekit/server.key")).toBe(true);
});

test("a login page that answers in the console's place connects nothing, takes no report and ends no key", async () => {
  const page = "<!doctype html><title>Sign in to the hotel's network</title>";
  let isAway = true;
  await using console = await startConsole((request) => (isAway ? { page } : well(request)));
  using server = machineAt(console);
  const said = expect.stringContaining("The console did not answer.");
  expect(await connect(server)).toEqual({ status: 1, said });
  expect(server.has("opt/livekit/server.key")).toBe(false);
  isAway = false;
  await connect(server);
  const key = server.read("opt/livekit/server.key");
  isAway = true;
  expect(await report(server)).toEqual({ status: 1, said });
  expect(await run(server, "livekit-deploy", ["disconnect"])).toEqual({ status: 1, said });
  expect(server.read("opt/livekit/server.key")).toBe(key);
});

test("an answer is data: a command in it is not run", async () => {
  await using console = await startConsole(() => ({
    status: 200,
    lines: ["server x", "key-prefix lkd_s_$(touch /tmp/never)_", "key-tag `id`"],
  }));
  using server = machineAt(console);
  expect(await connect(server)).toMatchObject({ status: 1 });
  expect(server.has("opt/livekit/server.key")).toBe(false);
});

test.for(["", "hello\n", "lkd_e_$(id)\n", "lkd_s_1\n"])("%j is no token", async (typed) => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  const outcome = await run(server, "livekit-deploy", ["connect"], typed);
  expect(outcome.status).toBe(1);
  expect(outcome.said).toContain("Nothing was changed.");
  expect(console.requests).toEqual([]);
});

test("a bundle of a site without a console says so", async () => {
  using server = machine();
  expect(server.run("livekit-deploy", ["connect"], `${token}\n`).said).toContain(
    "This bundle knows no console",
  );
});
