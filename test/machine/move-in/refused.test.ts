import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { machineOf } from "../../support/move-in/layouts.ts";
import type { MoveInMachine } from "../../support/move-in/machine.ts";
import { secret } from "../../support/servers/layouts/layout-texts.ts";

vi.setConfig({ testTimeout: 300_000 });

const stateOf = (machine: MoveInMachine) => ({ tree: machine.tree(), state: machine.state() });
const config = "opt/livekit/livekit.yaml";
const rewrite = (machine: MoveInMachine, change: (text: string) => string) =>
  machine.write(config, change(machine.read(config)), 0o600);
const listen = (machine: MoveInMachine, address: string, program: string, unit: string) => {
  machine.add(
    "listening-tcp",
    `LISTEN 0 5 ${address} 0.0.0.0:* users:(("${program}",pid=77,fd=6))\n`,
  );
  machine.write("proc/77/cgroup", `0::${unit.startsWith("/") ? unit : `/system.slice/${unit}`}\n`);
};
/** Gives each container something more. */
const addTo = (machine: MoveInMachine, before: string, more: string) => {
  for (const [name, text] of Object.entries(machine.state().containers))
    machine.set(`theirs/${name}`, text.replace(before, `${more}${before}`));
};
const isRemoved = (machine: MoveInMachine) =>
  addTo(machine, '"NetworkMode"', '"AutoRemove": true,\n   ');
const second = (machine: MoveInMachine, image = "livekit-server", ports = "") => {
  const [name = ""] = Object.keys(machine.state().containers).filter((each) =>
    each.includes(Buffer.from("livekit-livekit-1").toString("hex")),
  );
  const other = `${"e".repeat(64)}.json`;
  machine.set(
    `theirs/${other}`,
    machine
      .controlContent(`theirs/${name}`)
      .replace(/"Id": ".*"/, `"Id": "${"e".repeat(64)}"`)
      .replace(/"Name": "\/.*"/, `"Name": "/${ports ? image : "second"}"`)
      .replace(/"Path": ".*"/, `"Path": "/${image}"`)
      .replace("livekit/livekit-server", image)
      .replace(ports ? /"Mounts": \[[^\]]*\]/ : /$^/, '"Mounts": []')
      .replace('"Ports": {}', `"Ports": {${ports}}`)
      .replace(/"com\.docker.*\n/g, ""),
  );
};

/** What is wrong with a machine, and what the script says of it. */
const refusals: readonly [
  string,
  RegExp,
  (machine: MoveInMachine) => void,
  (readonly string[])?,
][] = [
  ["no root", /Run it with sudo/, (machine) => machine.command("id", "echo 1000")],
  [
    "another system",
    /This is Fedora Linux/,
    (machine) =>
      machine.write(
        "etc/os-release",
        'PRETTY_NAME="Fedora Linux 43"\nID=fedora\nVERSION_ID="43"\n',
      ),
  ],
  ["a full disk", /4096 are needed/, (machine) => machine.set("disk-used", "97")],
  [
    "no LiveKit",
    /LiveKit was not found/,
    (machine) => {
      for (const name of Object.keys(machine.state().containers)) machine.unset(`theirs/${name}`);
    },
  ],
  [
    "a cluster",
    /runs in Kubernetes/,
    (machine) => {
      for (const name of Object.keys(machine.state().containers)) machine.unset(`theirs/${name}`);
      machine.write("var/lib/kubelet/config.yaml", "");
    },
  ],
  [
    "two LiveKits",
    /more than one LiveKit: .*Name one with --livekit/,
    (machine) => second(machine),
  ],
  ["a name that there is not", /There is no LiveKit sfu here/, () => {}, ["--livekit", "sfu"]],
  [
    "a proxy of other sites",
    /nginx \(process 77\) holds port 443\/tcp.*choose a proxy of yours/,
    (machine) => listen(machine, "10.0.0.5:443", "nginx", "nginx.service"),
  ],
  [
    "a Redis of the machine",
    /holds port 6379\/tcp.*--also redis-server.service stops it too/,
    (machine) => listen(machine, "127.0.0.1:6379", "redis-server", "redis-server.service"),
  ],
  [
    "SSH at another port",
    /SSH listens on 2222\/tcp, which the firewall of this deployment closes/,
    (machine) => listen(machine, "0.0.0.0:2222", "sshd", "ssh.service"),
  ],
  [
    "SSH at another port, for which systemd listens",
    /SSH listens on 2222\/tcp, which the firewall of this deployment closes/,
    (machine) => {
      listen(machine, "0.0.0.0:2222", "systemd", "init.scope");
      machine.set("ssh-socket", "[::]:2222 (Stream)\n");
    },
  ],
  ["a container that its stop removes", /was started with --rm/, isRemoved],
  [
    "such a container beside a unit that does not make it again",
    /was started with --rm/,
    (machine) => {
      isRemoved(machine);
      machine.write("etc/systemd/system/nginx.service", "[Service]\nExecStart=/usr/sbin/nginx\n");
    },
    ["--also", "nginx.service"],
  ],
  [
    "a service of Docker Swarm",
    /is a service of Docker Swarm/,
    (machine) =>
      addTo(machine, '"com.docker.compose.project"', '"com.docker.swarm.service.id": "x1",\n    '),
  ],
  [
    "a port that Docker leads to another container",
    /holds port 443\/tcp.*--also traefik stops that container too/,
    (machine) => {
      second(machine, "traefik", '"443/tcp": [{ "HostIp": "10.0.0.5", "HostPort": "443" }]');
      listen(machine, "10.0.0.5:443", "docker-proxy", "docker.service");
    },
  ],
  [
    "what runs every container",
    /docker.service runs every container here, and goes on/,
    () => {},
    ["--also", "docker.service"],
  ],
  [
    "a program with files in our folder",
    /backend.service has files in \/opt\/livekit and would run on without them\. --also backend.service/,
    (machine) => {
      machine.write("etc/systemd/system/backend.service", "[Service]\nExecStart=/bin/true\n");
      machine.write(
        "etc/systemd/system/backend.service.d/port.conf",
        "[Service]\nExecStart=\nExecStart=/usr/bin/node server.js\nWorkingDirectory=/opt/livekit\n",
      );
    },
  ],
  [
    "a ufw that opens Docker's ports alone",
    /ufw drops 443\/tcp.*first: for port in 443\/tcp .*; do sudo ufw allow \$port; done/,
    (machine) =>
      machine.command(
        "ufw",
        `printf 'Status: active\nDefault: deny (incoming), allow (outgoing)\n\n22,80/tcp   ALLOW IN    Anywhere\n443/tcp   ALLOW IN    10.0.0.0/8\n'`,
      ),
  ],
  [
    "firewalld",
    /firewalld drops 443\/tcp .*first: for port in 443\/tcp .*sudo firewall-cmd --reload/,
    (machine) =>
      machine.command(
        "firewall-cmd",
        "case $1 in --state) echo running ;; --query-port=80/tcp) ;; *) exit 1 ;; esac",
      ),
  ],
  [
    "what a user's own systemd runs",
    /holds port 6379\/tcp.*stop it first\./,
    (machine) =>
      listen(
        machine,
        "127.0.0.1:6379",
        "redis-server",
        "/user.slice/user-1000.slice/user@1000.service/app.slice/redis.service",
      ),
  ],
  [
    "an unreadable configuration",
    /Its configuration \/etc\/livekit.yaml cannot be read/,
    (machine) => rmSync(machine.path(config)),
  ],
  [
    "a key file that is in the image",
    /Its key file \/keys.yaml cannot be read/,
    (machine) => rewrite(machine, (text) => `key_file: /keys.yaml\n${text}`),
  ],
  [
    "keys that everybody knows",
    /No API key was found that ours can take; devkey: everybody knows its secret. With --new-keys/,
    (machine) =>
      rewrite(machine, (text) => text.replace(/keys:[\s\S]*/, "keys:\n  devkey: secret\n")),
  ],
  [
    "a key that is not there",
    /There is no key APIother that ours can take/,
    () => {},
    ["--keys", "APIother"],
  ],
  [
    "a deployment of ours",
    /runs a deployment of ours/,
    (machine) => machine.write("opt/livekit/deployment.env", "DOMAIN='x'\n"),
  ],
  [
    "wrong rules of the firewall",
    /The firewall's rules are not right/,
    (machine) => machine.command("nft", "echo syntax error; exit 1"),
  ],
  [
    "a name without a record",
    /turn.livekit.example.com has no address yet/,
    (machine) => machine.command("getent", "case $2 in turn*) exit 2 ;; esac"),
  ],
  [
    "packages that exclude others",
    /Installing age, unattended-upgrades would remove docker-ce|Installing unattended-upgrades would remove docker-ce/,
    (machine) => {
      machine.set("missing-unattended-upgrades");
      machine.command("apt-get", 'case $* in "-s "*) echo "Remv docker-ce [5:28]" ;; esac');
    },
  ],
  ["another argument", /Usage: /, () => {}, ["--force"]],
  [
    "half a zip",
    /files.txt is missing|deployment.env is missing|the files are for/,
    (machine) => rmSync(join(machine.zip, "deployment.env")),
  ],
];

test("what cannot be done is refused with its reason, and nothing is changed", () => {
  using made = machineOf("a Compose file in /opt/livekit");
  for (const [name, words, change, args = []] of refusals) {
    using machine = made.copy();
    change(machine);
    const before = stateOf(machine);
    const { status, output } = machine.moveIn(args);
    expect(output, name).toMatch(words);
    expect(status, name).toBeGreaterThan(0);
    if (status !== 64) expect(output, name).toContain("Nothing was changed.");
    expect(stateOf(machine), name).toEqual(before);
    expect(output, name).not.toContain(secret);
  }
});

test("an update that begins after the yes is waited for by nobody: the way back says that it is busy", () => {
  using machine = machineOf("a container of Docker");
  machine.moveIn();
  machine.write("opt/livekit/state/lock", "");
  const ours = stateOf(machine);
  machine.command("flock", `case $* in "-w 1 8") exit 1 ;; esac\nPATH=\${PATH#*:} exec flock "$@"`);
  expect(machine.moveOut()).toMatchObject({
    status: 75,
    output: expect.stringContaining("Another update, backup or restore is running."),
  });
  expect(stateOf(machine)).toEqual(ours);
});

test("without a yes nothing is changed, in either direction", () => {
  using machine = machineOf("a container of Docker");
  const before = stateOf(machine);
  expect(machine.moveIn([], { input: "no\n" })).toMatchObject({
    status: 1,
    output: expect.stringContaining("Nothing was changed."),
  });
  expect(stateOf(machine)).toEqual(before);
  machine.moveIn();
  const ours = machine.state();
  expect(machine.moveOut({ input: "\n" }).output).toContain("Nothing was changed.");
  expect(machine.state()).toEqual(ours);
  machine.write("opt/livekit/state/lock", "");
  machine.command("flock", "case $* in *state/lock*) exit 1 ;; esac");
  expect(machine.moveOut()).toMatchObject({
    status: 75,
    output: expect.stringContaining("Another update, backup or restore is running."),
  });
  expect(machine.state()).toEqual(ours);
  expect(machine.moveIn().output).toContain(
    "livekit-deploy move-out is the way back. Nothing was changed.",
  );
});
