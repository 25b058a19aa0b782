import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { parseReport } from "~/features/servers/fleet/report.ts";
import { type ConsoleRequest, startConsole } from "../../../support/deployments/console-server.ts";
import { type Machine, machine } from "../../../support/deployments/machine.ts";

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

type Console = Awaited<ReturnType<typeof startConsole>>;

/** A machine of this bundle that can reach the console, with what its kernel and its provider say. */
function machineAt(
  { url }: Pick<Console, "url">,
  typed: Record<string, unknown> = {},
  hasToken = false,
): Machine {
  const made = machine(typed, hasToken ? { url, token } : { url });
  made.command("curl", `printf '%s\\n' "$*" >>"$MACHINE/arguments"; exec /usr/bin/curl "$@"`);
  for (const name of ["systemctl"]) made.command(name, "exit 0");
  made.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  made.write("var/lib/cloud/data/instance-id", "i-0abc\n");
  made.write("proc/sys/kernel/random/boot_id", "11111111-1111-4111-8111-111111111111\n");
  made.write("proc/loadavg", "0.31 0.20 0.10 1/100 4242\n");
  made.write("proc/meminfo", "MemTotal: 8000000 kB\nMemFree: 100 kB\nMemAvailable: 6000000 kB\n");
  made.write(
    "proc/net/dev",
    "Inter-| Receive\n face |bytes\n  lo: 9 0 0 0 0 0 0 0 9 0\neth0: 700 0 0 0 0 0 0 0 900 0\n",
  );
  return made;
}

/** Runs a command of the bundle while the console of this process can answer. */
function run(server: Machine, name: string, args: string[] = [], input = "") {
  return new Promise<{ status: number | null; said: string }>((resolve) => {
    const child = server.start(name, args);
    let said = "";
    child.stdout.on("data", (text) => (said += text));
    child.stderr.on("data", (text) => (said += text));
    child.stdin.end(input);
    child.on("close", (status) => resolve({ status, said }));
  });
}
const connect = (server: Machine) => run(server, "livekit-deploy", ["connect"], `${token}\n`);
const report = (server: Machine) => run(server, "console", ["report"]);

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

test.for(Object.entries(bundles))(
  "a machine of %s connects, reports and disconnects",
  async ([, typed]) => {
    await using console = await startConsole(well);
    using server = machineAt(console, typed);
    expect(await connect(server)).toMatchObject({ status: 0 });
    expect(server.mode("opt/livekit/server.key")).toBe("600");
    expect(await report(server)).toEqual({ status: 0, said: "" });
    expect(await run(server, "livekit-deploy", ["disconnect"])).toMatchObject({ status: 0 });
    expect(await report(server)).toEqual({ status: 0, said: "" });
    expect(console.requests.map(({ path }) => path)).toEqual([
      "/v1/enrol",
      "/v1/report",
      "/v1/disconnect",
    ]);

    const [introduced, reported] = console.requests;
    const key = reported?.credential ?? "";
    const secret = /_([A-Za-z0-9]{43})_3{16}$/.exec(key)?.[1] ?? "";
    expect(introduced?.credential).toBe(token);
    expect(introduced?.body).toContain(
      `key-hash ${createHash("sha256").update(secret).digest("hex")}\n`,
    );
    expect(parseReport(reported?.body ?? "")).toMatchObject({
      ok: true,
      report: {
        seq: 1,
        instance: "i-0abc",
        load: 0.31,
        memory: { used: 2_000_000, total: 8_000_000 },
        network: { in: 700, out: 900 },
      },
    });
  },
);

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

test("neither token nor key is an argument of a program, nor said", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  const said = [await connect(server), await report(server)].map((each) => each.said).join();
  const secret = server.read("opt/livekit/server.key").trim().slice(72, 115);
  for (const hidden of [token, secret]) {
    expect(server.told("arguments") + server.calls() + said).not.toContain(hidden);
  }
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

test("a login page that answers in the console's place connects nothing", async () => {
  await using console = await startConsole(() => ({ status: 200, lines: [] }));
  using server = machineAt(console);
  expect(await connect(server)).toMatchObject({ status: 1 });
  expect(server.has("opt/livekit/server.key")).toBe(false);
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
