import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import {
  cluster,
  clusterOptions,
  edgeMachine,
  machineWithoutRole,
  mediaMachine,
  places,
  setPeople,
} from "../../support/deployments/cluster/cluster-machines.ts";
import { operator } from "../../support/deployments/cluster/operator.ts";
import { type Machine, runningMachine } from "../../support/deployments/machine.ts";

const bundleOf = (more: Record<string, unknown>) =>
  zipOf(bundle(optionsFrom({ domain: "livekit.example.com", ...more })).files);
const changed = { ...clusterOptions, extraDomains: ["livekit.example.org"] };
const secretsOf = (server: Machine) => server.read("opt/livekit/secrets.env");
const hasChange = (server: Machine) =>
  server.read("opt/livekit/deployment.env").includes("livekit.example.org");

test("a changed bundle is taken by one machine after the other, the edge last, and goes on where it stopped", () => {
  using edge = edgeMachine();
  using one = mediaMachine(secretsOf(edge));
  using two = mediaMachine(secretsOf(edge), {}, places.two);
  using person = operator({
    [places.edge.publicAddress]: edge,
    [places.one.publicAddress]: one,
    [places.two.publicAddress]: two,
  });
  person.write("cluster.env", `EDGE='root@${places.edge.publicAddress}'\n`);
  for (const [server, name] of [
    [one, "one"],
    [two, "two"],
  ] as const) {
    const [, privateAddress = "", publicAddress = ""] = cluster(server).output.split(" ");
    cluster(edge, "add", privateAddress, publicAddress, name);
  }
  edge.set("address-livekit.example.org", "203.0.113.2 STREAM livekit.example.org\n");
  writeFileSync(join(person.folder, "new.zip"), bundleOf(changed));
  for (const server of [edge, one, two]) {
    server.command("sleep", "");
    server.forget();
  }
  const before = secretsOf(edge);
  two.set("pull-fails");
  const stopped = person.run(["apply", "new.zip"]);
  expect(stopped.output).toContain(
    "Stopped at two: this did not work there.\nDone before it: one.",
  );
  expect(stopped.status).toBe(1);
  expect([one, two, edge].map(hasChange)).toEqual([true, false, false]);
  expect(one.calls()).toMatch(/kill -s TERM livekit[\s\S]*compose up/);
  two.unset("pull-fails");
  one.forget();
  const rest = person.run(["apply", "new.zip"]);
  expect(rest.output).toContain("This machine has these files already.");
  expect(rest.output).toContain("Done on one, two and the edge.");
  expect(rest.status).toBe(0);
  expect(one.calls()).not.toMatch(/compose (kill|stop|up)/);
  for (const server of [edge, one, two]) {
    expect(hasChange(server)).toBe(true);
    expect(secretsOf(server)).toBe(before);
    expect(server.has("opt/livekit/state/cluster.zip")).toBe(false);
  }
  expect(edge.read("opt/livekit/state/edge/caddy.yaml")).toContain("livekit.example.org");
  expect(cluster(one).output).toContain("media 10.0.0.3");
});

test("a machine of a cluster does not become a server of its own, nor the other way round, by a bundle", () => {
  using media = mediaMachine("LIVEKIT_API_KEY=a\nLIVEKIT_API_SECRET=b\nREDIS_PASSWORD=c\n");
  writeFileSync(media.path("single.zip"), bundleOf({}));
  const refused = media.run("livekit-deploy", ["apply", media.path("single.zip")]);
  expect(refused.output).toContain(
    "First: sh cluster.sh leave, on your computer. Nothing was changed.",
  );
  using single = runningMachine();
  writeFileSync(single.path("cluster.zip"), bundleOf(clusterOptions));
  const other = single.run("livekit-deploy", ["apply", single.path("cluster.zip")]);
  expect(other.output).toContain("Its calls move by: sh cluster.sh make --from");
  for (const server of [media, single]) expect(server.calls()).not.toMatch(/compose (kill|stop)/);
});

test("a machine that waits for its role takes a bundle, and starts nothing", () => {
  using server = machineWithoutRole(places.one);
  writeFileSync(server.path("new.zip"), bundleOf(changed));
  const { status, output } = server.run("livekit-deploy", ["apply", server.path("new.zip")]);
  expect(output).toContain("The bundle is in use.");
  expect(status).toBe(0);
  expect(hasChange(server)).toBe(true);
  expect(server.calls()).not.toContain("compose up");
});

test("a version that people approved with their passkeys drains a machine like any other", () => {
  using server = mediaMachine("LIVEKIT_API_KEY=a\nLIVEKIT_API_SECRET=b\nREDIS_PASSWORD=c\n");
  setPeople(server, 1);
  writeFileSync(server.path("new.zip"), bundleOf(changed));
  server.command("sleep", 'echo exited >"$MACHINE/condition-livekit"');
  server.write("rollout.sh", "exit 0\n");
  server.forget();
  const { output } = server.run("livekit-deploy", ["apply", server.path("new.zip")], "", {
    ROLLOUT: server.path("rollout.sh"),
  });
  expect(output).toContain("In calls: 1, recordings: 0. No new rooms come to this machine.");
  expect(server.calls()).toContain("compose kill -s TERM livekit");
  expect(server.calls()).not.toContain("compose kill -s KILL livekit");
});

test("a Redis that went back to its data of before an update has the machines for calls begin anew too", () => {
  using edge = edgeMachine();
  edge.command("sleep", "");
  edge.set("bad-images", "sha256:broken\n");
  edge.set("registry-redis", "sha256:broken\n");
  // Redis would read this and not the snapshot.
  edge.write("opt/livekit/data/redis/appendonlydir/appendonly.aof.manifest", "");
  const { status, output } = edge.run("update");
  expect(output).toContain("The versions from before run again.");
  expect(status).toBe(1);
  expect(edge.controlContent("redis-commands")).toBe("del livekit-deploy:dataset\n");
  expect(edge.has("opt/livekit/state/edge/redis-went-back")).toBe(false);
  expect(edge.has("opt/livekit/data/redis/appendonlydir")).toBe(false);
});

test("a restore on the edge has the machines for calls begin anew, since Redis has gone back in time", () => {
  using edge = edgeMachine();
  const made = /Backup made: (\S+)/.exec(edge.run("livekit-deploy", ["backup"]).output)?.[1] ?? "";
  const { status, output } = edge.run("livekit-deploy", ["restore", made]);
  expect(output).toContain("for each: sh cluster.sh join NODE");
  expect(status).toBe(0);
  expect(edge.controlContent("redis-commands")).toBe("del livekit-deploy:dataset\n");
  expect(cluster(edge).output).toContain("edge 10.0.0.2");
});
