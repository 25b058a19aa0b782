import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { maxConnectBytes } from "~/features/servers/connect-script/connect-script.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { refusing, token, well } from "../../support/deployments/console-machine.ts";
import { startConsole } from "../../support/deployments/console-server.ts";
import { complaint } from "../../support/deployments/debian-tools.ts";
import { connectText } from "../../support/servers/layouts/connect-text.ts";
import { layoutMachine } from "../../support/servers/layouts/layout-machine.ts";
import { layouts } from "../../support/servers/layouts/layouts.ts";

vi.setConfig({ testTimeout: 60_000 });

function ordinary() {
  const made = layouts["systemd behind nginx"]?.({ livekit: 1, metrics: 1, tls: 1 });
  if (!made) throw new Error("There is no such layout.");
  return layoutMachine(made);
}

const input = `${token}\n`;

test("the script is short enough to be read, and understood by shellcheck and by the Python of Amazon Linux", () => {
  expect(Buffer.byteLength(connectText)).toBeLessThanOrEqual(maxConnectBytes);
  const python = /<<'PYTHON'\n([\s\S]*)\nPYTHON\n/.exec(connectText)?.[1] ?? "";
  expect(python).not.toBe("");
  using folder = mkdtempDisposableSync(join(tmpdir(), "connect-script-"));
  writeFileSync(join(folder.path, "connect.sh"), connectText);
  writeFileSync(join(folder.path, "connect.py"), `${python}\n`);
  expect(complaint("shellcheck", ["--severity=warning", "connect.sh"], folder.path)).toBe("");
  const parse = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))";
  expect(complaint("python3", ["-c", parse, "connect.py"], folder.path)).toBe("");
});

test("whoever is not root, has no token, or has no LiveKit there, changes nothing", async () => {
  await using console = await startConsole(well);
  using machine = ordinary();
  const before = machine.tree();
  const attempts = [
    ["", "This is no token of the console"],
    ["lkd_e_$(id)\n", "This is no token of the console"],
    ["lkd_s_1\n", "This is no token of the console"],
  ] as const;
  for (const [typed, said] of attempts) {
    const outcome = await machine.run("dash", [console.url], { input: typed });
    expect(outcome, typed).toMatchObject({ status: 1 });
    expect(outcome.output).toContain(said);
    expect(machine.tree()).toEqual(before);
  }
  machine.set("not-root");
  const ofNobody = await machine.run("busybox sh", [console.url], { input });
  expect(ofNobody.output).toContain("Run this with sudo");
  expect(machine.tree()).toEqual(before);
  using empty = layoutMachine({ files: {} });
  const nothing = empty.tree();
  const notFound = await empty.run("dash", [console.url], { input });
  expect(notFound).toMatchObject({ status: 1 });
  expect(notFound.output).toContain("LiveKit was not found");
  expect(empty.tree()).toEqual(nothing);
  expect(console.requests).toEqual([]);
});

test("a token that the console refuses leaves the machine as it was, and says why", async () => {
  await using console = await startConsole(refusing(410, "token-used"));
  using machine = ordinary();
  const before = machine.tree();
  const outcome = await machine.run("dash", [console.url], { input });
  expect(outcome).toMatchObject({ status: 1 });
  expect(outcome.output).toContain("What to do about it.");
  expect(machine.tree()).toEqual(before);
});

test("after a lost answer, or a page that somebody else answers, the same token and secret are sent again", async () => {
  const answers = ["breaks-off", { page: "<title>Sign in to the hotel</title>" }] as const;
  let count = 0;
  await using console = await startConsole((request) => answers[count++] ?? well(request));
  using machine = ordinary();
  for (const [said] of [["did not answer"], ["Somebody else answered"]] as const) {
    const lost = await machine.run("dash", [console.url], { input });
    expect(lost).toMatchObject({ status: 1 });
    expect(lost.output).toContain(said);
    expect(machine.has("opt/livekit-connect/server.key")).toBe(false);
    expect(machine.has("etc/systemd/system/livekit-connect.timer")).toBe(false);
  }
  expect(await machine.run("dash", [console.url], { input })).toMatchObject({ status: 0 });
  const [first, second, third] = console.requests;
  expect(second?.body).toBe(first?.body);
  expect(third?.body).toBe(first?.body);
  expect(machine.mode("opt/livekit-connect")).toBe("700");
  expect(machine.mode("opt/livekit-connect/server.key")).toBe("600");
  expect(machine.has("opt/livekit-connect/token")).toBe(false);
});

test("an attempt that never came through is taken away as a whole", async () => {
  await using console = await startConsole(() => "breaks-off");
  using machine = ordinary();
  const before = machine.tree();
  await machine.run("busybox sh", [console.url], { input });
  const removed = await machine.run("busybox sh", ["remove"], { installed: true });
  expect(removed).toMatchObject({ status: 0 });
  expect(machine.tree()).toEqual(before);
});

test("while the console is away remove takes everything away all the same, and says what is left to do there", async () => {
  let isAway = false;
  await using console = await startConsole((request) => (isAway ? "breaks-off" : well(request)));
  using machine = ordinary();
  const before = machine.tree();
  await machine.run("dash", [console.url], { input });
  isAway = true;
  const removed = await machine.run("dash", ["remove"], { installed: true });
  expect(removed).toMatchObject({ status: 0 });
  expect(removed.output).toContain("disconnect the server in the console as well");
  expect(machine.tree()).toEqual(before);
});

test("the machine waits as long as the console asks, keeps its key when that has ended, and says so", async () => {
  let isRevoked = false;
  await using console = await startConsole((request) =>
    isRevoked ? refusing(410, "key-revoked")() : well(request),
  );
  using machine = ordinary();
  await machine.run("dash", [console.url], { input });
  isRevoked = true;
  expect(await machine.run("dash", ["report"], { installed: true })).toMatchObject({ status: 1 });
  const sent = console.requests.length;
  expect(await machine.run("dash", ["report"], { installed: true })).toMatchObject({ status: 0 });
  expect(console.requests).toHaveLength(sent);
  expect(machine.has("opt/livekit-connect/server.key")).toBe(true);
  const status = await machine.run("dash", ["status"], { installed: true });
  expect(status.output).toContain("Found: LiveKit 1.9.2 in systemd");
  expect(status.output).toContain("not taken. What to do about it.");
});

test("print says what would be sent and sends nothing, and a name that is given is in it", async () => {
  await using console = await startConsole(well);
  const made = layouts["rootless Podman"]?.({ livekit: 1, metrics: 1, tls: 1 });
  if (!made) throw new Error("There is no such layout.");
  using machine = layoutMachine(made);
  await machine.run("dash", [console.url], { input });
  const sent = console.requests.length;
  const domain = ["domain", "live.example.net"];
  expect(await machine.run("dash", domain, { installed: true })).toMatchObject({ status: 0 });
  const printed = await machine.run("dash", ["print"], { installed: true });
  const read = parseReport(printed.output);
  expect(read).toMatchObject({ ok: true, report: { domain: "live.example.net" } });
  expect(console.requests).toHaveLength(sent);
});

test("where a LiveKit is gone later, the report says so", async () => {
  await using console = await startConsole(well);
  const made = layouts["rootless Podman"]?.({ livekit: 1, metrics: 1, tls: 1 });
  if (!made) throw new Error("There is no such layout.");
  using machine = layoutMachine(made);
  await machine.run("dash", [console.url], { input });
  machine.remove("run/user/1001/podman/podman.sock");
  await machine.run("dash", ["report"], { installed: true });
  const read = parseReport(console.requests.at(-1)?.body ?? "");
  expect(read).toMatchObject({ ok: true, report: { layout: { kind: "none" } } });
});
