import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  cluster,
  edgeAddress,
  edgeMachine,
  machineWithoutRole,
  places,
} from "../../support/deployments/cluster/cluster-machines.ts";
import { operator } from "../../support/deployments/cluster/operator.ts";
import type { Machine } from "../../support/deployments/machine.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { testInProof } from "../../support/run/variants.ts";

const [edgeHost, oneHost, twoHost] = [
  places.edge.publicAddress,
  places.one.publicAddress,
  places.two.publicAddress,
];

/** Three machines whose first boot has ended, and the computer of who makes a cluster of them. */
function threeMachines() {
  const edge = machineWithoutRole(places.edge);
  const one = machineWithoutRole(places.one);
  const two = machineWithoutRole(places.two);
  const person = operator({ [edgeHost]: edge, [oneHost]: one, [twoHost]: two });
  const all = [edge, one, two];
  return {
    ...{ edge, one, two, all, person },
    forget: () => {
      for (const { forget } of all) forget();
      person.forget();
    },
    [Symbol.dispose]: () => {
      for (const each of [...all, person]) each[Symbol.dispose]();
    },
  };
}

/** Such machines, which are a cluster. */
function madeCluster() {
  const machines = threeMachines();
  const { status, output } = machines.person.run(["make", edgeHost, oneHost, twoHost]);
  if (status !== 0) throw new Error(output);
  machines.forget();
  return machines;
}

/** The command of `/docs/clusters` that makes a cluster, with these machines; its third one for calls is left out. */
function documentedMake() {
  const block = codeBlocks("docs/clusters").find(({ label }) => label === "Make the cluster");
  const [shell, script, ...words] = block?.text.trim().split(" ") ?? [];
  expect([shell, script]).toEqual(["sh", "cluster.sh"]);
  const hosts: Record<string, string> = { EDGE: edgeHost, "MEDIA-1": oneHost, "MEDIA-2": twoHost };
  return words.filter((word) => word !== "MEDIA-3").map((word) => hosts[word] ?? word);
}

const rotation = "opt/livekit/data/redis/rotation.conf";
const secretsOf = (server: Machine) => server.read("opt/livekit/secrets.env");
const valuesOf = (secrets: string) =>
  [...secrets.matchAll(/(?:SECRET|PASSWORD)=(.+)$/gm)].map(([, value = ""]) => value);

/** The configuration that the container of this machine's Redis starts with. */
function redisConfiguration(server: Machine): string {
  const { services } = parse(server.read("opt/livekit/docker-compose.yaml"));
  const script = String(services.redis.entrypoint[2])
    .replaceAll("$$", "$")
    .replaceAll("/etc/", `${server.path("opt/livekit")}/`)
    .replaceAll("/data/", `${server.path("opt/livekit/data/redis")}/`)
    .replace("exec redis-server -", "cat");
  return spawnSync("dash", ["-c", script], { encoding: "utf8" }).stdout;
}

/** What a person runs on which machine, in its order. */
const steps = (calls: string) =>
  [...calls.matchAll(/root@(\S+) (.*)$/gm)].map(([, host, command]) => `${host} ${command}`);

test("make: the edge, then each node; every machine has the same secrets, which stand in no argument, no output and no file of the person's", () => {
  using machines = threeMachines();
  const { edge, one, two, person } = machines;
  const made = person.run(documentedMake());
  expect(made.status).toBe(0);
  expect(cluster(edge, "nodes").output).toBe(
    `10.0.0.3 ${oneHost} media-1\n10.0.0.4 ${twoHost} media-2-example-com\n`,
  );
  const secrets = secretsOf(edge);
  expect([secretsOf(one), secretsOf(two)]).toEqual([secrets, secrets]);
  expect(person.read("cluster.env")).toBe(`EDGE='root@${edgeHost}'\n`);
  const values = valuesOf(secrets);
  expect(values).toHaveLength(2);
  for (const value of values)
    for (const record of [
      made.output,
      person.calls(),
      person.read("cluster.env"),
      edge.calls(),
      one.calls(),
      two.calls(),
    ])
      expect(record).not.toContain(value);
  // Again it finds all of it done.
  machines.forget();
  expect(person.run(["make", edgeHost, oneHost, twoHost])).toMatchObject({ status: 0 });
  expect(secretsOf(edge)).toBe(secrets);
  for (const server of machines.all) expect(server.calls()).not.toMatch(/compose (stop|kill|up)/);
});

test("make begins nothing where a machine does not answer, and goes on where it stopped", () => {
  using machines = threeMachines();
  const { edge, two, person } = machines;
  const nowhere = person.run(["make", edgeHost, oneHost, "203.0.113.99"]);
  expect(nowhere.output).toContain(
    "root@203.0.113.99 does not answer as a machine of this cluster",
  );
  expect(nowhere.status).toBe(1);
  expect(cluster(edge).output).toBe("none\n");
  two.set("pull-fails");
  const stopped = person.run(["make", edgeHost, oneHost, twoHost]);
  expect(stopped.output).toContain(
    `Stopped at root@${twoHost}: it did not join.\nDone before it: the edge, root@${oneHost}.`,
  );
  expect(stopped.output).toContain("then run the same command again");
  expect(stopped.status).toBe(1);
  two.unset("pull-fails");
  expect(person.run(["make", edgeHost, oneHost, twoHost])).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output.split("\n")).toHaveLength(3);
});

test("one that does not have the role that it should is refused before anything begins", () => {
  using machines = madeCluster();
  const { person } = machines;
  for (const [args, words] of [
    [["make", oneHost, twoHost], "cluster.env names another edge"],
    [["make", edgeHost, edgeHost], "cannot be both"],
    [["join", edgeHost], "is the edge of a cluster"],
  ] as const) {
    const { status, output } = person.run(args);
    expect(output).toContain(words);
    expect(status).not.toBe(0);
  }
  for (const server of machines.all) expect(server.calls()).not.toContain("compose");
});

test("a machine leaves: the edge forgets it before it drains; one that is lost, the edge alone", () => {
  using machines = madeCluster();
  const { edge, one, person } = machines;
  expect(person.run(["leave", oneHost])).toMatchObject({ status: 0 });
  expect(cluster(one).output).toBe("none\n");
  const done = steps(person.calls());
  expect(done.indexOf(`${edgeHost} sudo livekit-deploy cluster remove 10.0.0.3`)).toBeLessThan(
    done.indexOf(`${oneHost} sudo livekit-deploy cluster leave`),
  );
  person.cutOff(twoHost);
  const lost = person.run(["leave", "media-2-example-com"]);
  expect(lost.output).toContain("sh cluster.sh leave NODE --gone");
  expect(cluster(edge, "nodes").output).toContain("10.0.0.4");
  expect(person.run(["leave", "10.0.0.4", "--gone"])).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output).toBe("");
  expect(person.run(["join", oneHost])).toMatchObject({ status: 0 });
  expect(person.run(["nodes"]).output).toBe(`10.0.0.3 ${oneHost} media-1\n`);
});

test("update takes one machine after the other, the edge last, stops at the first that is not well, and goes on there", () => {
  using machines = madeCluster();
  const { one, two, edge, person } = machines;
  for (const server of machines.all)
    for (const service of ["livekit", "caddy"]) server.set(`registry-${service}`, "sha256:newer\n");
  two.set("livekit-silent");
  const stopped = person.run(["update"]);
  expect(stopped.output).toContain(
    "Stopped at media-2-example-com: its doctor finds that something does not work.\nDone before it: media-1.",
  );
  expect(stopped.output).toContain("[livekit.silent]");
  expect(stopped.status).toBe(1);
  expect(one.calls()).toMatch(/kill -s TERM livekit[\s\S]*compose up/);
  expect(edge.calls()).not.toContain("compose up");
  const order = steps(person.calls()).filter((step) => /update|doctor/.test(step));
  expect(order).toEqual([
    `${oneHost} sudo livekit-deploy update`,
    `${oneHost} sudo livekit-deploy doctor --quiet`,
    `${twoHost} sudo livekit-deploy update`,
    `${twoHost} sudo livekit-deploy doctor --quiet`,
  ]);
  two.unset("livekit-silent");
  machines.forget();
  const rest = person.run(["update"]);
  expect(rest.output).toContain("Done on media-1, media-2-example-com and the edge.");
  expect(rest.status).toBe(0);
  expect(one.calls()).not.toMatch(/kill -s TERM|compose up/);
  expect(edge.calls()).toContain("compose up");
});

test("a machine without a public address is reached by the edge with the options of ssh, and stays so", () => {
  using edge = machineWithoutRole(places.edge);
  using one = machineWithoutRole(places.one);
  one.set("no-metadata");
  one.write("opt/livekit/state/address.env", "");
  using person = operator({ [edgeHost]: edge, "media-1": one, "10.0.0.3": one });
  expect(person.run(["make", edgeHost, "media-1"])).toMatchObject({ status: 0 });
  const list = "10.0.0.3 - media-1\n";
  expect(cluster(edge, "nodes").output).toBe(list);
  person.forget();
  const options = { SSH_OPTIONS: "-i /keys/%h" };
  expect(person.run(["rotate", "api-key"], options)).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output).toBe(list);
  expect(person.calls()).toMatch(
    new RegExp(
      `^ssh -o ProxyCommand=ssh -i /keys/%%h -o ConnectTimeout=10 .* -W %h:%p root@${edgeHost} -i /keys/%h -o .* root@10\\.0\\.0\\.3 sudo`,
      "m",
    ),
  );
  one.set("livekit-silent");
  const { output } = person.run(["update", "--to", "livekit=v1.13.12"], options);
  expect(output).toContain(
    `Next: mend media-1 (ssh -i /keys/%h -o 'ProxyCommand=ssh -i /keys/%%h -W %h:%p root@${edgeHost}' root@10.0.0.3 sudo livekit-deploy doctor says how)`,
  );
  one.unset("livekit-silent");
  const done = person.run(["update", "--to", "livekit=v1.13.12"]);
  expect(done.output).toMatch(/Done on media-1\.\n$/);
  expect(person.run(["leave", "media-1"]).output).not.toContain("by-edge:");
});

test("where LiveKit knows a machine that the list lacks, nothing is begun; one that has been silent does not count, nor one twice", () => {
  using machines = madeCluster();
  const { edge, one, person } = machines;
  const secrets = secretsOf(edge);
  one.set("other-machines", "203.0.113.4 203.0.113.9");
  for (const args of [["update"], ["rotate", "api-key"], ["rotate", "redis"]]) {
    const { status, output } = person.run(args);
    expect(output).toContain(
      "LiveKit has heard of 3 machines in the last half minute, and the list has 2",
    );
    expect(output).toContain("Nothing was changed.");
    expect(status).toBe(1);
  }
  expect(secretsOf(edge)).toBe(secrets);
  one.set("other-machines", "203.0.113.4 203.0.113.4 203.0.113.9@");
  expect(person.run(["update"])).toMatchObject({ status: 0 });
  one.set("other-machines", "203.0.113.4 203.0.113.9");
  one.set("uncounted");
  expect(person.run(["update"])).toMatchObject({ status: 0 });
});

testInProof("a version of one component is for the machines that have it", () => {
  using machines = madeCluster();
  const { person } = machines;
  expect(person.run(["update", "--to", "livekit=v1.13.12", "--now"])).toMatchObject({ status: 0 });
  expect(steps(person.calls()).filter((step) => step.includes("update"))).toEqual([
    `${oneHost} sudo livekit-deploy update --to livekit=v1.13.12 --now`,
    `${twoHost} sudo livekit-deploy update --to livekit=v1.13.12 --now`,
  ]);
  for (const value of ["livekit=x;reboot", "livekit=$(reboot)", "--now", "sip=1"])
    expect(person.run(["update", "--to", value])).toMatchObject({ status: 64 });
});

test("the secrets are made anew on the edge, and brought to one machine after the other", () => {
  using machines = madeCluster();
  const { edge, one, two, person } = machines;
  const before = secretsOf(edge);
  const oldKey = /^LIVEKIT_API_KEY=(.*)$/m.exec(before)?.[1] ?? "";
  two.set("pull-fails");
  const stopped = person.run(["rotate", "api-key"]);
  expect(stopped.output).toContain("Stopped at media-2-example-com");
  const middle = secretsOf(edge);
  expect(middle).toContain(`LIVEKIT_OLD_API_KEY=${oldKey}`);
  expect([secretsOf(one) === middle, secretsOf(two)]).toEqual([true, middle]);
  two.unset("pull-fails");
  one.forget();
  const done = person.run(["rotate", "api-key"]);
  expect(done.output).toContain("All machines take both keys.");
  // It went on: no third key, and nobody waits a second time.
  expect(secretsOf(edge)).toBe(middle);
  expect(one.calls()).not.toContain("compose kill");
  for (const server of [one, two])
    expect(server.controlContent("environment-livekit")).toContain(`LIVEKIT_OLD_API_KEY=${oldKey}`);
  expect(person.run(["rotate", "finish"])).toMatchObject({ status: 0 });
  for (const server of machines.all) expect(secretsOf(server)).not.toContain("OLD");
  for (const value of [...valuesOf(before), ...valuesOf(secretsOf(edge))])
    for (const record of [
      stopped.output,
      done.output,
      person.calls(),
      edge.calls(),
      one.calls(),
      two.calls(),
    ])
      expect(record).not.toContain(value);
});

test("a new password of Redis: it takes both until every machine has the new one", () => {
  using machines = madeCluster();
  const { edge, one, two, person } = machines;
  const password = (server: Machine) => /^REDIS_PASSWORD=(.*)$/m.exec(secretsOf(server))?.[1] ?? "";
  const before = password(edge);
  two.set("pull-fails");
  expect(person.run(["rotate", "redis"])).toMatchObject({ status: 1 });
  const after = password(edge);
  expect(after).not.toBe(before);
  expect(edge.controlContent("redis-passwords").trim().split("\n")).toEqual([before, after]);
  expect(password(one)).toBe(after);
  two.unset("pull-fails");
  expect(person.run(["rotate", "redis"])).toMatchObject({ status: 0 });
  expect([password(edge), password(two)]).toEqual([after, after]);
  expect(edge.controlContent("redis-passwords").trim()).toBe(after);
  expect(edge.has(rotation)).toBe(false);
  for (const record of [person.calls(), edge.calls(), one.calls(), two.calls()])
    for (const value of [before, after]) expect(record).not.toContain(value);
});

test("a Redis that starts anew while its password is changed takes both, and so does one that has lost either", () => {
  using machines = madeCluster();
  const { edge, two, person } = machines;
  const password = () => /^REDIS_PASSWORD=(.*)$/m.exec(secretsOf(edge))?.[1] ?? "";
  const taken = () => edge.controlContent("redis-passwords").trim().split("\n").sort();
  const before = password();
  two.set("pull-fails");
  expect(person.run(["rotate", "redis"])).toMatchObject({ status: 1 });
  const both = [before, password()].sort();
  expect(edge.mode(rotation)).toBe("600");
  expect(redisConfiguration(edge)).toMatch(
    new RegExp(`\\nrequirepass .*\\n${edge.read(rotation).replace(/[*+]/g, "\\$&")}$`),
  );
  expect(edge.run("livekit-deploy", ["restart", "redis", "--now"])).toMatchObject({ status: 0 });
  expect(taken()).toEqual(both);
  for (const alone of both) {
    edge.set("redis-passwords", `${alone}\n`);
    expect(person.run(["rotate", "redis"])).toMatchObject({ status: 1 });
    expect(taken()).toEqual(both);
    expect(password()).not.toBe(before);
  }
  two.unset("pull-fails");
  expect(person.run(["rotate", "redis"])).toMatchObject({ status: 0 });
  expect(taken()).toEqual([password()]);
  expect(redisConfiguration(edge)).not.toContain("user default");
  expect(both).toContain(password());
  expect(edge.has(rotation)).toBe(false);
  for (const record of [person.calls(), edge.calls()])
    for (const value of both) expect(record).not.toContain(value);
});

test("one that was cut off before the machine had the new password begins anew, and a Redis that takes none changes no secret", () => {
  using edge = edgeMachine();
  const secrets = secretsOf(edge);
  const [before = ""] = valuesOf(secrets.replace(/^LIVEKIT.*$/gm, ""));
  edge.set("redis-refuses");
  const refused = edge.run("livekit-deploy", ["rotate", "redis"]);
  expect(refused.output).toContain("Redis did not take a second password");
  expect([refused.status, secretsOf(edge)]).toEqual([1, secrets]);
  const first = edge.read(rotation);
  edge.unset("redis-refuses");
  expect(edge.run("livekit-deploy", ["rotate", "redis"])).toMatchObject({ status: 0 });
  const after = /^REDIS_PASSWORD=(.*)$/m.exec(secretsOf(edge))?.[1] ?? "";
  expect(edge.read(rotation)).toBe(`user default on ~* &* +@all '>${before}' '>${after}'\n`);
  expect(first).not.toContain(after);
});

test("what machines say becomes no command: a list, a role or an answer of another form ends it", () => {
  using machines = madeCluster();
  const { edge, one, person } = machines;
  for (const line of [
    "10.0.0.3 203.0.113.3 one; touch hacked",
    "10.0.0.3 -oProxyCommand=touch one",
    "10.0.0.3 $(touch) one",
    "10.0.0.3 203.0.113.3",
  ]) {
    edge.write("opt/livekit/state/edge/nodes", `10.0.0.3 ${oneHost} media-1\n${line}\n`);
    const { status, output } = person.run(["update"]);
    expect(output).toContain("says a list that this script does not know. Nothing was changed.");
    expect(status).toBe(1);
  }
  edge.write("opt/livekit/state/edge/nodes", `10.0.0.3 ${oneHost} media-1\n`);
  for (const said of ["media 10.0.0.3 203.0.113.3 a;reboot", "none\nnone", "edge 10.0.0.2 x", ""]) {
    one.write("usr/bin/livekit-deploy", `#!/bin/sh\nprintf '%s\\n' '${said}'\n`, 0o755);
    expect(person.run(["join", oneHost]).output).toContain(
      "does not say its role in a way that this script knows",
    );
  }
  one.write(
    "usr/bin/livekit-deploy",
    `#!/bin/sh\ncase $2 in role) echo none ;; *) cat >/dev/null; echo "10.0.0.3 203.0.113.3 x; touch hacked" ;; esac\n`,
    0o755,
  );
  expect(person.run(["join", oneHost]).output).toContain("says something else than its addresses");
  expect(machines.all.some((server) => server.has("../hacked"))).toBe(false);
});

test("a machine is HOST or USER@HOST, and nothing that ssh or a shell could take for more", () => {
  using machines = madeCluster();
  const { person } = machines;
  for (const machine of [
    "-oProxyCommand=reboot",
    "a b",
    "a;reboot",
    "$(reboot)",
    "@host",
    "a\nb",
    "host:22",
    "",
  ])
    for (const args of [
      ["join", machine],
      ["leave", machine],
      ["make", machine, oneHost],
      ["make", edgeHost, machine],
    ])
      expect([args, person.run(args).status]).toEqual([args, 64]);
  expect(person.run([]).output).toMatch(/^sh cluster\.sh make /);
  person.write("cluster.env", "EDGE='-oProxyCommand=reboot'\n");
  expect(person.run(["nodes"])).toMatchObject({ status: 1 });
  person.write("cluster.env", "");
  expect(person.run(["nodes"]).output).toContain("Which machine is the edge?");
  expect(person.run(["nodes"], { EDGE: edgeHost }).output).toContain("10.0.0.3");
});

testInProof(
  "where nobody tells a machine its public address, the edge gets the one by which SSH came",
  () => {
    using machines = threeMachines();
    const { edge, one, person } = machines;
    one.set("no-metadata");
    one.write("opt/livekit/state/address.env", "");
    expect(person.run(["make", `admin@${edgeHost}`, oneHost])).toMatchObject({ status: 0 });
    expect(cluster(edge, "nodes").output).toBe(`10.0.0.3 ${oneHost} media-1\n`);
    expect(edgeAddress).toBe("10.0.0.2");
  },
);
