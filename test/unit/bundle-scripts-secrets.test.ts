import { spawnSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { at, yamlProblems } from "../fixtures/bundle-checks.ts";
import { runningMachine } from "../fixtures/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

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
