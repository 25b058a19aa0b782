// Lines of a report that follow what happens on the machine: its first boot, its backups, an update under way.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import {
  type Console,
  connect,
  machineAt,
  refusing,
  report,
  run,
  well,
  withKernel,
} from "../support/deployments/console-machine.ts";
import { startConsole } from "../support/deployments/console-server.ts";
import { backupsFolder, type Machine, runningMachine } from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const bodyOf = ({ requests }: Console) => requests.at(-1)?.body ?? "";

/** Takes the lock of the machine's scripts, as one of them does. */
async function held(server: Machine) {
  server.write("opt/livekit/state/lock", "");
  const lock = server.path("opt/livekit/state/lock");
  const holder = spawn("sh", ["-c", 'exec 9>"$0"; flock 9; echo held; exec cat', lock]);
  await once(holder.stdout, "data");
  const release = async () => {
    holder.stdin.end();
    await once(holder, "close");
  };
  return { release };
}

test.for(["updating", "applying", "restoring"])(
  "while files are exchanged (%s) each report says that the server is being updated, and none after who did it was killed",
  async (marker) => {
    await using console = await startConsole(well);
    using server = machineAt(console);
    await connect(server);
    server.write(`opt/livekit/state/${marker}`, "");
    const { release } = await held(server);
    await report(server);
    expect(bodyOf(console)).toContain("\ngoing\tupdate\n");
    await release();
    await report(server);
    expect(bodyOf(console)).not.toContain("\ngoing\t");
  },
);

test("while something holds the lock, as a restart that waits does, each report says that the server is busy", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  await report(server);
  expect(bodyOf(console)).not.toContain("\nbusy\n");
  const { release } = await held(server);
  await report(server);
  expect(bodyOf(console)).toContain("\nbusy\n");
  expect(bodyOf(console)).not.toContain("\ngoing\t");
  expect(parseReport(bodyOf(console))).toMatchObject({ ok: true, report: { isBusy: true } });
  await release();
  await report(server);
  expect(bodyOf(console)).not.toContain("\nbusy\n");
});

test.for([
  ["LiveKit did not start at first, and did when systemd tried again", {}, 1],
  [
    "a person started LiveKit, who had the password of another Redis",
    { redis: { kind: "external", address: "redis.example.net:6379" } },
    0,
  ],
] as const)("a first boot is reported to its end where %s", async ([, typed, status]) => {
  await using console = await startConsole(well);
  using server = machineAt(console, typed, true);
  server.set("start-fails");
  expect(await run(server, "first-boot", ["--boot"])).toMatchObject({ status });
  server.run("health");
  await report(server);
  const stages = () => [...bodyOf(console).matchAll(/^stage\t(\S+)\t\d+$/gm)].map(([, one]) => one);
  const begun = ["connected", "secrets", "packages", "tools", "images"];
  expect(stages()).toEqual(begun);
  server.run("before-start");
  server.unset("start-fails");
  expect(server.systemctl("start", "livekit.service")).toBe(0);
  for (const _ of [1, 2]) {
    expect(server.run("health").output).toBe("ok\n");
    await report(server);
    expect(stages()).toEqual([...begun, "services", "ready"]);
  }
});

test("the first boot of before is not that of the server which a machine becomes when it is connected anew", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  server.write("opt/livekit/state/stages", "connected\t1700000000\n");
  await report(server);
  expect(bodyOf(console)).toContain("\nstage\tconnected\t1700000000\n");
  await run(server, "livekit-deploy", ["disconnect"]);
  await connect(server);
  await report(server);
  expect(bodyOf(console)).not.toContain("\nstage\t");
});

test("the last backup that is reported is the newest, also where an older one was made by hand", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  await report(server);
  expect(bodyOf(console)).not.toContain("\nbackup\t");
  for (const [name, made] of [
    ["livekit-20231114T221320Z.tar.gz", 1_700_000_000],
    ["livekit-20231126T000000Z.tar.gz", 1_700_956_800],
    ["livekit-by-hand-20231120T000000Z.tar.gz", 1_700_438_400],
  ] as const) {
    server.write(`${backupsFolder}/${name}`, "");
    utimesSync(server.path(`${backupsFolder}/${name}`), made, made);
  }
  await report(server);
  expect(bodyOf(console)).toContain("\nbackup\t1700956800\n");
});

test("the name of TURN over TLS is said as its deployment has it, and an empty one where that is off", async () => {
  for (const [tls, name] of [
    [true, "relay.example.com"],
    [false, ""],
  ] as const) {
    await using console = await startConsole(well);
    const turn = { mode: "manual", domain: "relay.example.com", udp: true, tls };
    using server = machineAt(console, { turn });
    await connect(server);
    await report(server);
    expect(bodyOf(console)).toContain(`\nturn-name\t${name}\n`);
  }
});

test("no field is longer than older consoles take, but names, which they skip", async () => {
  const label = "a".repeat(60);
  const domain = `livekit.${label}.${label}.${label}.example.com`;
  await using console = await startConsole(well);
  using server = machineAt(console, { domain });
  await connect(server);
  const found = ["dns.wrong", "critical", domain, "b".repeat(200), "c".repeat(201)];
  server.write("opt/livekit/state/health-findings", `${found.join("\t")}\n`);
  server.write("opt/livekit/state/health-certificates", `${domain}\t1700000000\n`);
  await report(server);
  const lines = bodyOf(console).split("\n");
  const cut = [...found.slice(0, 2), domain.slice(0, 200), "b".repeat(200), "c".repeat(200)];
  expect(lines).toContain(["finding", ...cut].join("\t"));
  expect(lines).toContain(`certificate\t${domain.slice(0, 200)}\t1700000000`);
  expect(lines.filter((line) => line.startsWith("domain\t"))).toEqual([`domain\t${domain}`]);
  expect(parseReport(bodyOf(console))).toMatchObject({ ok: true, report: { domain } });
});

test("a console that is away is no fault of the server: its doctor finds nothing, and nobody is alerted", async () => {
  let isAway = false;
  await using console = await startConsole((request) =>
    isAway ? refusing(503, "unavailable")() : well(request),
  );
  const alerting = { monitoring: "24/7", alertUrl: "https://alerts.example.com/hook" };
  using server = withKernel(runningMachine(alerting, { url: console.url }));
  await connect(server);
  server.run("health");
  isAway = true;
  expect(await report(server)).toMatchObject({ status: 1 });
  // As a unit of earlier files is then: later ones take this status for a success.
  server.set("state-livekit-report.service", "failed\n");
  expect(server.read("etc/systemd/system/livekit-report.service")).toContain(
    "\nSuccessExitStatus=1\n",
  );
  expect(server.run("health").output).toBe("ok\n");
  expect(server.isSet("alerts")).toBe(false);
});
