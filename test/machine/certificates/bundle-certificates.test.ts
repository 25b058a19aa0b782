import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import {
  backupsFolder,
  backupsOn,
  type Machine,
  runningMachine,
} from "../../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const names = ["livekit.example.com", "turn.livekit.example.com"];
const given = "opt/livekit/data/caddy/given/certificate.pem";

function openssl(server: Machine, args: readonly string[]): void {
  const { status, stderr } = spawnSync("/usr/bin/openssl", args, {
    cwd: server.folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** A certificate for these names and its key, as `NAME.crt` and `NAME.key` in a folder. */
function issue(server: Machine, name: string, domains: readonly string[] = names) {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"];
  openssl(server, [
    ...["req", "-x509", ...key, "-keyout", `${name}.key`, "-out", `${name}.crt`],
    ...["-subj", "/CN=test", "-addext", `subjectAltName=${domains.map((each) => `DNS:${each}`)}`],
  ]);
  const read = (end: string) => readFileSync(`${server.folder}/${name}.${end}`, "utf8");
  return { certificate: read("crt"), key: read("key") };
}

const take = (server: Machine, ...files: string[]) =>
  server.run("livekit-deploy", ["certificate", ...files]);

test("a person's own certificate is taken with its key, and Caddy has it without a restart", () => {
  using server = runningMachine({ certificates: "files" });
  const { certificate, key } = issue(server, "one");
  server.forget();
  expect(take(server, "one.crt", "one.key")).toEqual({
    status: 0,
    output: "Taken: Caddy has it now, for TURN too.\n",
  });
  expect(server.read(given)).toBe(`${certificate}\n${key}`);
  expect(server.mode(given)).toBe("600");
  expect(server.controlContent("served")).toContain(certificate);
  expect(server.calls()).not.toMatch(/compose (up|stop)/);

  // A wildcard is for each name that it covers. A Caddy of before 2.11 is started anew.
  issue(server, "wild", ["livekit.example.com", "*.livekit.example.com"]);
  server.waitsAtOnce();
  server.set("caddy-ignores");
  expect(take(server, "wild.crt", "wild.key").status).toBe(0);
  expect(server.calls()).toContain("compose up -d --no-deps --force-recreate caddy");
});

test("a certificate that does not fit is refused, and the one in use stays", () => {
  using server = runningMachine({ certificates: "files" });
  issue(server, "one");
  take(server, "one.crt", "one.key");
  const before = server.read(given);
  issue(server, "other");
  issue(server, "few", ["livekit.example.com"]);
  openssl(server, ["pkey", "-in", "one.key", "-aes128", "-passout", "pass:x123", "-out", "locked"]);
  const refusals: [files: string[], reason: string][] = [
    [["one.crt", "other.key"], "The key does not belong to the certificate."],
    [["few.crt", "few.key"], "The certificate is not for turn.livekit.example.com."],
    [["one.key", "one.key"], `${server.folder}/one.key holds no certificate in PEM.`],
    [
      ["one.crt", "locked"],
      `${server.folder}/locked holds no key in PEM, or one with a passphrase.`,
    ],
    [["one.crt", "absent"], `${server.folder}/absent holds no key in PEM`],
  ];
  for (const [files, reason] of refusals) {
    const { status, output } = take(server, ...files);
    expect(output).toContain(reason);
    expect(output).toContain("Nothing was changed.");
    expect(status).toBe(1);
  }
  server.set("ended");
  expect(take(server, "one.crt", "one.key").output).toContain("The certificate has ended.");
  expect(take(server, "one.crt").status).toBe(64);
  expect(server.read(given)).toBe(before);
});

test("the doctor says when a person's own certificate ends, is refused, or does not belong to its key", () => {
  using server = runningMachine({ certificates: "files" });
  issue(server, "one");
  take(server, "one.crt", "one.key");
  const { key } = issue(server, "other");
  const doctor = () => server.run("doctor", ["--report"]).output.split("\n").slice(0, -1);
  expect(doctor()).toEqual([]);
  server.set("certificate-days", "10");
  const each = (line: string) => names.map((name) => line.replace("NAME", name));
  expect(doctor()).toEqual(each("cert.files.ending\twarning\tNAME\t10 days left\t"));
  server.set("certificate-days", "2");
  expect(doctor()).toEqual(each("cert.files\tcritical\tNAME\t2 days left\t"));
  server.unset("certificate-days");
  server.set("refused-certificate-turn.livekit.example.com", "62:hostname mismatch");
  expect(doctor()).toEqual(["cert.files\tcritical\tturn.livekit.example.com\thostname mismatch\t"]);
  server.unset("refused-certificate-turn.livekit.example.com");
  server.write(given, server.read(given).replace(/-----BEGIN PRIVATE KEY[\s\S]*/, key), 0o600);
  expect(doctor()).toEqual([
    "cert.files\tcritical\tlivekit.example.com\tThe key does not belong to the certificate.\t",
  ]);
});

test("by DNS: without credentials it says so, with them it has a certificate, and renews it", () => {
  using server = runningMachine({ certificates: "dns-route53", provider: "hetzner" });
  const sentence = "First: sudo livekit-deploy set dns-credentials";
  expect(take(server)).toMatchObject({ status: 1, output: expect.stringContaining(sentence) });
  const doctor = () => server.run("doctor", ["--report"]).output;
  expect(doctor()).toContain(
    "cert.dns.credentials\twarning\tdns.env\tAWS_SECRET_ACCESS_KEY is missing\t\n",
  );
  const put = (name: string) => {
    const { certificate, key } = issue(server, name);
    server.set("issued.crt", certificate);
    server.set("issued.key", key);
    return certificate;
  };
  const first = put("first");
  server.forget();
  const { status, output } = server.run(
    "livekit-deploy",
    ["set", "dns-credentials"],
    "AKTEST\na+secret/of=AWS\n",
  );
  expect(output).toContain("Taken: Caddy has it now");
  expect(status).toBe(0);
  expect(server.controlContent("served")).toContain(first);
  expect(server.mode("opt/livekit/dns.env")).toBe("600");
  // The names of the variables are arguments, which everybody may read, and their values are not.
  const lego = server
    .calls()
    .split("\n")
    .find((line) => line.startsWith("docker run"));
  expect(lego).toMatch(
    / -e AWS_ACCESS_KEY_ID -e AWS_SECRET_ACCESS_KEY -e AWS_REGION=us-east-1 goacme\/lego:v[\d.]+ --log\.format text run --path \/data --accept-tos --email you@example\.com --dns route53 --cert\.name certificate --force-cert-domains --no-random-sleep --domains livekit\.example\.com --domains turn\.livekit\.example\.com$/,
  );
  expect(server.calls()).not.toContain("a+secret");
  expect(server.controlContent("lego-environment")).toContain(
    "AWS_SECRET_ACCESS_KEY=a+secret/of=AWS\n",
  );
  expect(doctor()).toBe("");

  // The timer runs the same.
  server.forget();
  expect(server.run("certificate")).toEqual({
    status: 0,
    output: "The certificate is not due for renewal.\n",
  });
  expect(server.calls()).not.toContain("compose kill");
  const second = put("second");
  expect(server.run("certificate").status).toBe(0);
  expect(server.controlContent("served")).toContain(second);
});

test("by DNS: a renewal that fails changes nothing, and the doctor says why once it matters", () => {
  using server = runningMachine({ certificates: "dns-cloudflare" });
  server.write("opt/livekit/dns.env", "CF_DNS_API_TOKEN='t0ken'\n", 0o600);
  issue(server, "one");
  server.set("issued.crt", readFileSync(`${server.folder}/one.crt`, "utf8"));
  server.set("issued.key", readFileSync(`${server.folder}/one.key`, "utf8"));
  expect(server.run("certificate").status).toBe(0);
  const before = server.read(given);
  server.set(
    "lego-fails",
    'level=INFO msg="Renewing certificate"\nlevel=ERROR msg=Error error="cloudflare: \\"invalid token\\""\n',
  );
  const { status, output } = server.run("certificate");
  expect(output).toContain("cloudflare:");
  expect(output).toContain("No certificate was issued. Nothing was changed.");
  expect(status).toBe(1);
  expect(server.read(given)).toBe(before);
  expect(server.run("doctor", ["--quiet"])).toEqual({ status: 0, output: "" });
  server.set("certificate-days", "10");
  const report = server.run("doctor", ["--report"]).output;
  expect(report).toMatch(
    /^cert\.dns\.ending\twarning\tlivekit\.example\.com\t10 days left, it should have been renewed: cloudflare: "invalid token"\t$/m,
  );
  server.set("no-certificate-livekit.example.com");
  expect(server.run("doctor", ["--report"]).output).toMatch(
    /^cert\.dns\tcritical\tlivekit\.example\.com\tnone is shown: cloudflare: "invalid token"\t$/m,
  );
  server.unset("lego-fails");
  expect(server.run("certificate").status).toBe(0);
  expect(server.run("doctor", ["--report"]).output).not.toContain("invalid token");
});

test("what Caddy had got itself stays in use after a change, until another is taken", () => {
  using server = runningMachine();
  const caddys = "opt/livekit/data/caddy/certificates/acme-v02.api.letsencrypt.org-directory";
  for (const name of names)
    for (const end of ["crt", "key"])
      server.write(`${caddys}/${name}/${name}.${end}`, `${end} of ${name}\n`, 0o600);
  server.install({ certificates: "files" });
  expect(server.run("first-boot", ["--folders"]).status).toBe(0);
  for (const name of names) {
    const path = `opt/livekit/data/caddy/given/${name}.pem`;
    expect(server.read(path)).toBe(`crt of ${name}\nkey of ${name}\n`);
    expect(server.mode(path)).toBe("600");
  }
  issue(server, "one");
  expect(take(server, "one.crt", "one.key").status).toBe(0);
  for (const name of names)
    expect(server.has(`opt/livekit/data/caddy/given/${name}.pem`)).toBe(false);
  // Later boots bring back nothing.
  server.run("first-boot", ["--folders"]);
  expect(server.has(`opt/livekit/data/caddy/given/${names[0]}.pem`)).toBe(false);
});

test("a restore brings certificate and DNS credentials along", () => {
  using server = runningMachine({ certificates: "dns-cloudflare" });
  const obtain = (name: string, token: string) => {
    const { certificate, key } = issue(server, name);
    server.set("issued.crt", certificate);
    server.set("issued.key", key);
    server.write("opt/livekit/dns.env", `CF_DNS_API_TOKEN='${token}'\n`, 0o600);
    expect(server.run("certificate").status).toBe(0);
    return certificate;
  };
  const first = obtain("first", "t0ken");
  expect(server.run("livekit-deploy", ["backup"]).status).toBe(0);
  obtain("second", "later");
  const [name = ""] = backupsOn(server);
  const { status, output } = server.run("livekit-deploy", [
    "restore",
    server.path(`${backupsFolder}/${name}`),
    "--now",
  ]);
  expect(status, output).toBe(0);
  expect(server.read(given)).toContain(first);
  expect(server.read("opt/livekit/dns.env")).toBe("CF_DNS_API_TOKEN='t0ken'\n");
  expect(server.mode("opt/livekit/dns.env")).toBe("600");
});

test("where Caddy gets the certificates itself, none is taken", () => {
  using server = runningMachine();
  for (const command of [["certificate"], ["set", "dns-credentials"]]) {
    const { status, output } = server.run("livekit-deploy", command, "x\n");
    expect(output).toContain("Nothing was changed.");
    expect(status).toBeGreaterThan(0);
  }
  expect(server.has("opt/livekit/dns.env")).toBe(false);
});
