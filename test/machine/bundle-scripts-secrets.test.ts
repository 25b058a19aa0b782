import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { at, yamlProblems } from "../support/deployments/bundle-checks.ts";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  runningMachine,
} from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

test("credentials show the address, the key and the secret", () => {
  using server = runningMachine();
  const { output } = server.run("livekit-deploy", ["credentials"]);
  expect(output).toMatch(
    /^URL {8}wss:\/\/livekit\.example\.com\nAPI key {4}API\w{12}\nAPI secret \w{43}\n$/,
  );
});

test("a typed Redis password replaces the old one, and hostile ones are refused", () => {
  using server = runningMachine();
  const before = server.read("opt/livekit/secrets.env");
  for (const hostile of ["", "a'b", "a b", "a\\b", "pä", "a\tb"]) {
    const { status, output } = server.run(
      "livekit-deploy",
      ["set", "redis-password"],
      `${hostile}\n`,
    );
    expect(status, hostile).toBe(1);
    expect(output).toContain("Nothing was changed.");
  }
  expect(server.read("opt/livekit/secrets.env")).toBe(before);
  const typed = '$x`id`$(id)#;&*!"=';
  const { status, output } = server.run("livekit-deploy", ["set", "redis-password"], `${typed}\n`);
  expect(output).toContain("sudo livekit-deploy restart");
  expect(status).toBe(0);
  const after = server.read("opt/livekit/secrets.env");
  expect(after).toContain(`REDIS_PASSWORD='${typed}'\n`);
  expect(after.match(/REDIS_PASSWORD/g)).toHaveLength(1);
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(output).not.toContain(typed);
  // As stores of secrets print it.
  expect(server.run("livekit-deploy", ["set", "redis-password"], "piped")).toMatchObject({
    status: 0,
  });
  expect(server.read("opt/livekit/secrets.env")).toContain("REDIS_PASSWORD='piped'\n");
});

test("a key that apps have is typed, the secret is shown nowhere, and one that no configuration could hold is refused", () => {
  using server = runningMachine();
  const before = server.read("opt/livekit/secrets.env");
  const type = (key: string, secret: string) =>
    server.run("livekit-deploy", ["set", "api-key"], `${key}\n${secret}\n`);
  for (const [key, secret] of [
    ["", "x"],
    ["APItheirs", ""],
    ["APItheirs", "a#b"],
    ["API: x", "y"],
    ["APItheirs", '"a"'],
  ] as const) {
    const { status, output } = type(key, secret);
    expect(status).toBeGreaterThan(0);
    expect(output).toContain("Nothing was changed.");
  }
  expect(server.read("opt/livekit/secrets.env")).toBe(before);
  const { status, output } = type("APItheirs", "their-secret_1234567890123456789012345678");
  expect(status).toBe(0);
  expect(output).toContain("sudo livekit-deploy restart");
  expect(output).not.toContain("their-secret");
  expect(server.read("opt/livekit/secrets.env")).toMatch(
    /^LIVEKIT_API_KEY='APItheirs'\nLIVEKIT_API_SECRET='their-secret_1234567890123456789012345678'\n/m,
  );
  expect(server.run("livekit-deploy", ["credentials"]).output).toContain("APItheirs");
});

test("a password that can be typed reaches Redis and its clients whole", () => {
  using server = runningMachine({ ingress: "rtmp", recording: { kind: "local" } });
  const typed = '$x`id`$(id)#;&*!"=';
  const compose: unknown = parse(server.read("opt/livekit/docker-compose.yaml"));
  /** What a container's start hands to its program. */
  const handed = (service: string, program: string, replacement: string) => {
    const script = String(at(compose, `services.${service}.entrypoint.2`))
      .replaceAll("$$", "$")
      .replaceAll("/etc/", `${server.path("opt/livekit")}/`)
      .replace(`exec ${program}`, replacement);
    const environment = { ...process.env, REDIS_PASSWORD: typed };
    return spawnSync("dash", ["-c", script], { encoding: "utf8", env: environment }).stdout;
  };
  // In single quotes Redis takes everything but a quote and a backslash as it is, and nobody can type those.
  expect(handed("redis", "redis-server -", "cat")).toContain(`\nrequirepass '${typed}'\n`);
  const egress = handed("egress", "/entrypoint.sh", 'printf %s "$EGRESS_CONFIG_BODY"');
  const ingress = handed("ingress", "ingress", 'printf %s "$INGRESS_CONFIG_BODY"');
  for (const body of [egress, ingress]) {
    expect(yamlProblems(body)).toEqual([]);
    expect(at(parse(body), "redis")).toEqual({ address: "127.0.0.1:6379", password: typed });
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

/** What stands in secrets.env under a name. */
function secretOf(server: Machine, name: string): string | undefined {
  return new RegExp(`^${name}='?(.*?)'?$`, "m").exec(server.read("opt/livekit/secrets.env"))?.[1];
}

/** The pairs that LiveKit's container starts with, as LiveKit reads them: a YAML map. */
function acceptedPairs(server: Machine): unknown {
  const compose: unknown = parse(server.read("opt/livekit/docker-compose.yaml"));
  const script = String(at(compose, "services.livekit.entrypoint.2"))
    .replaceAll("$$", "$")
    .replace("exec /livekit-server", "exec sh -c 'printf %s \"$LIVEKIT_KEYS\"' ignored");
  const lines = server.read("opt/livekit/secrets.env").replaceAll("'", "").trim().split("\n");
  const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
  return parse(
    spawnSync("dash", ["-c", script], { encoding: "utf8", env: { ...process.env, ...env } }).stdout,
  );
}

test("a rotation keeps the old key beside the new one until it is finished, and leaves the rest", () => {
  using server = runningMachine();
  const [key = "", secret, password] = [
    "LIVEKIT_API_KEY",
    "LIVEKIT_API_SECRET",
    "REDIS_PASSWORD",
  ].map((name) => secretOf(server, name));
  expect(acceptedPairs(server)).toEqual({ [key]: secret });
  const begun = server.run("livekit-deploy", ["rotate", "api-key"]);
  expect(begun.status).toBe(0);
  expect(begun.output).toContain("LiveKit takes both from its next restart on");
  const [newKey = "", newSecret] = ["LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"].map((name) =>
    secretOf(server, name),
  );
  expect(newKey).toMatch(/^API\w{12}$/);
  expect(newKey).not.toBe(key);
  expect(newSecret).not.toBe(secret);
  expect(secretOf(server, "REDIS_PASSWORD")).toBe(password);
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(acceptedPairs(server)).toEqual({ [key]: secret, [newKey]: newSecret });
  server.systemctl("restart", "livekit.service");
  expect(server.run("livekit-deploy", ["rotate", "finish"]).status).toBe(0);
  expect(acceptedPairs(server)).toEqual({ [newKey]: newSecret });
  expect(secretOf(server, "REDIS_PASSWORD")).toBe(password);
});

test("a rotation is finished only once LiveKit takes the new key, and one ends before the next", () => {
  using server = runningMachine();
  const rotate = (what: string) => server.run("livekit-deploy", ["rotate", what]);
  expect(rotate("finish")).toMatchObject({
    status: 1,
    output: expect.stringContaining("No rotation"),
  });
  rotate("api-key");
  const during = server.read("opt/livekit/secrets.env");
  const again = rotate("api-key");
  expect(again.status).toBe(1);
  expect(again.output).toContain("First: sudo livekit-deploy rotate finish. Nothing was changed.");
  const early = rotate("finish");
  expect(early.status).toBe(1);
  expect(early.output).toContain("First: sudo livekit-deploy restart. Nothing was changed.");
  expect(server.read("opt/livekit/secrets.env")).toBe(during);
  server.systemctl("restart", "livekit.service");
  expect(rotate("finish").status).toBe(0);
  expect(rotate("api-key").status).toBe(0);
});

test("credentials distinguish the old key from the new one, and say which of them LiveKit takes", () => {
  using server = runningMachine();
  const old = secretOf(server, "LIVEKIT_API_KEY");
  server.run("livekit-deploy", ["rotate", "api-key"]);
  const credentials = () => server.run("livekit-deploy", ["credentials"]).output;
  expect(credentials()).toContain(`API key    ${secretOf(server, "LIVEKIT_API_KEY")}\n`);
  expect(credentials()).toContain(`Old key    ${old}\n`);
  expect(credentials()).toContain(
    "LiveKit takes the old key only, until: sudo livekit-deploy restart",
  );
  server.systemctl("restart", "livekit.service");
  expect(credentials()).toContain("LiveKit takes both, until: sudo livekit-deploy rotate finish");
  server.run("livekit-deploy", ["rotate", "finish"]);
  expect(credentials()).not.toMatch(/old/i);
});

test("a rotation that a crash cut off loses no key, and goes on where it was", () => {
  using server = runningMachine();
  const [key, secret] = ["LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"].map((name) =>
    secretOf(server, name),
  );
  // No random bytes: the new pair cannot be made.
  server.command("tr", "exit 1");
  expect(server.run("livekit-deploy", ["rotate", "api-key"]).status).not.toBe(0);
  server.command("tr", 'exec /usr/bin/tr "$@"');
  expect(secretOf(server, "LIVEKIT_OLD_API_KEY")).toBe(key);
  expect(secretOf(server, "LIVEKIT_OLD_API_SECRET")).toBe(secret);
  expect(server.run("livekit-deploy", ["rotate", "api-key"]).status).toBe(0);
  expect(secretOf(server, "LIVEKIT_API_KEY")).toMatch(/^API\w{12}$/);
  expect(secretOf(server, "LIVEKIT_OLD_API_KEY")).toBe(key);
  // A start in between does the same.
  expect(server.run("before-start").status).toBe(0);
  expect(server.read("opt/livekit/secrets.env").match(/LIVEKIT_/g)).toHaveLength(4);
});

test("a backup in the middle of a rotation brings both keys back", () => {
  using server = runningMachine();
  server.run("livekit-deploy", ["rotate", "api-key"]);
  const during = server.read("opt/livekit/secrets.env");
  server.run("livekit-deploy", ["backup"]);
  server.systemctl("restart", "livekit.service");
  server.run("livekit-deploy", ["rotate", "finish"]);
  const [made = ""] = backupsOn(server);
  const { status } = server.run("livekit-deploy", [
    "restore",
    server.path(`${backupsFolder}/${made}`),
  ]);
  expect(status).toBe(0);
  expect(server.read("opt/livekit/secrets.env")).toBe(during);
});

const webhooks = ["https://hooks.example.com/livekit"];

test("webhooks are signed with a key of their own, which a rotation leaves as it is", () => {
  using server = runningMachine({ webhooks });
  const secret = secretOf(server, "WEBHOOK_SECRET");
  expect(secret).toMatch(/^\w{43}$/);
  expect(parse(server.read("opt/livekit/livekit.yaml"))).toMatchObject({
    webhook: { api_key: "webhooks", urls: webhooks },
  });
  expect(acceptedPairs(server)).toMatchObject({ webhooks: secret });
  server.run("livekit-deploy", ["rotate", "api-key"]);
  expect(Object.keys(Object(acceptedPairs(server)))).toHaveLength(3);
  server.systemctl("restart", "livekit.service");
  server.run("livekit-deploy", ["rotate", "finish"]);
  expect(acceptedPairs(server)).toMatchObject({ webhooks: secret });
  expect(server.run("livekit-deploy", ["credentials"]).output).toContain(
    `Webhooks are signed with the key webhooks\nIts secret ${secret}\n`,
  );
});

test("a machine that runs gets the secret of webhooks with its next start, and none without webhooks", () => {
  using server = runningMachine();
  const before = server.read("opt/livekit/secrets.env");
  server.install({ webhooks });
  expect(server.run("before-start").status).toBe(0);
  const after = server.read("opt/livekit/secrets.env");
  expect(after).toMatch(/\nWEBHOOK_SECRET=\w{43}\n$/);
  expect(after.startsWith(before)).toBe(true);
  server.install({});
  // The key ends with the webhooks, and its secret waits for them.
  expect(acceptedPairs(server)).not.toHaveProperty("webhooks");
  expect(server.run("livekit-deploy", ["credentials"]).output).not.toContain("ebhook");
});
