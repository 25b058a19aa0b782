import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { machineOf } from "../../support/move-in/layouts.ts";
import type { MoveInMachine } from "../../support/move-in/machine.ts";
import { secret } from "../../support/servers/layouts/layout-texts.ts";

vi.setConfig({ testTimeout: 300_000 });

/** What goes wrong on the way, and what the script says of it. */
const failures: readonly [string, RegExp, (machine: MoveInMachine) => void][] = [
  [
    "a package",
    /Packages could not be installed/,
    (machine) => {
      machine.set("missing-unattended-upgrades");
      machine.command("apt-get", "case $* in *install*-q*) exit 100 ;; esac");
    },
  ],
  ["an image", /could not be fetched/, (machine) => machine.set("pull-fails")],
  ["the stop of theirs", /did not stop/, (machine) => machine.set("stop-fails")],
  ["the start of ours", /The first boot of ours failed/, (machine) => machine.set("start-fails")],
  [
    "a fault that the doctor finds",
    /Ours runs, and does not work: livekit.silent/,
    (machine) => machine.set("livekit-silent"),
  ],
  [
    "a doctor that ends half-way",
    /the doctor did not come to its end/,
    (machine) =>
      machine.command(
        "mktemp",
        `case "$(tr '\\0' ' ' </proc/$PPID/cmdline)" in *doctor.sh*) exit 1 ;; esac\nPATH=\${PATH#*:} exec mktemp "$@"`,
      ),
  ],
  [
    "another firewall",
    /Ours runs, and does not work: firewall.conflict iptables/,
    (machine) => machine.set("iptables", "-P INPUT DROP\n"),
  ],
  [
    "the note of its success",
    /No space left on device[\s\S]*The proof could not be noted/,
    (machine) => machine.set("disk-full"),
  ],
  ["the firewall", /The first boot of ours failed/, (machine) => machine.set("firewall-fails")],
];

test("whatever fails on the way, it goes back by itself with the reason, to exactly what was there", () => {
  using made = machineOf("a unit of systemd");
  using docker = machineOf("a container of Docker");
  for (const [name, words, fail] of failures) {
    using machine = (name === "the stop of theirs" ? docker : made).copy();
    const before = { tree: machine.tree(), state: machine.state() };
    fail(machine);
    const { status, output } = machine.moveIn();
    expect(output, name).toMatch(words);
    expect(output, name).toContain("What was here before is back");
    expect(status, name).toBe(1);
    expect({ tree: machine.treeOfTheirs(), state: machine.state() }, name).toEqual(before);
    expect(output + machine.read("var/lib/livekit-move-in/log"), name).not.toContain(secret);
  }
});

test("theirs that does not start again is said, and another try brings it back", () => {
  using machine = machineOf("a container of Docker");
  const before = { tree: machine.tree(), state: machine.state() };
  machine.moveIn();
  const docker = machine.commandText("docker");
  machine.command("docker", `case $1 in start) exit 1 ;; esac\n${docker}`);
  const failed = machine.moveOut();
  expect(failed.output).toContain("does not run: livekit-server. Run this again");
  expect(failed.status).toBe(2);
  // One that ends at once was started as well.
  machine.command("docker", `case $1 in start) exit 0 ;; esac\n${docker}`);
  expect(machine.moveOutAgain().output).toContain("does not run: livekit-server. Run this again");
  machine.command("docker", docker);
  // One that runs, and is not at its port.
  const listening = machine.controlContent("listening-tcp");
  machine.set("listening-tcp", listening.replaceAll(":7880 ", ":7990 "));
  expect(machine.moveOutAgain().output).toContain("does not run: port 7880/tcp. Run this again");
  machine.set("listening-tcp", listening);
  expect(machine.moveOutAgain().output).toContain("What was here before is back, and runs.");
  expect(machine.treeOfTheirs()).toEqual(before.tree);
  expect(machine.state()).toEqual(before.state);
});

test("two keys are taken as a rotation has them, further ones are named, and a chosen one comes first", () => {
  using made = machineOf("a Compose file in /opt/livekit");
  const path = "opt/livekit/livekit.yaml";
  const more = `    APIsecond: ${secret}2\n    APIthird: ${secret}3\n    "bad key": x\n`;
  made.write(path, `${made.read(path)}${more}`, 0o600);
  const shown = made.moveIn(["--show"]).output;
  expect(shown).toContain("API keys that ours takes: APIw7nRkVq2LmXe, APIsecond\n");
  expect(shown).toContain("not taken: APIthird; ours has two keys at most");
  expect(made.moveIn(["--keys", "APIthird,APIw7nRkVq2LmXe"]).status).toBe(0);
  expect(made.read("opt/livekit/secrets.env")).toMatch(
    new RegExp(
      `^LIVEKIT_API_KEY='APIthird'\nLIVEKIT_API_SECRET='${secret}3'\nLIVEKIT_OLD_API_KEY='APIw7nRkVq2LmXe'\nLIVEKIT_OLD_API_SECRET='${secret}'\n`,
    ),
  );
});

test("the keys are those that LiveKit takes: LIVEKIT_KEYS or an argument in place of its configuration's, and a key file's besides", () => {
  const text = (yaml: string) => yaml.replace(/keys:\n.*\n/, "");
  using unit = machineOf("a unit of systemd");
  const service = "etc/systemd/system/livekit.service";
  const yaml = "etc/livekit/livekit.yaml";
  unit.write(yaml, text(unit.read(yaml)));
  const taken = (machine: MoveInMachine) =>
    /API keys that ours takes: (.*)/.exec(machine.moveIn(["--show"]).output)?.[1];
  expect(taken(unit)).toBeUndefined();
  unit.write("etc/livekit/keys", `APIfile: ${secret}\n`, 0o600);
  unit.write(yaml, `key_file: /etc/livekit/keys\n${unit.read(yaml)}`);
  expect(taken(unit)).toBe("APIfile");
  unit.write("etc/default/livekit", `LIVEKIT_KEYS="APIenvironment: ${secret}"\n`, 0o600);
  unit.write(
    service,
    unit.read(service).replace("[Service]", "[Service]\nEnvironmentFile=-/etc/default/livekit"),
  );
  expect(taken(unit)).toBe("APIenvironment, APIfile");
  // Two that are in use no more do not take the place of the one that is.
  unit.write(yaml, `${unit.read(yaml)}keys:\n  APIold: ${secret}5\n  APIolder: ${secret}6\n`);
  expect(taken(unit)).toBe("APIenvironment, APIfile");
  // As `systemctl edit` writes it, for a unit of a package too.
  unit.write(
    "etc/systemd/system/livekit.service.d/override.conf",
    `[Service]\nEnvironmentFile=\nExecStart=\nExecStart=/usr/local/bin/livekit-server --config /${yaml} --keys "APIargument: ${secret}7"\n`,
  );
  unit.write("usr/lib/systemd/system/livekit.service", unit.read(service));
  rmSync(unit.path(service));
  expect(taken(unit)).toBe("APIargument, APIfile");

  using container = machineOf("a container of Docker");
  container.write("etc/livekit.yaml", text(container.read("etc/livekit.yaml")));
  const [name = "", json = ""] = Object.entries(container.state().containers)[0] ?? [];
  container.set(
    `theirs/${name}`,
    json.replace(
      '"Env": [',
      `"Env": [\n    "LIVEKIT_KEYS={APIflow: ${secret}, APIother: ${secret}4}",`,
    ),
  );
  expect(taken(container)).toBe("APIflow, APIother");
  container.set(
    `theirs/${name}`,
    json.replace('"Env": [', `"Env": [\n    "LIVEKIT_CONFIG=keys: {APIbody: ${secret}}",`),
  );
  expect(taken(container)).toBe("APIbody");
});

test("packages that are missing are installed before anything stops, and the way back names them and stops what they began", () => {
  using machine = machineOf("a unit of systemd");
  machine.set("missing-unattended-upgrades");
  machine.set("no-engine");
  const shown = machine.moveIn(["--show"]).output;
  expect(shown).toContain("New packages: unattended-upgrades\n");
  expect(machine.moveIn().status).toBe(0);
  const calls = machine.calls();
  expect(calls).toMatch(/install -y -q --no-remove unattended-upgrades\n/);
  expect(machine.moveOut().output).toContain(
    "These packages were new, and stay: unattended-upgrades",
  );
  expect(machine.calls()).toContain("systemctl stop docker.service");
});

test("a unit that stops for its name alone is named as such before the yes", () => {
  using machine = machineOf("a container of Docker");
  machine.write("etc/systemd/system/livekit-tokens.service", "[Service]\nExecStart=/bin/true\n");
  expect(machine.moveIn(["--show"]).output).toContain(
    "Of these for its name alone, which ours may have too: livekit-tokens.service\n",
  );
});

test("what is nobody's but LiveKit's is stopped where it is named, and started again on the way back", () => {
  using machine = machineOf("a unit of systemd");
  machine.write(
    "lib/systemd/system/redis-server.service",
    "[Service]\nExecStart=/usr/bin/redis-server\n[Install]\nWantedBy=multi-user.target\n",
  );
  machine.add(
    "listening-tcp",
    'LISTEN 0 5 127.0.0.1:6379 0.0.0.0:* users:(("redis-server",pid=77,fd=6))\n',
  );
  machine.write("proc/77/cgroup", "0::/system.slice/redis-server.service\n");
  const before = machine.tree();
  expect(machine.moveIn().output).toContain("--also redis-server.service stops it too");
  expect(machine.moveIn(["--show", "--also", "redis-server.service"]).output).toContain(
    "Stops, and starts neither at a boot nor by itself until move-out: livekit.service, redis-server.service\n",
  );
  expect(machine.moveIn(["--also", "redis-server.service"]).status).toBe(0);
  expect(machine.moveOut().status).toBe(0);
  expect(machine.treeOfTheirs()).toEqual(before);
});
