import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { runningMachine } from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

test("an update and a restore go on when the terminal is lost", async () => {
  using server = runningMachine();
  // Like systemd, it runs the command apart from the process that asked for it.
  server.command(
    "systemd-run",
    `while case $1 in -*) ;; *) false ;; esac; do
  case $1 in --property=StandardOutput=append:*) log=\${1#*append:} ;; esac
  shift
done
setsid "$@" </dev/null >>"$log" 2>&1`,
  );
  const [, file = ""] = /Backup made: (\S+)/.exec(server.run("backup").output) ?? [];
  for (const [args, words] of [
    [["update", "--to", "livekit=v1.13.12"], "Updated. All services are healthy."],
    [["restore", file], "Restored."],
  ] as const) {
    server.unset("up-began");
    server.set("up-slow");
    const child = server.start("livekit-deploy", args);
    await vi.waitUntil(() => server.isSet("up-began"), { timeout: 20_000 });
    child.stdout.destroy();
    child.stderr.destroy();
    process.kill(-(child.pid ?? 0), "SIGHUP");
    await once(child, "close");
    server.unset("up-slow");
    const log = `opt/livekit/state/${args[0]}.log`;
    await vi.waitUntil(() => server.read(log).includes(words), { timeout: 20_000 });
    expect(server.has("opt/livekit/state/updating")).toBe(false);
    expect(server.has("opt/livekit/state/restoring")).toBe(false);
    expect(server.controlContent("running/livekit")).toContain(
      args[0] === "update" ? "v1.13.12" : "v1.13.11",
    );
    expect(server.isSet("condition-livekit")).toBe(false);
  }
});

test("what an update by hand says and how it ends reaches the one who asked", () => {
  using server = runningMachine();
  expect(server.run("livekit-deploy", ["update"])).toEqual({
    status: 0,
    output: "Everything is up to date.\n",
  });
  expect(server.run("livekit-deploy", ["update", "--soon"])).toMatchObject({
    status: 64,
    output: expect.stringContaining("Usage: update"),
  });
  expect(server.calls()).toContain("systemd-run -q --unit=livekit-update-by-hand --collect --wait");
});
