import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import {
  cluster,
  machineWithoutRole,
  places,
  setPeople,
  someSecrets,
} from "../../support/deployments/cluster/cluster-machines.ts";
import type { Machine } from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 300_000 });

const balanced = {
  topology: { kind: "balanced", machines: 2, network: "10.0.0.0/16" },
  certificates: "dns-hetzner",
  redis: { kind: "external", address: "redis.example.com:6379" },
  recording: { kind: "none" },
} as const;
const machineAt = (place: (typeof places)[keyof typeof places]) =>
  machineWithoutRole(place, balanced);
const deploy = (server: Machine, args: readonly string[], input?: string) =>
  server.run("livekit-deploy", args, input);

/** The first machine, which has the password of Redis and runs. */
function firstMachine(): Machine {
  const made = machineAt(places.one);
  cluster(made, "first");
  deploy(made, ["set", "redis-password"], `${"p".repeat(43)}\n`);
  const { status, output } = cluster(made, "first");
  if (status !== 0) throw new Error(output);
  return made;
}

test("a machine makes no secrets by itself, and the first waits for the password of Redis before it starts", () => {
  using server = machineAt(places.one);
  expect(server.has("opt/livekit/secrets.env")).toBe(false);
  const early = cluster(server, "first");
  expect(early.status).toBe(1);
  expect(early.output).toContain("sudo livekit-deploy set redis-password");
  expect(server.calls()).not.toContain("systemctl restart livekit.service");
  expect(deploy(server, ["set", "redis-password"], `${"p".repeat(43)}\n`).status).toBe(0);
  const { status, output } = cluster(server, "first");
  expect(output).toContain("media 10.0.0.3 203.0.113.3 media-1");
  expect(status).toBe(0);
  expect(server.read("opt/livekit/.env")).toContain("COMPOSE_PROFILES='media'\nEDGE_ADDRESS=''\n");
  expect(server.calls()).not.toContain("livekit-cluster.service");
});

test("the others get what the first has through a pipe, and make nothing of their own", () => {
  using first = firstMachine();
  using second = machineAt(places.two);
  const { output: secrets } = cluster(first, "secrets");
  expect(secrets).toMatch(/^LIVEKIT_API_KEY=/m);
  const { status, output } = deploy(second, ["cluster", "join"], secrets);
  expect(output).toContain("10.0.0.4 203.0.113.4 media-2-example-com");
  expect(status).toBe(0);
  expect(second.read("opt/livekit/secrets.env")).toBe(first.read("opt/livekit/secrets.env"));
  expect(deploy(second, ["cluster", "join", "10.0.0.3"], secrets).output).toContain(
    "there is no edge",
  );
  expect(cluster(second, "edge").output).toContain("no machine is an edge");
  expect(cluster(second, "nodes").output).toContain("not the edge");
});

test("during a drain the balancer is told that no new connections are wanted, until LiveKit starts again", () => {
  using server = firstMachine();
  const draining = "opt/livekit/state/balancer/draining";
  server.command(
    "sleep",
    `[ -e "$LIVEKIT_DEPLOY_ROOT/${draining}" ] && : >"$MACHINE/told"; echo exited >"$MACHINE/condition-livekit"`,
  );
  setPeople(server, 1);
  expect(server.run("before-stop").status).toBe(0);
  expect(server.isSet("told")).toBe(true);
  expect(server.has(draining)).toBe(false);
  // A refused connection would fail: a balancer tries no second machine.
  expect(server.calls()).not.toContain("nft -f -");
});

test("the doctor takes names that lead elsewhere for right, and says when one leads to this machine alone", () => {
  using server = firstMachine();
  const doctor = () => deploy(server, ["doctor"]).output;
  expect(doctor()).toMatch(/^ok +DNS livekit\.example\.com, A +203\.0\.113\.2$/m);
  expect(doctor()).toMatch(/^ok +balancer's check +answered$/m);
  expect(doctor()).not.toContain("dns.wrong");
  server.set("address-livekit.example.com", "203.0.113.3 STREAM livekit.example.com\n");
  expect(doctor()).toMatch(
    /^WARN +DNS livekit\.example\.com, A +points to this machine, 203\.0\.113\.3$/m,
  );
  server.set("balancer-check", "502");
  expect(doctor()).toMatch(/^FAIL +balancer's check +port 7994 says 502$/m);
  server.set("balancer-check", "503");
  expect(doctor()).toContain("[balancer.draining]");
});

test("each machine asks for a certificate with a name of its own beside the shared ones", () => {
  using server = firstMachine();
  server.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  deploy(server, ["set", "dns-credentials"], "token\n");
  server.forget();
  deploy(server, ["certificate"]);
  const [command = ""] = server.calls().match(/^docker run .*$/m) ?? [];
  expect(command).toContain(
    "--domains livekit.example.com --domains turn.livekit.example.com --domains m-",
  );
  expect(command).toMatch(/--domains m-[0-9a-f]{12}\.livekit\.example\.com/);
  expect(command).not.toContain("0123456789ab");
});

test("without a role no certificate is asked for, and with one at once", () => {
  using server = machineAt(places.one);
  server.write("opt/livekit/dns.env", "HETZNER_API_TOKEN='token'\n");
  server.write("etc/machine-id", "0123456789abcdef0123456789abcdef\n");
  expect(server.run("certificate").output).toContain("needs no certificate");
  expect(server.calls()).not.toContain("docker run");
  deploy(server, ["cluster", "join"], someSecrets);
  expect(server.calls()).toContain("systemctl start --no-block livekit-certificate.service\n");
  server.run("certificate");
  expect(server.calls()).toContain("docker run");
});

/** A person's computer with cluster.sh and an ssh that leads to machines of this test by their public addresses. */
function operator(machines: Readonly<Record<string, Machine>>) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "livekit-operator-"));
  const { files } = bundle(
    optionsFrom({ domain: "livekit.example.com", provider: "hetzner", ...balanced }),
  );
  const script = files.find(({ path }) => path === "cluster.sh")?.content ?? "";
  writeFileSync(join(folder.path, "cluster.sh"), script);
  for (const [host, { folder: there }] of Object.entries(machines))
    writeFileSync(join(folder.path, host), there);
  const ssh = `#!/bin/sh
while [ "$1" = -o ]; do shift 2; done
there=$(cat "$OPERATOR/\${1#root@}" 2>/dev/null) || exit 255
echo "$*" >>"$OPERATOR/calls"
shift
export LIVEKIT_DEPLOY_ROOT="$there/root" MACHINE="$there/control" PATH="$there/commands:$PATH"
cd "$there" && exec sh -c "$(printf %s "$*" | sed "s|/opt/livekit|$there/root/opt/livekit|g")"
`;
  writeFileSync(join(folder.path, "ssh"), ssh, { mode: 0o755 });
  return {
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    list: () => readFileSync(join(folder.path, "cluster.env"), "utf8"),
    calls: () => readFileSync(join(folder.path, "calls"), "utf8"),
    run(...args: string[]) {
      const path = `${folder.path}:${process.env.PATH}`;
      const { status, stdout, stderr } = spawnSync(
        "dash",
        [join(folder.path, "cluster.sh"), ...args],
        {
          env: { ...process.env, PATH: path, OPERATOR: folder.path },
          encoding: "utf8",
        },
      );
      return { status, output: stdout + stderr };
    },
  };
}

test("cluster.sh makes machines alike, renews their keys one after the other, and forgets one that is lost", () => {
  using one = machineAt(places.one);
  using two = machineAt(places.two);
  using person = operator({ "203.0.113.3": one, "203.0.113.4": two });
  const stopped = person.run("make", "203.0.113.3", "203.0.113.4");
  expect(stopped.output).toContain(
    "ssh -t root@203.0.113.3 sudo livekit-deploy set redis-password",
  );
  expect(stopped.status).toBe(1);
  deploy(one, ["set", "redis-password"], `${"p".repeat(43)}\n`);
  const made = person.run("make", "203.0.113.3", "203.0.113.4");
  expect(made.output).not.toContain("Stopped");
  expect(made.status).toBe(0);
  expect(person.list()).toBe("NODE='root@203.0.113.3'\nNODE='root@203.0.113.4'\n");
  const secrets = () => [one, two].map((each) => each.read("opt/livekit/secrets.env"));
  expect(new Set(secrets()).size).toBe(1);
  expect(person.calls()).not.toContain(secrets()[0]?.split("\n")[1]?.split("=")[1] ?? "none");

  const rotated = person.run("rotate", "api-key");
  expect(rotated.output).toContain("All machines take both keys");
  expect(rotated.status).toBe(0);
  expect(secrets()[0]).toContain("LIVEKIT_OLD_API_KEY=");
  expect(new Set(secrets()).size).toBe(1);

  // An older copy of the list has fewer machines than LiveKit.
  one.set("other-machines", "203.0.113.4 203.0.113.9");
  const renewed = secrets();
  for (const args of [["rotate", "finish"], ["update"]])
    expect(person.run(...args).output).toContain("and the list has 2");
  expect(secrets()).toEqual(renewed);
  expect(person.run("leave", "203.0.113.3", "--gone").status).toBe(0);
  expect(person.list()).toBe("NODE='root@203.0.113.4'\n");

  // A join that is cut off, as by SSH, may have started LiveKit.
  one.set("pull-fails");
  expect(person.run("join", "203.0.113.3").output).toContain("it did not join");
  expect(person.list()).toBe("NODE='root@203.0.113.4'\nNODE='root@203.0.113.3'\n");
  expect(person.run("leave", "203.0.113.3", "--gone").status).toBe(0);
  expect(person.list()).toBe("NODE='root@203.0.113.4'\n");
  expect(person.run("leave", "203.0.113.4", "--gone").output).toContain("the last machine");
});
