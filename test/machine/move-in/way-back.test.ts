import { symlinkSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { writeSystem } from "../../../fakes/machine/machine-folder.ts";
import { machineOf } from "../../support/move-in/layouts.ts";
import type { MoveInMachine } from "../../support/move-in/machine.ts";

vi.setConfig({ testTimeout: 300_000 });

/** Where the way back says that it put what ours had. */
const asideOf = (output: string) => /is in \/(opt\/livekit\.moved-out-[\d-]+):/.exec(output)?.[1];

const record = (machine: MoveInMachine) => {
  machine.write("opt/livekit/out/lesson.mp4", "recorded\n");
  machine.write("var/backups/livekit/livekit-1.tar.gz", "saved\n");
};

test("what ours made before it failed is put aside as what a later way back finds, and is never deleted", () => {
  using machine = machineOf("a unit of systemd");
  const before = machine.tree();
  machine.set("livekit-silent");
  machine.command(
    "sleep",
    'cd "$LIVEKIT_DEPLOY_ROOT"; mkdir -p var/backups/livekit; echo saved >var/backups/livekit/livekit-1.tar.gz; echo recorded >opt/livekit/out/lesson.mp4',
  );
  const aside = asideOf(machine.moveIn().output);
  expect(machine.read(`${aside}/out/lesson.mp4`)).toBe("recorded\n");
  expect(machine.read(`${aside}/backups/livekit-1.tar.gz`)).toBe("saved\n");
  expect(machine.has(`${aside}/secrets.env`)).toBe(true);
  expect(machine.treeOfTheirs()).toEqual(before);
});

test("where /var is another disk than /opt nothing is copied: backups get their new name there, and it is said", () => {
  using machine = machineOf("a unit of systemd");
  machine.write("var/backups/dpkg.status", "of the system\n");
  const before = machine.tree();
  machine.set("two-disks");
  expect(machine.moveIn().status).toBe(0);
  record(machine);
  const { output, status } = machine.moveOut();
  expect(status).toBe(0);
  const aside = asideOf(output);
  const other = `var/backups/livekit${aside?.slice("opt/livekit".length)}`;
  expect(output).toContain(`On another disk: /${other}\n`);
  expect(machine.read(`${other}/livekit-1.tar.gz`)).toBe("saved\n");
  expect(machine.read(`${aside}/out/lesson.mp4`)).toBe("recorded\n");
  expect(machine.treeOfTheirs()).toEqual(before);
});

test("our programs for a LiveKit of one's own run on: the connection, and what reads its events", () => {
  using machine = machineOf("a unit of systemd");
  for (const name of ["livekit-connect", "livekit-sessions"]) {
    const unit = `etc/systemd/system/${name}.service`;
    machine.write(unit, `[Service]\nExecStart=/opt/${name}/${name} listen\n`);
    symlinkSync(
      `/${unit}`,
      machine.path(`etc/systemd/system/multi-user.target.wants/${name}.service`),
    );
    machine.set(`active/${name}.service`);
  }
  const before = { tree: machine.tree(), state: machine.state() };
  const runOn = ["livekit-connect.service", "livekit-sessions.service"];
  expect(machine.moveIn().status).toBe(0);
  expect(machine.state().units).toEqual(runOn);
  for (const name of runOn) expect(machine.has(`etc/systemd/system/${name}`), name).toBe(true);
  expect(machine.moveOut().status).toBe(0);
  expect({ tree: machine.treeOfTheirs(), state: machine.state() }).toEqual(before);
});

test("what was neither enabled nor running is so again: Amazon Linux's updates, and the start of Docker", () => {
  using machine = machineOf("a container of Docker", {
    options: { proxy: "existing", provider: "aws", system: "amazon-linux-2023" },
  });
  writeSystem(machine, "Amazon Linux 2023.9.20251105");
  for (const [name, target] of [
    ["dnf-automatic.timer", "timers"],
    ["docker.service", "multi-user"],
  ])
    machine.write(`usr/lib/systemd/system/${name}`, `[Install]\nWantedBy=${target}.target\n`);
  const before = { tree: machine.tree(), state: machine.state() };
  expect(machine.moveIn().status).toBe(0);
  expect(machine.tree().join("\n")).toContain("timers.target.wants/dnf-automatic.timer");
  expect(machine.moveOut().status).toBe(0);
  expect({ tree: machine.treeOfTheirs(), state: machine.state() }).toEqual(before);
});

test("what is left of a journal that was undone is not undone again", () => {
  using machine = machineOf("a unit of systemd");
  const entry = JSON.stringify({ kind: "absent", path: "/etc/later" });
  machine.write("var/lib/livekit-move-in/journal", `${entry}\n`, 0o600);
  machine.write("etc/later", "theirs\n");
  expect(machine.moveIn().status).toBe(0);
  expect(machine.moveOut().status).toBe(0);
  expect(machine.read("etc/later")).toBe("theirs\n");
});
