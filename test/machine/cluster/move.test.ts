import { expect, test } from "vitest";
import {
  cluster,
  machineWithoutRole,
  places,
} from "../../support/deployments/cluster/cluster-machines.ts";
import { operator } from "../../support/deployments/cluster/operator.ts";
import { type Machine, newlyBootedMachine } from "../../support/deployments/machine.ts";

const oldHost = "203.0.113.1";
const [edgeHost, oneHost] = [places.edge.publicAddress, places.one.publicAddress];

/** A server of its own that runs, and two machines that are to take its calls. */
function beforeTheMove(typed: Record<string, unknown> = {}) {
  const old = newlyBootedMachine(typed);
  old.command("sudo", 'exec "$@"');
  old.forget();
  const edge = machineWithoutRole(places.edge);
  const one = machineWithoutRole(places.one);
  for (const name of ["redis/appendonlydir", "caddy"])
    edge.write(`opt/livekit/data/${name}/before`, "");
  const person = operator({ [oldHost]: old, [edgeHost]: edge, [oneHost]: one });
  return {
    ...{ old, edge, one, person },
    [Symbol.dispose]: () => {
      for (const each of [old, edge, one, person]) each[Symbol.dispose]();
    },
  };
}

const secretsOf = (server: Machine) => server.read("opt/livekit/secrets.env");
const lineOf = (server: Machine, name: string) =>
  new RegExp(`^${name}=(.*)$`, "m").exec(secretsOf(server))?.[1];

test("make --from: keys, certificates and Redis's data of a server come to the edge, its password does not, and it runs on", () => {
  using move = beforeTheMove();
  const { old, edge, one, person } = move;
  const made = person.run(["make", "--from", oldHost, edgeHost, oneHost]);
  expect(made.output).toContain(`root@${oldHost} runs on with its calls.`);
  expect(made.status).toBe(0);
  for (const name of ["LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"]) {
    expect(lineOf(edge, name)).toBe(lineOf(old, name));
    expect(lineOf(one, name)).toBe(lineOf(old, name));
  }
  expect(lineOf(edge, "REDIS_PASSWORD")).toMatch(/^\S{43}$/);
  expect(lineOf(edge, "REDIS_PASSWORD")).not.toBe(lineOf(old, "REDIS_PASSWORD"));
  expect(edge.read("opt/livekit/data/redis/dump.rdb")).toBe(
    old.read("opt/livekit/data/redis/dump.rdb"),
  );
  expect(edge.has("opt/livekit/data/redis/appendonlydir")).toBe(false);
  const key = "opt/livekit/data/caddy/certificates/livekit.example.com.key";
  expect([edge.read(key), edge.mode(key)]).toEqual([old.read(key), "600"]);
  expect(edge.mode("opt/livekit/secrets.env")).toBe("600");
  // Nothing of it stays between, and nothing stops there.
  expect(edge.has("opt/livekit/state/take-stage")).toBe(false);
  expect(old.calls()).not.toMatch(/compose (stop|kill|down|up)/);
  expect(old.calls()).toContain("compose exec -T redis sh -c");
  for (const secret of [
    lineOf(old, "LIVEKIT_API_SECRET"),
    lineOf(old, "REDIS_PASSWORD"),
    lineOf(edge, "REDIS_PASSWORD"),
  ])
    for (const record of [made.output, person.calls(), old.calls(), edge.calls(), one.calls()])
      expect(record).not.toContain(secret);
  // Again: what the edge has stays.
  const before = secretsOf(edge);
  expect(person.run(["make", "--from", oldHost, edgeHost, oneHost]).output).toContain(
    "what it has stays",
  );
  expect(secretsOf(edge)).toBe(before);
});

test("a server that cannot save or is not reached, or whose transfer breaks off, leaves the edge as it was", () => {
  using move = beforeTheMove();
  const { old, edge, person } = move;
  const attempt = () => person.run(["make", "--from", oldHost, edgeHost, oneHost]);
  old.set("redis-refuses");
  expect(attempt().output).toContain("Redis of the server did not save its data.");
  old.unset("redis-refuses");
  old.command("tar", `PATH=\${PATH#*:}; tar "$@" | head -c 3000`);
  expect(attempt().output).toContain(`Stopped at root@${oldHost}`);
  // A file that cannot be read is left out of an archive that is whole otherwise.
  old.command("tar", `PATH=\${PATH#*:}; tar "$@" absent`);
  expect(attempt().output).toContain("What came from the server is cut off.");
  old.command("tar", 'echo "tar: cannot" >&2; exit 2');
  expect(attempt()).toMatchObject({ status: 1 });
  person.cutOff(oldHost);
  expect(attempt()).toMatchObject({ status: 1 });
  expect(cluster(edge).output).toBe("none\n");
  for (const name of [
    "opt/livekit/secrets.env",
    "opt/livekit/.env",
    "opt/livekit/state/take-stage",
  ])
    expect(edge.has(name)).toBe(false);
});

test("an archive with more than a server's own files is refused", () => {
  using move = beforeTheMove();
  const { old, edge, person } = move;
  for (const more of ["deployment.env", "bin/environment.sh", "../../hostile"]) {
    old.write("hostile", "");
    old.command("tar", `PATH=\${PATH#*:}; shift 3; exec tar -P -cf - "$@" ${more}`);
    const { output } = person.run(["make", "--from", oldHost, edgeHost, oneHost]);
    expect(output).toContain("files that it should not have");
  }
  old.command("tar", `PATH=\${PATH#*:}; ln -s /etc/passwd data/caddy/link; exec tar "$@"`);
  expect(person.run(["make", "--from", oldHost, edgeHost, oneHost]).output).toContain(
    "is something else than its files",
  );
  expect(edge.has("opt/livekit/secrets.env")).toBe(false);
});
