import { expect, test, vi } from "vitest";
import { providerIds } from "~/features/deployments/bundle/providers.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import { at, read } from "../support/deployments/bundle-checks.ts";
import { machine, runningMachine } from "../support/deployments/machine.ts";

const addressEnv = "opt/livekit/state/address.env";
/** LiveKit's environment where the metadata name the address: STUN is not asked then. */
const publicAddressEnv = "NODE_IP=203.0.113.5\nLIVEKIT_RTC_USE_EXTERNAL_IP=false\n";

vi.setConfig({ testTimeout: 60_000 });

const secretsShape =
  /^LIVEKIT_API_KEY=API[A-Za-z0-9]{12}\nLIVEKIT_API_SECRET=[A-Za-z0-9]{43}\nREDIS_PASSWORD=[A-Za-z0-9]{43}\n$/;

test("the first boot makes each secret once, for root only, and starts firewall before LiveKit", () => {
  using server = machine({ backups: { frequency: "daily" } });
  const { status, output } = server.run("first-boot", ["--boot", "docker.io", "nftables"]);
  expect(output).toContain("sudo livekit-deploy credentials");
  expect(status).toBe(0);
  expect(server.read("opt/livekit/secrets.env")).toMatch(secretsShape);
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(server.mode("opt/livekit/data/redis")).toBe("700");
  expect(server.mode("opt/livekit/out")).toBe("770");
  const calls = server.calls();
  expect(calls).toContain("chown 999:1000 data/redis");
  expect(calls).toContain("systemctl enable --now livekit-backup.timer");
  expect(calls.indexOf("livekit-firewall.service")).toBeLessThan(
    calls.indexOf("restart livekit.service"),
  );
});

test("at a later boot the first boot changes nothing", () => {
  using server = machine();
  server.run("first-boot", ["--boot"]);
  const secrets = server.read("opt/livekit/secrets.env");
  server.forget();
  const { status, output } = server.run("first-boot", ["--boot", "docker.io"]);
  expect([status, output]).toEqual([0, "This machine is ready already.\n"]);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(server.calls()).not.toContain("systemctl");
});

test("by hand the first boot applies a changed deployment to a running server", () => {
  using server = runningMachine();
  const secrets = server.read("opt/livekit/secrets.env");
  server.install({ monitoring: "advanced", backups: { frequency: "daily" } });
  const { status, output } = server.run("first-boot", ["docker.io", "age"]);
  expect(output).toContain(
    "Waiting for a quiet moment, 15 minutes at most; new rooms begin meanwhile.",
  );
  expect(status).toBe(0);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(server.mode("opt/livekit/data/prometheus")).toBe("700");
  const calls = server.calls();
  const steps = [
    "chown 65534:65534 data/prometheus",
    "install -y -q docker.io age",
    "systemctl daemon-reload",
    "systemctl reload-or-restart livekit-firewall.service",
    "systemctl enable --now livekit-backup.timer",
    "systemctl reload livekit.service",
    "docker run --rm -i --network none",
    "docker compose stop livekit",
    "docker compose up -d",
  ].map((step) => calls.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(server.controlContent("running/prometheus")).toContain("prom/prometheus:");
  expect(server.isSet("cut-off")).toBe(false);
});

test("by hand the first boot starts a LiveKit that does not run", () => {
  using server = runningMachine();
  server.systemctl("stop", "livekit.service");
  server.forget();
  expect(server.run("first-boot", ["docker.io"]).status).toBe(0);
  expect(server.calls()).toContain("systemctl restart livekit.service");
});

test("a first boot that was cut off after its secrets goes on with the same ones", () => {
  using server = machine();
  server.set("firewall-fails");
  const cut = server.run("first-boot");
  expect(cut.status).toBe(1);
  expect(cut.output).toContain("The firewall could not be loaded, so LiveKit was not started.");
  expect(server.calls()).not.toContain("start livekit.service");
  server.set("no-firewall");
  expect(server.run("before-start").output).toContain(
    "Without its firewall LiveKit does not start",
  );
  server.unset("no-firewall");
  const secrets = server.read("opt/livekit/secrets.env");
  server.unset("firewall-fails");
  expect(server.run("first-boot").status).toBe(0);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
});

test("Amazon Linux refuses a Docker Compose whose checksum is wrong", () => {
  using server = machine({ system: "amazon-linux-2023" });
  server.waitsAtOnce();
  server.set("no-docker");
  const { status, output } = server.run("first-boot", ["docker"]);
  expect(output).toContain("is not the file that was pinned.");
  expect(status).toBe(1);
  expect(server.has("usr/local/lib/docker/cli-plugins/docker-compose")).toBe(false);
});

test("with an external Redis the first boot asks for its password instead of waiting in vain", () => {
  using server = machine({ redis: { kind: "external", address: "redis.example.net:6379" } });
  const { status, output } = server.run("first-boot", ["--boot"]);
  expect(status).toBe(0);
  expect(output).toContain("sudo livekit-deploy set redis-password");
  expect(output).toContain("sudo livekit-deploy restart");
  expect(server.read("opt/livekit/secrets.env")).not.toContain("REDIS_PASSWORD");
  expect(server.calls()).toContain("systemctl enable livekit.service");
  expect(server.calls()).not.toContain("start livekit.service");
  // What it says works on a unit that is not active; a reload would be refused.
  const typed = server.run("livekit-deploy", ["set", "redis-password"], "abc\n");
  const [, verb = ""] = /sudo livekit-deploy (\S+)/.exec(typed.output) ?? [];
  expect(server.run("livekit-deploy", [verb])).toMatchObject({ status: 0 });
  expect(server.isSet("running/livekit")).toBe(true);
  expect(server.run("first-boot").output).toContain("Waiting for a quiet moment");
});

test("a restart of Docker or of the firewall ends no call", () => {
  using server = runningMachine();
  for (const unit of ["docker.service", "livekit-firewall.service"])
    expect(server.systemctl("restart", unit)).toBe(0);
  expect(server.calls()).not.toContain("compose stop");
});

test("the public address is asked at every start, from every provider's metadata", () => {
  for (const provider of providerIds.filter((one) => one !== "other" && one !== "oracle")) {
    using server = machine({ provider });
    expect(server.run("before-start").status, provider).toBe(0);
    expect(server.read(addressEnv)).toBe(publicAddressEnv);
  }
});

test("a start without metadata keeps the last known address", () => {
  using server = runningMachine();
  server.set("no-metadata");
  const { status, output } = server.run("before-start");
  expect(status).toBe(0);
  expect(output).toContain("the last known one stays");
  expect(server.read(addressEnv)).toBe(publicAddressEnv);
});

test("what a crash left of a restore or a backup, with its secrets, is gone after the next start", () => {
  using server = runningMachine();
  const left = [
    "opt/livekit/state/restore-stage/files",
    "opt/livekit/state/backup-scratch",
    "var/backups/livekit/.partial/files",
  ];
  for (const folder of left) server.write(`${folder}/secrets.env`, "LIVEKIT_API_SECRET='x'");
  expect(server.run("before-start").status).toBe(0);
  for (const folder of left) expect(server.has(folder)).toBe(false);
});

test("a full disk stops no start, whether the address stayed or not", () => {
  using server = runningMachine({ agent: { kind: "image", image: "registry.example.com/a:7" } });
  server.command("sync", "exit 1");
  expect(server.run("before-start")).toEqual({ status: 0, output: "" });
  expect(server.read(addressEnv)).toBe(publicAddressEnv);
  const earlier = publicAddressEnv.replace("203.0.113.5", "203.0.113.6");
  server.write(addressEnv, earlier);
  const { status, output } = server.run("before-start");
  expect(output).toContain("The public address could not be stored.");
  expect(status).toBe(0);
  expect(server.read(addressEnv)).toBe(earlier);
});

test("where nothing supplies the address, the start and the README say how to write it", () => {
  const lines = "NODE_IP=ADDRESS\nLIVEKIT_RTC_USE_EXTERNAL_IP=false\n";
  for (const provider of providerIds) {
    using server = machine({ provider });
    const explains = provider === "other" || provider === "oracle";
    expect(server.run("before-start").output.includes(lines), provider).toBe(explains);
    const { files } = bundle(optionsFrom({ domain: "livekit.example.com", provider }));
    const readme = files.find(({ path }) => path === "README.md");
    expect(readme?.content.includes(lines), provider).toBe(explains);
  }
});

test("a machine whose metadata never named an address starts, and LiveKit asks STUN", () => {
  using server = machine();
  server.set("no-metadata");
  expect(server.run("before-start").status).toBe(0);
  expect(server.read(addressEnv)).toBe("");
  const compose = read(server.read("opt/livekit/docker-compose.yaml"));
  expect(at(compose, "services.livekit.env_file")).toEqual(["secrets.env", "state/address.env"]);
});

test("livekit-deploy wants root, and answers nonsense with its usage", () => {
  using server = runningMachine();
  expect(server.run("livekit-deploy", ["explode"])).toMatchObject({ status: 64 });
  expect(server.run("livekit-deploy", ["status"]).output).toContain("livekit/livekit-server:");
  server.command("id", "echo 1000");
  expect(server.run("livekit-deploy", ["credentials"])).toEqual({
    status: 77,
    output: "Run it with sudo.\n",
  });
});
