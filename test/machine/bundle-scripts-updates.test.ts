import { once } from "node:events";
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { backupsOn, type Machine, runningMachine } from "../support/deployments/machine.ts";
import { testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const daily = { backups: { frequency: "daily" } };
const compose = "opt/livekit/docker-compose.yaml";

function versionOf(server: Machine): string {
  return /livekit-server:(\S+)/.exec(server.read(compose))?.[1] ?? "";
}

test("an update runs the new images when all services are healthy, after a backup", () => {
  using server = runningMachine(daily);
  server.set("registry-livekit", "sha256:newer\n");
  const { status, output } = server.run("update");
  expect(output).toContain("Updated. All services are healthy.");
  expect(status).toBe(0);
  expect(server.controlContent("running/livekit")).toContain("sha256:newer");
  expect(backupsOn(server)).toHaveLength(1);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
});

test("an update says that a full version means another image than before, and nothing of tags that move", () => {
  const moved = "Its publisher moved the tag of";
  using server = runningMachine();
  server.set("registry-livekit", "sha256:newer\n");
  expect(server.run("update").output).toContain(
    `${moved} livekit/livekit-server:v1.13.11 to another image.`,
  );
  using following = runningMachine({ updates: "weekly" });
  following.set("registry-livekit", "sha256:newer\n");
  const { output } = following.run("update");
  expect(output).toContain("Updated. All services are healthy.");
  expect(output).not.toContain(moved);
  using chosen = runningMachine();
  expect(chosen.run("update", ["--to", "livekit=v1.13.12"]).output).not.toContain(moved);
});

test("a digest behind a tag holds until another version is asked for", () => {
  using server = runningMachine();
  const before = server.read(compose);
  const pinned = before.replace("livekit-server:v1.13.11", `$&@sha256:${"a1".repeat(32)}`);
  server.write(compose, pinned);
  expect(server.run("update", ["--to", "caddy=v2.11.5"]).status).toBe(0);
  expect(server.read(compose)).toBe(pinned.replace("caddyl4:v2.11.4", "caddyl4:v2.11.5"));
  expect(server.run("update", ["--to", "livekit=v1.13.12"]).status).toBe(0);
  expect(server.read(compose)).toContain("image: livekit/livekit-server:v1.13.12\n");
});

test("an update without newer images says so and restarts nothing", () => {
  using server = runningMachine();
  expect(server.run("update")).toMatchObject({ status: 0, output: "Everything is up to date.\n" });
  expect(server.calls()).not.toContain("compose up");
});

test("M9: on a full disk an update changes nothing and says so, instead of finding everything up to date", () => {
  using server = runningMachine();
  server.set("registry-livekit", "sha256:newer\n");
  server.command("sync", 'case "$*" in */last-good.new/images.new) exit 1 ;; esac');
  expect(server.run("update")).toMatchObject({
    status: 1,
    output: expect.stringMatching(
      /^Nothing can be written to \S+\. Is the disk full\? Nothing was changed\.\n$/,
    ),
  });
});

test("an update whose service is unhealthy goes back to the images from before", () => {
  using server = runningMachine();
  const before = server.controlContent("running/livekit");
  server.set("registry-livekit", "sha256:broken\n");
  server.set("bad-images", "sha256:broken\n");
  const { status, output } = server.run("update");
  expect(output).toContain("The update failed. The versions from before run again.");
  expect(status).toBe(1);
  expect(server.controlContent("running/livekit")).toBe(before);
});

test("an update that goes back in vain is over: nothing of it is put back at a later start", () => {
  using server = runningMachine();
  const [, id = ""] = server.controlContent("running/livekit").trim().split(" ");
  server.set("registry-livekit", "sha256:broken\n");
  server.set("bad-images", `sha256:broken\n${id}\n`);
  const { status, output } = server.run("update");
  expect(output).toContain("the versions from before are not healthy either");
  expect(status).toBe(2);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
  const { output: found } = server.run("doctor", ["--report"]);
  expect(found).toContain("service.down\tcritical\tlivekit\t");
  expect(found).not.toContain("update.interrupted");
});

test("a version that is unhealthy leaves the Compose file as it was", () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("bad-images", "sha256:livekit/livekit-server:v1.13.14\n");
  expect(server.run("update", ["--to", "livekit=v1.13.14"]).status).toBe(1);
  expect(server.read(compose)).toBe(before);
  expect(server.controlContent("running/livekit")).toContain("v1.13.11");
});

test("update --to changes the version of that service alone", () => {
  using server = runningMachine({ ingress: "both" });
  const before = server.read(compose);
  expect(server.run("livekit-deploy", ["update", "--to", "livekit=v1.13.12"]).status).toBe(0);
  expect(server.read(compose)).toBe(
    before.replace("livekit-server:v1.13.11", "livekit-server:v1.13.12"),
  );
});

testInProof(
  "with --to livekit=latest an update follows the latest tag, and goes back from a bad one as well",
  () => {
    using server = runningMachine();
    const before = server.read(compose);
    expect(server.run("update", ["--to", "livekit=latest"]).status).toBe(0);
    expect(versionOf(server)).toBe("latest");
    server.set("registry-livekit", "sha256:broken\n");
    server.set("bad-images", "sha256:broken\n");
    expect(server.run("update").status).toBe(1);
    expect(server.controlContent("running/livekit")).toBe(
      "livekit/livekit-server:latest sha256:livekit/livekit-server:latest\n",
    );
    server.unset("registry-livekit");
    expect(server.run("update", ["--to", "livekit=v1.13.11"]).status).toBe(0);
    expect(server.read(compose)).toBe(before);
  },
);

test("update --to refuses what is no version, no service here, or known to be bad", () => {
  using server = runningMachine();
  const before = server.read(compose);
  for (const target of [
    "livekit=newest",
    "livekit=v1;id",
    "livekit=v1.13.12\nx",
    "egress=v1.14.1",
    "livekit=v1.10.0",
    "",
    "livekit",
  ])
    expect(server.run("update", ["--to", target]).status, target).toBe(64);
  expect(server.read(compose)).toBe(before);
  expect(server.calls()).not.toContain("pull");
});

test("an update that cannot fetch changes nothing", () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("pull-fails");
  const { status, output } = server.run("update", ["--to", "livekit=v1.13.12"]);
  expect(output).toContain("The new images could not be fetched. Nothing was changed.");
  expect(status).toBe(1);
  expect(server.read(compose)).toBe(before);
  expect(server.calls()).not.toContain("compose up");
});

test("an update does not begin on a full disk or without its backup", () => {
  using full = runningMachine();
  full.set("disk-used", "97");
  expect(full.run("update").output).toMatch(/Only \d+ MiB of disk are free, 2048 are needed/);
  using unsaved = runningMachine(daily);
  unsaved.set("redis-refuses");
  expect(unsaved.run("update").output).toContain("The backup before the update failed.");
  expect(full.calls() + unsaved.calls()).not.toContain("pull");
});

/** The calls that stop or start containers, in their order. */
function stopsAndStarts(server: Machine): string[] {
  return server
    .calls()
    .split("\n")
    .filter((call) => /^docker compose (stop|up)/.test(call))
    .map((call) => call.replace(/^docker compose (\S+ ?)(-d.*)?/, "$1").trim());
}

test("calls, recordings and streams end before anything else stops: by stop, reload, restart and update", () => {
  using server = runningMachine({ ingress: "both", recording: { kind: "local" } });
  for (const [verb, expected] of [
    ["stop", ["stop egress ingress", "stop livekit", "stop"]],
    ["start", ["up"]],
    ["reload", ["stop egress ingress", "stop livekit", "up"]],
    ["restart", ["stop egress ingress", "stop livekit", "stop", "up"]],
  ] as const) {
    server.forget();
    expect(server.systemctl(verb, "livekit.service"), verb).toBe(0);
    expect(stopsAndStarts(server), verb).toEqual(expected);
  }
  server.forget();
  for (const service of ["redis", "caddy"]) server.set(`registry-${service}`, "sha256:newer\n");
  expect(server.run("update").status).toBe(0);
  expect(stopsAndStarts(server)).toEqual([
    "stop egress ingress",
    "stop livekit",
    "stop redis",
    "up",
  ]);
  expect(server.isSet("cut-off")).toBe(false);
});

testInProof(
  "going back after a bad update lets calls end as well, and new metrics end none",
  () => {
    using server = runningMachine({ monitoring: "advanced" });
    expect(server.run("update", ["--to", "prometheus=v3.99.0"]).status).toBe(0);
    expect(stopsAndStarts(server)).toEqual(["up"]);
    server.forget();
    server.set("registry-redis", "sha256:broken\n");
    server.set("bad-images", "sha256:broken\n");
    expect(server.run("update").status).toBe(1);
    const [way, back] = [
      ["stop livekit", "stop redis", "up"],
      ["stop livekit", "stop redis", "up"],
    ];
    expect(stopsAndStarts(server)).toEqual([...way, ...back]);
    expect(server.isSet("cut-off")).toBe(false);
  },
);

const dump = "opt/livekit/data/redis/dump.rdb";

test("C4: an update of Redis that goes back has Redis's data from before, which the older one can read", () => {
  using server = runningMachine();
  server.write(dump, "REDIS0011trunks");
  server.set("bad-images", "sha256:redis:8.9.9-alpine\n");
  const { status, output } = server.run("update", ["--to", "redis=8.9.9-alpine"]);
  expect(output).toContain("Redis has its data from before again. Trunks, dispatch rules");
  expect(output).toContain("The update failed. The versions from before run again.");
  expect(status).toBe(1);
  expect(server.read(dump)).toMatch(/^REDIS001[12]trunks$/);
  expect(server.isSet("redis-log")).toBe(false);
  expect(server.isSet("cut-off")).toBe(false);
});

test("C4: what a newer Redis saved where there was nothing before is set aside, and what is lost is said", () => {
  using server = runningMachine();
  rmSync(server.path(dump));
  server.set("bad-images", "sha256:redis:8.9.9-alpine\n");
  server.set("redis-saves", "REDIS0013later");
  const { status, output } = server.run("update", ["--to", "redis=8.9.9-alpine"]);
  expect(output).toContain("set aside in data/redis/dump.rdb.aside: trunks, dispatch rules and");
  expect(status).toBe(1);
  expect(server.has(dump)).toBe(false);
  expect(server.read(`${dump}.aside`)).toBe("REDIS0013later");
});

test("C4: a power cut in an update of Redis leaves no data that the older one cannot read", async () => {
  using server = runningMachine();
  server.write(dump, "REDIS0011trunks");
  server.set("up-slow");
  await server.cutPower("update", ["--to", "redis=8.9.9-alpine"], "up-began");
  server.unset("up-slow");
  // Docker had started the newer one already, and starts it again with the machine.
  server.set("running/redis", "redis:8.9.9-alpine sha256:redis:8.9.9-alpine\n");
  server.unset("condition-redis");
  expect(server.run("before-start").status).toBe(0);
  server.systemctl("start", "livekit.service");
  expect(server.read(dump)).toMatch(/^REDIS001[12]trunks$/);
  expect(server.isSet("redis-log")).toBe(false);
});

test("C4: the doctor says that Redis cannot read its data, and what is lost without them", () => {
  using server = runningMachine();
  server.write(dump, "REDIS0013trunks");
  server.systemctl("stop", "livekit.service");
  server.write(dump, "REDIS0013trunks");
  server.systemctl("start", "livekit.service");
  expect(server.run("doctor", ["--report"]).output).toMatch(
    /^redis\.data\tcritical\t\S+data\/redis\/dump\.rdb\tCan't handle RDB format version 13\t$/m,
  );
  expect(server.run("doctor").output).toContain("trunks, dispatch rules and ingresses are lost");
});

test("the doctor says in LiveKit's words why it does not reach a Redis elsewhere", () => {
  using server = runningMachine({ redis: { kind: "cluster", addresses: ["10.0.0.5:6379"] } });
  server.set(
    "livekit-log",
    'livekit-1 | {"error":"unable to connect to redis: x509: certificate signed by unknown authority"}\n',
  );
  expect(server.run("doctor", ["--report"]).output).not.toContain("redis.unreachable");
  server.set("livekit-silent");
  expect(server.run("doctor", ["--report"]).output).toContain(
    "redis.unreachable\tcritical\t10.0.0.5:6379\tx509: certificate signed by unknown authority\t",
  );
});

test("a reload whose new images cannot be fetched leaves everything running", () => {
  using server = runningMachine();
  server.set("pull-fails");
  expect(server.systemctl("reload", "livekit.service")).toBe(1);
  expect(stopsAndStarts(server)).toEqual([]);
});

test("a reboot in the middle of an update goes back to the last good versions at the next start", async () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("up-slow");
  await server.cutPower("update", ["--to", "livekit=v1.13.12"], "up-began");
  expect(versionOf(server)).toBe("v1.13.12");
  server.unset("up-slow");
  const { status, output } = server.run("before-start");
  expect(output).toContain("An update was interrupted: going back to the last good versions.");
  expect(status).toBe(0);
  expect(server.read(compose)).toBe(before);
  expect(server.has("opt/livekit/state/updating")).toBe(false);
});

test("a start that meets the look of a report at the lock waits for it, and goes back then", async () => {
  using server = runningMachine();
  const before = server.read(compose);
  server.set("up-slow");
  await server.cutPower("update", ["--to", "livekit=v1.13.12"], "up-began");
  server.unset("up-slow");
  // The lock is held when it is asked for, and free soon after.
  server.command("flock", 'case " $* " in *" -n "*) exit 1 ;; esac');
  expect(server.run("before-start").status).toBe(0);
  expect(server.read(compose)).toBe(before);
});

testInProof(
  "of two updates at once, the second changes nothing, nor does a backup, and health looks away",
  async () => {
    using server = runningMachine();
    server.set("up-slow");
    const first = server.start("update", ["--to", "livekit=v1.13.12"]);
    first.stdout.resume();
    first.stderr.resume();
    await vi.waitUntil(() => server.isSet("up-began"), { timeout: 20_000 });
    for (const name of ["update", "backup"])
      expect(server.run(name)).toEqual({
        status: 75,
        output: "Another update, backup or restore is running. Nothing was changed.\n",
      });
    expect(server.run("health").output).toContain("not looking now");
    // A start of the unit meanwhile must not undo what the update does.
    expect(server.run("before-start").status).toBe(0);
    server.unset("up-slow");
    const [status] = await once(first, "close");
    expect(status).toBe(0);
    expect(versionOf(server)).toBe("v1.13.12");
  },
);

test("an agent worker whose image its registry refuses keeps its version, and the rest is updated", () => {
  using server = runningMachine({ agent: { kind: "image", image: "registry.example.com/a:7" } });
  const before = server.controlContent("running/agent");
  server.set("pull-fails-agent");
  server.set("registry-livekit", "sha256:newer\n");
  const { status, output } = server.run("update");
  expect(output).toContain(
    "The agent's image could not be fetched. The rest is updated without it.",
  );
  expect(output).toContain("Updated. All services are healthy.");
  expect(status).toBe(0);
  expect(server.controlContent("running/livekit")).toContain("sha256:newer");
  expect(server.controlContent("running/agent")).toBe(before);
  const update = server.run("update", ["--to", "agent=8"]);
  expect(update.output).toContain("The new images could not be fetched. Nothing was changed.");
  expect(update.status).toBe(1);
});

testInProof(
  "an agent worker that was never fetched does not keep the others from an update or a restart",
  () => {
    using server = runningMachine({ agent: { kind: "image", image: "registry.example.com/a:7" } });
    server.set("pull-fails-agent");
    server.unset("running/agent");
    server.unset("images/registry.example.com_a_7");
    server.set("registry-livekit", "sha256:newer\n");
    const { status, output } = server.run("update");
    expect(output).toContain("The agent's image could not be fetched.");
    expect(status).toBe(0);
    expect(server.controlContent("running/livekit")).toContain("sha256:newer");
    expect(server.isSet("running/agent")).toBe(false);
    const restarted = server.run("livekit-deploy", ["restart", "--now"]);
    expect(restarted).toMatchObject({ status: 0 });
    expect(restarted.output).toContain("The agent's image could not be fetched.");
    server.unset("pull-fails-agent");
    expect(server.run("livekit-deploy", ["restart", "--now"]).output).toBe(
      "LiveKit was restarted.\n",
    );
    expect(server.controlContent("running/agent")).toContain("registry.example.com/a:7");
  },
);
