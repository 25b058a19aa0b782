import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { backedUp, runningMachine } from "../../support/deployments/machine.ts";
import { stateOf, versionOn } from "../../support/deployments/machine-files.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };

/** Options of a later version, whose firewall, units and scripts are others. */
const later = {
  mediaUdp: "single",
  turnUdpPort: "443",
  backups: { frequency: "none" },
  updates: "weekly",
  security: "high",
};

test("M2: a restore onto another version says so first, and brings all of the backup's version back", () => {
  using server = runningMachine({ ...daily, security: "standard" });
  const before = { ...stateOf(server), ...versionOn(server) };
  const file = backedUp(server);
  server.install(later);
  const changed = versionOn(server);
  expect(changed["etc/livekit/firewall.nft"]).not.toBe(before["etc/livekit/firewall.nft"]);
  expect(changed).toHaveProperty(["etc/systemd/system/livekit-update.timer"]);
  server.forget();
  const { status, output } = server.run("restore", [file]);
  expect(output.indexOf("The backup is of other files than this machine has, such as /")).toBe(0);
  expect(output.indexOf("Stopping LiveKit.")).toBeGreaterThan(0);
  expect(output).toContain("Restored.");
  expect(status).toBe(0);
  expect({ ...stateOf(server), ...versionOn(server) }).toEqual(before);
  const calls = server.calls();
  const steps = [
    "docker compose stop livekit",
    "systemctl disable --now livekit-update.timer",
    "systemctl daemon-reload",
    "sysctl -q --system",
    "systemctl reload-or-restart livekit-firewall.service",
    "systemctl start livekit.service",
  ].map((step) => calls.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(calls).toContain("systemctl restart livekit-backup.timer");
});

test("M2: a restore names both versions where the files say theirs, and is silent where they are the same", () => {
  const of = (number: number) => ({
    url: "https://console.example.com",
    version: { deployment: "11111111-1111-4111-8111-111111111111", number },
  });
  using server = runningMachine({}, of(3));
  const file = backedUp(server);
  expect(server.run("restore", [file]).output).not.toMatch(/version|files/);
  for (const { installed, content } of bundle(
    optionsFrom({ domain: "livekit.example.com", ...later }),
    undefined,
    of(5),
  ).files)
    if (installed && installed.path !== "/opt/livekit/secrets.env")
      server.write(installed.path, content, Number.parseInt(installed.mode, 8));
  expect(server.run("restore", [file]).output).toContain(
    "The backup is of version 3, this machine has version 5. All of version 3 is put back:",
  );
  expect(server.read("opt/livekit/version.txt")).toContain(" 3 ");
});

test("M2: another version that does not start gives way to all of the one from before", () => {
  using server = runningMachine({ ...daily, updates: "weekly" });
  const file = backedUp(server);
  server.install({ ...later, updates: "manual" });
  rmSync(server.path("etc/systemd/system/livekit-update.timer"));
  const before = { ...stateOf(server), ...versionOn(server) };
  server.set("start-fails");
  const { status, output } = server.run("restore", [file]);
  expect(output).toContain("The earlier state runs again.");
  expect(status).toBe(1);
  expect({ ...stateOf(server), ...versionOn(server) }).toEqual(before);
  expect(server.has("opt/livekit/state/before-restore")).toBe(false);
});

test("M2: a power cut in a restore of another version puts all of the one from before back at the next start", async () => {
  using server = runningMachine({ ...daily, updates: "weekly" });
  const file = backedUp(server);
  server.install({ ...later, updates: "manual" });
  rmSync(server.path("etc/systemd/system/livekit-update.timer"));
  const before = { ...stateOf(server), ...versionOn(server) };
  server.command(
    "mv",
    'case "$*" in *before-restore*) ;; *livekit-deploy.new*) : >"$MACHINE/moving"; sleep 60 ;; esac\nexec /bin/mv "$@"',
  );
  await server.cutPower("restore", [file], "moving");
  server.command("mv", 'exec /bin/mv "$@"');
  expect(versionOn(server)["etc/livekit/firewall.nft"]).not.toBe(
    before["etc/livekit/firewall.nft"],
  );
  server.forget();
  expect(server.run("before-start").output).toContain("A restore was interrupted");
  expect({ ...stateOf(server), ...versionOn(server) }).toEqual(before);
  // LiveKit's own unit may not write into /etc.
  expect(server.calls()).toMatch(/systemd-run -q --collect --wait --pipe \S+restore.sh --recover/);
  expect(server.calls()).toMatch(/nft -f \S+firewall.nft/);
  expect(server.has("opt/livekit/state/before-restore")).toBe(false);
});

test("M2: a backup that is older than this and of another version is restored, and what it lacks is said", () => {
  using server = runningMachine();
  const file = backedUp(server);
  const old = server.path("old.tar.gz");
  const made = spawnSync(
    "sh",
    [
      "-c",
      `mkdir u; tar -xzf "$1" -C u; rm -r u/bin u/system
(cd u && find . -type f ! -name manifest.sha256 -print0 | sort -z | xargs -0 sha256sum >../m); mv m u/manifest.sha256; tar -czf "$2" -C u .`,
      "-",
      file,
      old,
    ],
    { cwd: server.path("."), encoding: "utf8" },
  );
  expect(made.stderr).toBe("");
  const said = "older than backups that hold firewall, units and scripts";
  expect(server.run("restore", [old]).output).not.toContain(said);
  server.install(later);
  const before = versionOn(server);
  const { status, output } = server.run("restore", [old]);
  expect(output).toContain(said);
  expect(status).toBe(0);
  expect(versionOn(server)).toEqual(before);
});
