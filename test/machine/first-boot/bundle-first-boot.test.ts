// The first boot in a bad first minute: what it tries again, until when, and what the console hears of it.
import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { machineCommands } from "../../../fakes/machine/commands.ts";
import { type System, writeSystem } from "../../../fakes/machine/machine-folder.ts";
import {
  type Console,
  machineAt,
  realCurl,
  run,
  well,
} from "../../support/deployments/console-machine.ts";
import { startConsole } from "../../support/deployments/console-server.ts";
import { type Machine, machine } from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const packages = ["docker.io", "docker-compose-v2", "nftables", "curl"];
const boot = (server: Machine) => run(server, "first-boot", ["--boot", ...packages]);
/** The seconds since the boot, which only `sleep` moves; a new machine has run for 100. */
const seconds = "$(cut -d . -f 1 $LIVEKIT_DEPLOY_ROOT/proc/uptime)";

/** A machine with a token and no Docker, on which nothing takes time but `sleep`. It reports at once where a problem begins so. */
function newMachine(
  console: Console,
  typed: Record<string, unknown> = {},
  hears: "boot." | "boot.failed" = "boot.",
): Machine {
  const server = machineAt(console, typed, true);
  server.set("no-docker");
  server.waitsAtOnce();
  answer(
    server,
    "systemctl",
    `case "$*" in *"livekit-report.service") ! grep -q "^${hears}" "$LIVEKIT_DEPLOY_ROOT/opt/livekit/state/first-boot-problem" 2>/dev/null || "$LIVEKIT_DEPLOY_ROOT/opt/livekit/bin/console.sh" report ;; esac`,
  );
  return server;
}

/** What a command does first, before it answers as always. */
function answer(
  server: Machine,
  command: "apt-get" | "systemctl" | "docker" | "dnf",
  first: string,
) {
  server.command(
    command,
    `printf '%s %s\\n' ${command} "$*" >>"$MACHINE/calls"\n${first}\n${machineCommands[command]}`,
  );
}

const pauses = (server: Machine) =>
  server.isSet("waits") ? server.controlContent("waits").trim().split("\n").map(Number) : [];

/** What the console was told of the first boot's problems, each once. */
function heard({ requests }: Console): string[] {
  const problems = requests.flatMap(({ body }) => {
    const read = parseReport(body);
    if (!read.ok) return [];
    return read.report.findings
      .filter(({ code }) => code.startsWith("boot."))
      .map(({ code, severity, subject, found }) => `${code} ${severity} ${subject}: ${found}`);
  });
  return [...new Set(problems)];
}

/** Problems that the last report still has. */
const left = (console: Console) => {
  const read = parseReport(console.requests.at(-1)?.body ?? "");
  return read.ok ? read.report.findings : undefined;
};

async function expectReady(server: Machine, console: Console) {
  expect(server.isSet("running/livekit")).toBe(true);
  expect(server.has("opt/livekit/state/first-boot-problem")).toBe(false);
  await run(server, "console", ["report"]);
  expect(left(console)).toEqual([]);
}

test("C3: while another program holds the lock of apt's lists for 25 seconds the first boot waits, and then it is ready", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  answer(
    server,
    "apt-get",
    `case "$*" in *update*) [ ${seconds} -ge 125 ] || { echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)" >&2; exit 100; }; : >"$MACHINE/lists" ;;
*) [ -e "$MACHINE/lists" ] || { echo "E: Unable to locate package docker.io" >&2; exit 100; } ;;
esac`,
  );
  const { status, output } = await boot(server);
  expect(output).toContain("Another program holds apt's lock. Try 2 follows in 10 seconds.");
  expect(status).toBe(0);
  expect(pauses(server)).toEqual([10, 20]);
  // With the lists of the image it might have installed what the mirror has no more.
  expect(
    server
      .calls()
      .match(/^apt-get \S+ \S+ (update|install)/gm)
      ?.map((call) => call.split(" ").at(-1)),
  ).toEqual([...["update", "update", "update"], "install"]);
  expect(heard(console)).toEqual([
    "boot.retrying warning packages: Try 1: Another program holds apt's lock.",
    "boot.retrying warning packages: Try 2: Another program holds apt's lock.",
  ]);
  await expectReady(server, console);
});

test("C3: the other lock of apt, dpkg's, is waited for by apt itself, a minute for each try", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  answer(
    server,
    "apt-get",
    `case "$*" in *install*) [ ${seconds} -ge 105 ] || { echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)"; exit 100; } ;; esac`,
  );
  expect(await boot(server)).toMatchObject({ status: 0 });
  expect(server.calls()).toMatch(/apt-get -o DPkg::Lock::Timeout=60 install/);
  expect(heard(console)).toEqual([
    "boot.retrying warning packages: Try 1: Another program holds apt's lock.",
  ]);
  await expectReady(server, console);
});

const once = (name: string, sentence: string, status: number) =>
  `[ -e "$MACHINE/${name}" ] || { : >"$MACHINE/${name}"; echo "${sentence}" >&2; exit ${status}; }`;

test("C3: a first install that fails is tried again by itself, and a mirror's fault is named", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  const fault = "E: Failed to fetch http://archive.ubuntu.com/x.deb  503  Service Unavailable";
  answer(server, "apt-get", `case "$*" in *install*) ${once("failed-once", fault, 100)} ;; esac`);
  expect(await boot(server)).toMatchObject({ status: 0 });
  expect(pauses(server)).toEqual([10]);
  expect(heard(console)).toEqual([
    "boot.retrying warning packages: Try 1: A mirror of the system's packages fails.",
  ]);
  await expectReady(server, console);
});

test("C3: on Amazon Linux too a first install that fails is tried again by itself", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console, { system: "amazon-linux-2023" });
  writeSystem(server, "Amazon Linux 2023.9.20251105");
  const fault =
    "Error: Failed to download metadata for repo 'amazonlinux': Cannot download repomd.xml: Cannot download repodata/repomd.xml: All mirrors were tried";
  // Docker Compose is there from then on: another test fetches it.
  const installs = `${once("failed-once", fault, 1)}; rm -f "$MACHINE/no-docker"`;
  answer(server, "dnf", `case "$*" in install*) ${installs} ;; esac`);
  expect(await boot(server)).toMatchObject({ status: 0 });
  expect(pauses(server)).toEqual([10]);
  expect(heard(console)).toEqual([
    "boot.retrying warning packages: Try 1: A mirror of the system's packages fails.",
  ]);
  expect(server.calls()).not.toMatch(/^apt-get/m);
  await expectReady(server, console);
});

test("C3: three minutes without a network cost three minutes, and the console hears of it once it can", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  const absent = `[ ${seconds} -ge 280 ]`;
  // apt-get update ends well without a network.
  answer(
    server,
    "apt-get",
    `${absent} || case "$*" in *update*) echo "W: Failed to fetch http://archive.ubuntu.com/ Temporary failure resolving"; exit 0 ;;
*) echo "E: Unable to locate package docker.io"; exit 100 ;; esac`,
  );
  server.command(
    "curl",
    `${absent} || { echo "curl: (6) Could not resolve host" >&2; exit 6; }\nexec ${realCurl} "$@"`,
  );
  const { status, output } = await boot(server);
  expect(output).toContain("Nothing answers: there is no network yet, or the other side is down.");
  expect(status).toBe(0);
  expect(pauses(server)).toEqual([10, 20, 40, 80, 160]);
  expect(heard(console)).toEqual([
    "boot.retrying warning packages: Try 5: Nothing answers: there is no network yet, or the other side is down.",
  ]);
  await expectReady(server, console);
});

test("C3: a registry that limits downloads is asked again later, and the image of an agent is not waited for", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console, {
    agent: { kind: "image", image: "registry.example.com/a:7" },
  });
  const limit = "toomanyrequests: You have reached your unauthenticated pull rate limit.";
  answer(
    server,
    "docker",
    `case "$*" in "compose pull"*) ${once("limited-once", limit, 18)} ;; esac`,
  );
  expect((await boot(server)).output).toContain("Try 2 follows in 10 seconds.");
  expect(heard(console)).toEqual([
    "boot.retrying warning images: Try 1: The registry of the images limits what this address may download.",
  ]);
  expect(server.calls()).toMatch(/^docker compose pull -q --policy missing caddy livekit redis$/m);
  expect(server.isSet("running/livekit")).toBe(true);
});

test("C3: after an hour of tries the first boot gives up and says so, and the next boot tries again", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console, {}, "boot.failed");
  server.set("packages-fail");
  const { status, output } = await boot(server);
  const sentence =
    "Packages could not be installed. It was tried for an hour. The next boot tries again.";
  expect(output).toContain(sentence);
  expect(status).toBe(1);
  const waited = pauses(server);
  expect(waited.reduce((sum, each) => sum + each, 0)).toBe(3_600);
  expect(Math.max(...waited)).toBe(320);
  expect(heard(console)).toEqual([`boot.failed critical packages: ${sentence}`]);
  // Who logs in now reads the same.
  const { output: doctor } = server.run("doctor", ["--report"]);
  expect(doctor).toContain(`boot.failed\tcritical\tpackages\t${sentence}\t\n`);
  server.unset("packages-fail");
  expect(await boot(server)).toMatchObject({ status: 0 });
  await expectReady(server, console);
});

test("C3: where images cannot be had for an hour LiveKit's unit goes on trying", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  server.set("pull-fails");
  const { status, output } = await boot(server);
  expect(pauses(server).reduce((sum, each) => sum + each, 0)).toBe(3_600);
  expect(output).not.toContain("The next boot tries again.");
  expect(output).toContain("LiveKit did not start.");
  expect(status).toBe(1);
  expect(server.calls()).toContain("systemctl restart livekit.service");
  // Nothing of the first boot goes on: what LiveKit lacks now, the doctor says.
  expect(server.has("opt/livekit/state/first-boot-problem")).toBe(false);
});

test("a machine that somebody made ready meanwhile is left alone", async () => {
  await using console = await startConsole(well);
  using server = newMachine(console);
  server.set("packages-fail");
  server.command("sleep", 'echo now >"$LIVEKIT_DEPLOY_ROOT/opt/livekit/state/first-boot-done"');
  const { status, output } = await boot(server);
  expect([status, output]).toEqual([
    0,
    expect.stringContaining("This machine was made ready meanwhile."),
  ]);
  expect(server.isSet("running/livekit")).toBe(false);
});

test.for<[system: System, packages: string, fetchesCompose: boolean]>([
  ["Ubuntu 24.04.3 LTS", "docker.io docker-compose-v2 nftables curl", false],
  ["Ubuntu 26.04 LTS", "docker.io docker-compose-v2 nftables curl", false],
  ["Debian GNU/Linux 12 (bookworm)", "docker.io nftables curl", true],
  ["Debian GNU/Linux 13 (trixie)", "docker.io docker-cli docker-compose nftables curl", false],
])(
  "M8: %s boots with its own packages, and fetches Docker Compose only where it has none",
  async ([system, installed, fetchesCompose]) => {
    await using console = await startConsole(well);
    using server = newMachine(console);
    writeSystem(server, system);
    const plugin = "usr/local/lib/docker/cli-plugins/docker-compose";
    answer(
      server,
      "docker",
      `case "$*" in "compose "*) [ -e "$LIVEKIT_DEPLOY_ROOT/${plugin}" ] || grep -q "install .*docker-compose" "$MACHINE/calls" || exit 1 ;; esac`,
    );
    server.command(
      "sha256sum",
      'case "$*" in *--check*) ;; *) exec /usr/bin/sha256sum "$@" ;; esac',
    );
    expect(await boot(server)).toMatchObject({ status: 0 });
    expect(server.calls()).toContain(`install -y -q ${installed}\n`);
    expect(server.has(plugin)).toBe(fetchesCompose);
    expect(heard(console)).toEqual([]);
    await expectReady(server, console);
  },
);

test.for<[system: System | undefined, typed: Record<string, unknown>, sentence: string]>([
  [
    "Fedora Linux 43 (Cloud Edition)",
    {},
    "This is Fedora Linux 43 (Cloud Edition); the files are for Ubuntu 24.04 and 26.04, Debian 12 and 13.",
  ],
  [
    "Debian GNU/Linux 12 (bookworm)",
    { system: "amazon-linux-2023" },
    "This is Debian GNU/Linux 12 (bookworm); the files are for Amazon Linux 2023.",
  ],
  [
    "Amazon Linux 2023.9.20251105",
    {},
    "This is Amazon Linux 2023.9.20251105; the files are for Ubuntu 24.04 and 26.04, Debian 12 and 13.",
  ],
  [
    undefined,
    {},
    "This is an unknown system; the files are for Ubuntu 24.04 and 26.04, Debian 12 and 13.",
  ],
])("C10: a wrong system is named before anything else: %s", async ([system, typed, sentence]) => {
  await using console = await startConsole(well);
  using server = newMachine(console, typed);
  if (system) writeSystem(server, system);
  else server.write("etc/os-release", "");
  expect(await boot(server)).toEqual({ status: 1, output: `${sentence}\n` });
  expect(pauses(server)).toEqual([]);
  expect(server.calls()).not.toMatch(/^(apt-get|dnf|docker pull)/m);
  expect(server.has("opt/livekit/secrets.env")).toBe(false);
  expect(heard(console)).toEqual([`boot.failed critical system: ${sentence}`]);
});

test("a machine of another system that has booted long ago is not looked at again", () => {
  using server = machine();
  expect(server.run("first-boot", ["--boot"]).status).toBe(0);
  writeSystem(server, "Fedora Linux 43 (Cloud Edition)");
  expect(server.run("first-boot", ["--boot"]).output).toBe("This machine is ready already.\n");
  expect(server.run("first-boot", ["--secrets"])).toEqual({ status: 0, output: "" });
});

/** What a script says where nobody is killed by a pipe that ends early, as under cloud-init. */
function withoutPipeSignal(server: Machine, ...command: string[]): string {
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", 'trap "" PIPE; exec sh "$@"', "sh", ...command],
    {
      env: server.environment,
      encoding: "utf8",
    },
  );
  return stdout + stderr;
}

test("M9: making secrets says nothing of a broken pipe", () => {
  using server = machine({ webhooks: ["https://app.example.com/hook"] });
  const script = server.commandOf("first-boot");
  expect(withoutPipeSignal(server, script, "--secrets")).toBe("");
  expect(server.read("opt/livekit/secrets.env")).toMatch(/^LIVEKIT_API_SECRET=[A-Za-z0-9]{43}$/m);
});

test("M9: a console that does not answer is one sentence in the journal, with no other program's words", async () => {
  let isAway = false;
  await using console = await startConsole((request) => (isAway ? "breaks-off" : well(request)));
  using server = machineAt(console, {}, true);
  await run(server, "console", ["report"]);
  isAway = true;
  const { status, output } = await run(server, "console", ["report"]);
  expect(status).toBe(1);
  expect(output).toMatch(/^Not reported\. The console did not answer\. curl: \(\d+\) [^\n]*\n+$/);
});
