import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { hostileStrings } from "../../../support/deployments/hostile-strings.ts";

vi.setConfig({ testTimeout: 60_000 });

/** What `npm run bundle` gives to Node. */
const command = packageJson.scripts.bundle.split(" ").slice(1);

function run(folder: string, options: unknown) {
  const file = join(folder, "options.json");
  writeFileSync(file, typeof options === "string" ? options : JSON.stringify(options));
  return spawnSync(
    process.execPath,
    [...command, "--options", file, "--out", join(folder, "out")],
    {
      encoding: "utf8",
    },
  );
}

test("npm run bundle writes the same files as the site, with their modes", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  const typed = { domain: "livekit.example.com", email: "you@example.com" };
  const { status, stdout } = run(folder.path, typed);
  expect(status).toBe(0);
  for (const { path, content, installed } of bundle(optionsFrom(typed)).files) {
    const written = join(folder.path, "out", path);
    expect(readFileSync(written, "utf8")).toBe(content);
    expect((statSync(written).mode & 0o777).toString(8)).toBe((installed?.mode ?? "0644").slice(1));
    expect(stdout).toContain(path);
  }
});

test("bad options end it with code 2 and one line per problem", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  const bad = run(folder.path, {
    domain: "*.example.com",
    email: hostileStrings[0],
    colour: "red",
  });
  expect(bad.status).toBe(2);
  expect(
    bad.stderr
      .trim()
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual(["domain", "email", "colour"]);
  expect(run(folder.path, "{").status).toBe(2);
});

test("hostile text in every field and every key ends it with code 2, in plain lines, and writes nothing", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  const fields = 20;
  for (let round = 0; round < hostileStrings.length; round += fields) {
    let next = round;
    const text = () => hostileStrings[next++ % hostileStrings.length] ?? "";
    const { status, stdout, stderr } = run(folder.path, {
      provider: text(),
      domain: text(),
      extraDomains: [text()],
      email: text(),
      turn: { mode: "manual", domain: text(), [`key ${text()}`]: true },
      whipDomain: text(),
      firewall: {
        preset: "custom",
        rules: [{ protocol: text(), ports: text(), source: text() }],
      },
      sshSource: [text()],
      alertUrl: text(),
      recording: { kind: "s3", bucket: text(), region: text(), endpoint: text() },
      backups: { frequency: text(), ageRecipient: text() },
      versions: { livekit: text() },
      redis: { kind: "external", address: text(), username: text() },
      [`key ${text()}`]: 1,
    });
    expect([status, stdout]).toEqual([2, ""]);
    const lines = stderr.trimEnd().split("\n");
    for (const line of lines)
      expect(line).toMatch(/^("key [ -~]*"|"turn\.key [ -~]*"|[a-zA-Z0-9.]+): [A-Z#][ -~]+$/);
    for (const field of ["provider", "firewall.rules.0.protocol", "versions.livekit", "email"])
      expect(
        lines.some((line) => line.startsWith(`${field}: `)),
        field,
      ).toBe(true);
    expect(readdirSync(folder.path)).toEqual(["options.json"]);
  }
});

test("a file that other options no longer make goes with the next run, and strangers' files stay", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  const typed = { domain: "livekit.example.com", email: "you@example.com" };
  const out = join(folder.path, "out");
  run(folder.path, { ...typed, secrets: "browser", ingress: "both" });
  writeFileSync(join(out, "egress.yaml"), "a stranger's\n");
  const { stdout } = run(folder.path, typed);
  const left = readdirSync(out);
  for (const gone of ["secrets.env", "ingress.yaml"]) {
    expect(left).not.toContain(gone);
    expect(stdout).toContain(`Removed ${gone}: `);
  }
  expect(left).toEqual(
    expect.arrayContaining([...bundle(optionsFrom(typed)).files.map(({ path }) => path)]),
  );
  expect(readFileSync(join(out, "egress.yaml"), "utf8")).toBe("a stranger's\n");
  writeFileSync(join(out, ".made-files"), "../options.json\nlivekit.yaml\n");
  expect(run(folder.path, typed).status).toBe(0);
  expect(readdirSync(folder.path)).toContain("options.json");
});

test("secrets made on the command line are for their owner only, and stay over a second run", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bundle-"));
  const typed = { domain: "livekit.example.com", email: "you@example.com", secrets: "browser" };
  const file = join(folder.path, "out", "secrets.env");
  run(folder.path, typed);
  const first = readFileSync(file, "utf8");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(first).toMatch(
    /^LIVEKIT_API_KEY='API[0-9A-Za-z]{12}'\nLIVEKIT_API_SECRET='[0-9A-Za-z]{43}'\n/,
  );
  run(folder.path, typed);
  expect(readFileSync(file, "utf8")).toBe(first);
});
