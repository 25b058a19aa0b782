import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { at, yamlProblems } from "../fixtures/bundle-checks.ts";
import { machine, runningMachine } from "../fixtures/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const secretsShape =
  /^LIVEKIT_API_KEY=API[A-Za-z0-9]{12}\nLIVEKIT_API_SECRET=[A-Za-z0-9]{43}\nREDIS_PASSWORD=[A-Za-z0-9]{43}\n$/;

test("the first boot makes each secret once, for root only, and starts firewall before LiveKit", () => {
  using server = machine({ backups: { frequency: "daily" } });
  const { status, said } = server.run("first-boot", ["--boot", "docker.io", "nftables"]);
  expect(said).toContain("sudo livekit-deploy credentials");
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
  expect(calls).not.toContain("apt-get");
});

test("at a later boot the first boot changes nothing", () => {
  using server = machine();
  server.run("first-boot", ["--boot"]);
  const secrets = server.read("opt/livekit/secrets.env");
  server.forget();
  const { status, said } = server.run("first-boot", ["--boot", "docker.io"]);
  expect([status, said]).toEqual([0, "This machine is ready already.\n"]);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(server.calls()).not.toContain("systemctl");
});

test("by hand the first boot applies a changed deployment to a running server", () => {
  using server = runningMachine();
  const secrets = server.read("opt/livekit/secrets.env");
  server.install({ monitoring: "advanced", backups: { frequency: "daily" } });
  const { status, said } = server.run("first-boot", ["docker.io", "age"]);
  expect(said).toContain("Running calls end first, for an hour at most.");
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
    "docker compose stop livekit",
    "docker compose up -d",
  ].map((step) => calls.indexOf(step));
  expect(steps).not.toContain(-1);
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(server.told("running/prometheus")).toContain("prom/prometheus:");
  expect(server.isSet("cut-off")).toBe(false);
});

test("by hand the first boot starts a LiveKit that does not run, and says when packages are missing", () => {
  using server = runningMachine();
  server.systemctl("stop", "livekit.service");
  server.set("packages-fail");
  expect(server.run("first-boot", ["docker.io"])).toMatchObject({ status: 1 });
  expect(server.run("first-boot", ["docker.io"]).said).toContain(
    "Packages could not be installed. Run it again.",
  );
  server.unset("packages-fail");
  server.forget();
  expect(server.run("first-boot", ["docker.io"]).status).toBe(0);
  expect(server.calls()).toContain("systemctl restart livekit.service");
});

test("a first boot that was cut off after its secrets goes on with the same ones", () => {
  using server = machine();
  server.set("firewall-fails");
  const cut = server.run("first-boot");
  expect(cut.status).toBe(1);
  expect(cut.said).toContain("The firewall could not be loaded, so LiveKit was not started.");
  expect(server.calls()).not.toContain("start livekit.service");
  server.set("no-firewall");
  expect(server.run("before-start").said).toContain("Without its firewall LiveKit does not start");
  server.unset("no-firewall");
  const secrets = server.read("opt/livekit/secrets.env");
  server.unset("firewall-fails");
  expect(server.run("first-boot").status).toBe(0);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
});

test("without a network the first boot says so, and the next boot finishes it", () => {
  using server = machine();
  server.set("no-docker");
  server.set("packages-fail");
  const { status, said } = server.run("first-boot", ["--boot", "docker.io"]);
  expect(said).toContain("Packages could not be installed. The next boot tries again.");
  expect(status).toBe(1);
  server.unset("packages-fail");
  expect(server.run("first-boot", ["--boot", "docker.io"]).status).toBe(0);
  expect(server.calls()).toContain("install -y -q docker.io");
});

test("Amazon Linux refuses a Docker Compose whose checksum is wrong", () => {
  using server = machine({ system: "amazon-linux-2023" });
  server.set("no-docker");
  const { status, said } = server.run("first-boot", ["docker"]);
  expect(said).toContain("is not the file that was pinned.");
  expect(status).toBe(1);
  expect(server.has("usr/local/lib/docker/cli-plugins/docker-compose")).toBe(false);
});

test("with an external Redis the first boot asks for its password instead of waiting in vain", () => {
  using server = machine({ redis: { kind: "external", address: "redis.example.net:6379" } });
  const { status, said } = server.run("first-boot", ["--boot"]);
  expect(status).toBe(0);
  expect(said).toContain("sudo livekit-deploy set redis-password");
  expect(said).toContain("sudo systemctl restart livekit");
  expect(server.read("opt/livekit/secrets.env")).not.toContain("REDIS_PASSWORD");
  expect(server.calls()).toContain("systemctl enable livekit.service");
  expect(server.calls()).not.toContain("start livekit.service");
  // What it says works on a unit that is not active; a reload would be refused.
  const typed = server.run("livekit-deploy", ["set", "redis-password"], "abc\n");
  const [, verb = ""] = /sudo systemctl (\S+) livekit/.exec(typed.said) ?? [];
  expect(server.systemctl(verb, "livekit.service")).toBe(0);
  expect(server.isSet("running/livekit")).toBe(true);
  expect(server.run("first-boot").said).toContain("Running calls end first");
});

test("a restart of Docker or of the firewall ends no call", () => {
  using server = runningMachine();
  for (const unit of ["docker.service", "livekit-firewall.service"])
    expect(server.systemctl("restart", unit)).toBe(0);
  expect(server.calls()).not.toContain("compose stop");
});

test("the public address is asked at every start, from every provider's metadata", () => {
  for (const provider of ["aws", "azure", "digital-ocean", "google-cloud"]) {
    using server = machine({ provider });
    expect(server.run("before-start").status, provider).toBe(0);
    expect(server.read("opt/livekit/state/public-address")).toBe("203.0.113.5\n");
  }
});

test("a start without metadata keeps the last known address", () => {
  using server = runningMachine();
  server.set("no-metadata");
  const { status, said } = server.run("before-start");
  expect(status).toBe(0);
  expect(said).toContain("the last known one stays");
  expect(server.read("opt/livekit/state/public-address")).toBe("203.0.113.5\n");
});

test("credentials show the address, the key and the secret", () => {
  using server = runningMachine();
  const { said } = server.run("livekit-deploy", ["credentials"]);
  expect(said).toMatch(
    /^URL {8}wss:\/\/livekit\.example\.com\nAPI key {4}API\w{12}\nAPI secret \w{43}\n$/,
  );
});

test("a typed Redis password replaces the old one, and hostile ones are refused", () => {
  using server = runningMachine();
  const before = server.read("opt/livekit/secrets.env");
  for (const hostile of ["", "a'b", "a b", "a\\b", "pä", "a\tb"]) {
    const { status, said } = server.run(
      "livekit-deploy",
      ["set", "redis-password"],
      `${hostile}\n`,
    );
    expect(status, hostile).toBe(1);
    expect(said).toContain("Nothing was changed.");
  }
  expect(server.read("opt/livekit/secrets.env")).toBe(before);
  const typed = '$x`id`$(id)#;&*!"=';
  const { status, said } = server.run("livekit-deploy", ["set", "redis-password"], `${typed}\n`);
  expect(said).toContain("sudo systemctl restart livekit");
  expect(status).toBe(0);
  const after = server.read("opt/livekit/secrets.env");
  expect(after).toContain(`REDIS_PASSWORD='${typed}'\n`);
  expect(after.match(/REDIS_PASSWORD/g)).toHaveLength(1);
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(said).not.toContain(typed);
});

test("a password that can be typed reaches Redis and its clients whole", () => {
  using server = runningMachine({ ingress: "rtmp", recording: { kind: "local" } });
  const typed = '$x`id`$(id)#;&*!"=';
  const compose: unknown = parse(server.read("opt/livekit/docker-compose.yaml"));
  /** What a container's start hands to its program. */
  const handed = (service: string, program: string, shown: string) => {
    const script = String(at(compose, `services.${service}.entrypoint.2`))
      .replaceAll("$$", "$")
      .replaceAll("/etc/", `${server.path("opt/livekit")}/`)
      .replace(`exec ${program}`, shown);
    const environment = { ...process.env, REDIS_PASSWORD: typed };
    return spawnSync("dash", ["-c", script], { encoding: "utf8", env: environment }).stdout;
  };
  // In single quotes Redis takes everything but a quote and a backslash as it is, and nobody can type those.
  expect(handed("redis", "redis-server -", "cat")).toContain(`\nrequirepass '${typed}'\n`);
  const egress = handed("egress", "/entrypoint.sh", 'printf %s "$EGRESS_CONFIG_BODY"');
  const ingress = handed("ingress", "ingress", 'printf %s "$INGRESS_CONFIG_BODY"');
  for (const body of [egress, ingress]) {
    expect(yamlProblems(body)).toEqual([]);
    expect(at(parse(body), "redis")).toEqual({ address: "localhost:6379", password: typed });
  }
});

test("storage keys are typed for S3, and read from Google's key file", () => {
  using s3 = runningMachine({ recording: { kind: "s3", bucket: "rec", region: "eu-west-1" } });
  s3.run("livekit-deploy", ["set", "storage-keys"], "AKIA1\nabc/+=\n");
  expect(s3.read("opt/livekit/secrets.env")).toContain(
    "S3_ACCESS_KEY='AKIA1'\nS3_SECRET='abc/+='\n",
  );
  using google = runningMachine({ recording: { kind: "gcs", bucket: "rec" } });
  google.write("key.json", '{"a": 1}');
  expect(google.run("livekit-deploy", ["set", "storage-keys"]).status).toBe(64);
  google.run("livekit-deploy", ["set", "storage-keys", google.path("key.json")]);
  expect(google.read("opt/livekit/secrets.env")).toContain(`GCS_CREDENTIALS='${btoa('{"a": 1}')}'`);
});

test("rotating makes a new API key and secret, and leaves the rest", () => {
  using server = runningMachine();
  const line = (name: string) =>
    new RegExp(`^${name}=.*$`, "m").exec(server.read("opt/livekit/secrets.env"))?.[0];
  const [key, secret, password] = ["LIVEKIT_API_KEY", "LIVEKIT_API_SECRET", "REDIS_PASSWORD"].map(
    line,
  );
  expect(server.run("livekit-deploy", ["rotate", "api-key"]).status).toBe(0);
  expect(line("LIVEKIT_API_KEY")).not.toBe(key);
  expect(line("LIVEKIT_API_SECRET")).not.toBe(secret);
  expect(line("REDIS_PASSWORD")).toBe(password);
});

test("livekit-deploy wants root, and answers nonsense with its usage", () => {
  using server = runningMachine();
  expect(server.run("livekit-deploy", ["explode"])).toMatchObject({ status: 64 });
  expect(server.run("livekit-deploy", ["status"]).said).toContain("livekit/livekit-server:");
  server.command("id", "echo 1000");
  expect(server.run("livekit-deploy", ["credentials"])).toEqual({
    status: 77,
    said: "Run it with sudo.\n",
  });
});

const everything = {
  monitoring: "24/7",
  alertUrl: "https://alerts.example.com/hook",
  backups: { frequency: "daily" },
};

test("the doctor finds nothing wrong with a machine that works", () => {
  using server = runningMachine(everything);
  const { status, said } = server.run("doctor");
  expect(said).not.toMatch(/^(WARN|FAIL)/m);
  expect(said).toMatch(/^ok +DNS turn\.livekit\.example\.com +203\.0\.113\.5$/m);
  expect(said).toMatch(/^ok +certificate livekit\.example\.com +60 days left$/m);
  expect(said).toMatch(/^ok +TURN over TLS/m);
  expect(said).toMatch(/^ok +TURN over UDP/m);
  expect(said).toContain("All well.");
  expect(status).toBe(0);
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, said: "" });
});

const faults: [what: string, set: string, content: string, status: 1 | 2, row: RegExp][] = [
  [
    "a name without an address",
    "address-turn.livekit.example.com",
    "",
    2,
    /FAIL +DNS turn.*no address/,
  ],
  [
    "a name that points elsewhere",
    "address-livekit.example.com",
    "198.51.100.1 STREAM\n",
    2,
    /FAIL +DNS livekit.*not to 203\.0\.113\.5/,
  ],
  [
    "a port without a listener",
    "listening-tcp",
    "LISTEN 0 0 *:443 *:*\n",
    2,
    /FAIL +port 7881\/tcp +nobody listens/,
  ],
  ["UDP without a listener", "listening-udp", "", 2, /FAIL +port 3478\/udp +nobody listens/],
  [
    "a firewall that is not loaded",
    "no-firewall",
    "",
    2,
    /FAIL +firewall.*\n.*reload-or-restart livekit-firewall/,
  ],
  [
    "a certificate that was not issued",
    "no-certificate-livekit.example.com",
    "",
    2,
    /FAIL +certificate livekit/,
  ],
  [
    "TURN without a certificate",
    "no-certificate-turn.livekit.example.com",
    "",
    2,
    /FAIL +TURN over TLS/,
  ],
  [
    "a certificate that should have been renewed",
    "certificate-days",
    "10",
    1,
    /WARN +certificate.*10 days left/,
  ],
  ["a certificate that runs out", "certificate-days", "1", 2, /FAIL +certificate.*1 days left/],
  [
    "an unhealthy container",
    "condition-redis",
    "running unhealthy",
    2,
    /FAIL +service redis +running unhealthy/,
  ],
  [
    "a container that starts",
    "condition-livekit",
    "running starting",
    1,
    /WARN +service livekit +starting/,
  ],
  ["LiveKit that does not answer", "livekit-silent", "", 2, /FAIL +LiveKit answers +no/],
  ["TURN/UDP that does not answer", "no-stun", "", 2, /FAIL +TURN over UDP/],
  ["a disk that fills", "disk-used", "90", 1, /WARN +disk +90 % used/],
  ["a full disk", "disk-used", "97", 2, /FAIL +disk +97 % used/],
  ["a clock that nobody sets", "no-time", "", 1, /WARN +clock/],
  [
    "an alert of Prometheus",
    "firing",
    '{"data":{"result":[{"metric":{"alertname":"DiskFull"}}]}}',
    2,
    /FAIL +alerts +DiskFull/,
  ],
  ["a silent Prometheus", "prometheus-silent", "", 1, /WARN +alerts/],
];

test("the doctor tells of every fault, the next step, and how bad it is by its exit status", () => {
  using server = runningMachine(everything);
  for (const [what, set, content, expected, row] of faults) {
    const before = server.isSet(set) ? server.told(set) : undefined;
    server.set(set, content);
    const { status, said } = server.run("doctor", ["--quiet"]);
    expect(said, what).toMatch(row);
    expect(said, what).toMatch(/^ +next: \S/m);
    expect(status, what).toBe(expected);
    if (before === undefined) server.unset(set);
    else server.set(set, before);
  }
});

test("the doctor tells of readable secrets, interrupted work, late backups and Redis beyond the machine", () => {
  using server = runningMachine(everything);
  spawnSync("chmod", ["644", server.path("opt/livekit/secrets.env")]);
  expect(server.run("doctor").said).toMatch(/FAIL +secrets\.env +others may read it/);
  spawnSync("chmod", ["600", server.path("opt/livekit/secrets.env")]);
  server.write("opt/livekit/state/updating", "");
  expect(server.run("doctor")).toMatchObject({ status: 1 });
  spawnSync("rm", [server.path("opt/livekit/state/updating")]);
  spawnSync("touch", ["-d", "-4 days", server.path("opt/livekit/state/first-boot-done")]);
  expect(server.run("doctor").said).toMatch(/WARN +backup +none in the last 2 days/);
  server.run("backup");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  server.add("listening-tcp", "LISTEN 0 511 0.0.0.0:6379 0.0.0.0:*\n");
  expect(server.run("doctor").said).toMatch(/WARN +port 6379\/tcp +listens beyond/);
});

test("behind an existing proxy the doctor asks Caddy's own ports", () => {
  using server = runningMachine({ proxy: "existing" });
  expect(server.run("doctor").said).toMatch(/FAIL +port 8443\/tcp/);
  server.add("listening-tcp", "L 0 0 127.0.0.1:8443 *:*\n");
  expect(server.run("doctor")).toMatchObject({ status: 0 });
  expect(server.calls()).toContain("-connect 127.0.0.1:8443");
});

test("the doctor's binding request is one that a STUN server understands", async () => {
  using server = runningMachine();
  const stun = createSocket("udp4");
  stun.bind(0, "127.0.0.1");
  await once(stun, "listening");
  const asked = once(stun, "message");
  stun.on("message", (_, from) => stun.send(Buffer.from([1, 1, 0, 0]), from.port, from.address));
  server.command("timeout", 'exec /usr/bin/timeout "$@"');
  const child = server.start("doctor", [], { TURN_UDP_PORT: String(stun.address().port) });
  let said = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  child.stderr.resume();
  const [message] = await Promise.race([asked, once(child, "close").then(() => [undefined])]);
  await once(child, "close").catch(() => undefined);
  stun.close();
  expect(message).toEqual(
    Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), Buffer.from("livekitdoctr")]),
  );
  expect(said).toMatch(/ok +TURN over UDP/);
});

test("health tells the alert address only when the state changes, and again when it did not get through", () => {
  using server = runningMachine(everything);
  expect(server.run("health").status).toBe(0);
  expect(server.isSet("alerts")).toBe(false);
  server.set("disk-used", "97");
  server.set("alert-fails");
  expect(server.run("health")).toMatchObject({ status: 1 });
  server.unset("alert-fails");
  expect(server.run("health").status).toBe(0);
  expect(server.run("health").status).toBe(0);
  server.unset("disk-used");
  server.run("health");
  const alerts = server
    .told("alerts")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(alerts).toMatchObject([
    { deployment: "livekit.example.com", state: "failure", before: "ok" },
    { state: "failure", before: "ok" },
    { state: "ok", before: "failure" },
  ]);
  expect(alerts[1].report).toContain("97 % used\n");
});
