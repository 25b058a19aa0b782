import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { gunzipSync, strFromU8 } from "fflate";
import { expect, test, vi } from "vitest";
import { bundle } from "~/deployments/bundle/bundle.ts";
import type { Bundle } from "~/deployments/bundle/bundle-types.ts";
import { cloudInit } from "~/deployments/bundle/files/cloud-init.ts";
import { makeSecrets } from "~/deployments/bundle/secrets.ts";
import { optionsFrom, pairwiseOptions } from "../fixtures/bundle-cases.ts";
import { cloudConfigProblems, textOf, writtenFiles } from "../fixtures/bundle-checks.ts";

vi.setConfig({ testTimeout: 60_000 });

const combinations = pairwiseOptions(200);
const bundles = combinations.map((options) => ({ options, made: bundle(options) }));
const usual = optionsFrom({ domain: "livekit.example.com" });

test("cloud-init writes every installed file byte for byte with its mode", () => {
  for (const { made } of bundles) {
    const written = new Map(
      writtenFiles(textOf(made, "cloud-init.yaml")).map((one) => [one.path, one]),
    );
    for (const { installed, content } of made.files) {
      if (!installed) continue;
      const one = written.get(installed.path);
      expect(one?.content).toBe(content);
      expect(one?.permissions ?? "0644").toBe(installed.mode);
      expect(installed.owner).toBe("root:root");
      written.delete(installed.path);
    }
    expect([...written.keys()]).toEqual(["/var/lib/cloud/scripts/per-boot/50-livekit"]);
  }
});

test("a boot makes ready once, and the README says how to do it again by hand with the same packages", () => {
  for (const { made } of bundles) {
    const boot = writtenFiles(textOf(made, "cloud-init.yaml")).at(-1)?.content ?? "";
    const [, packages] = /first-boot\.sh --boot (.+)\n$/.exec(boot) ?? [];
    expect(packages).toMatch(/^docker/);
    const readme = textOf(made, "README.md");
    expect(readme.split(`\`sudo /opt/livekit/bin/first-boot.sh ${packages}\``)).toHaveLength(3);
  }
});

test("the compressed form holds the same bytes, file by file", () => {
  const options = optionsFrom({ domain: "livekit.example.com", provider: "azure" });
  const { files } = bundle(options);
  const large = {
    ...files[0],
    path: "large",
    content: `${"x\n".repeat(40_000)}`,
    language: "conf" as const,
    purpose: "",
    installed: { path: "/large", mode: "0644" as const, owner: "root:root" },
  };
  const made = cloudInit(options, [...files, large]);
  expect(made.userData).toMatchObject({ form: "compressed", fits: true });
  const text = made.files[0]?.content ?? "";
  expect(cloudConfigProblems(text)).toEqual([]);
  const written = writtenFiles(text);
  for (const { installed, content } of [...files, large]) {
    const one = written.find(({ path }) => path === installed?.path);
    if (!installed) continue;
    expect(one?.encoding).toBe("gz+b64");
    expect(strFromU8(gunzipSync(Buffer.from(one?.content ?? "", "base64")))).toBe(content);
  }
});

test("the user data of every combination is under the provider's limit, and said to be as large as it is", () => {
  for (const { options, made } of bundles) {
    const plain = textOf(made, "cloud-init.yaml");
    expect(made.userData.fits, JSON.stringify(options)).toBe(true);
    if (options.provider === "aws") {
      expect(made.userData.form).toBe("compressed");
      expectGzip(made);
    } else expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(made.userData.limit);
  }
});

/** That what create-vm.sh sends is under AWS's limit, and little smaller than what the console says. */
function expectGzip(made: Bundle) {
  const sent = gzipSync(textOf(made, "cloud-init.yaml"), { level: 9 }).length;
  expect(sent).toBeLessThanOrEqual(16_384);
  expect(made.userData.bytes).toBeGreaterThanOrEqual(sent);
  expect(made.userData.bytes - sent).toBeLessThan(250);
}

/** Secrets that do not compress, the same in each run. */
function noisySecrets() {
  let next = 0;
  return makeSecrets((bytes) =>
    createHash("shake256", { outputLength: bytes.length }).update(`${next++}`).digest(),
  );
}

test("everything at once, with names that do not compress and secrets of the browser, fits AWS", () => {
  const noise = createHash("sha512").update("names").digest("hex");
  const name = (at: number) => `${noise.slice(at, at + 16)}.example.com`;
  for (const system of ["ubuntu-24.04", "amazon-linux-2023"]) {
    const options = optionsFrom({
      system,
      domain: name(0),
      extraDomains: [name(16)],
      turn: { mode: "manual", domain: name(32) },
      whipDomain: name(48),
      ingress: "both",
      security: "enterprise",
      monitoring: "24/7",
      alertUrl: `https://alerts.example.com/${noise.slice(64, 100)}`,
      recording: { kind: "s3", bucket: noise.slice(100, 120), region: "eu-west-1" },
      updates: "weekly",
      backups: { frequency: "daily", ageRecipient: `age1${"q".repeat(58)}` },
      firewall: { preset: "custom", rules: [] },
      sshSource: ["203.0.113.7", "2001:db8::1"],
      addresses: "dual",
      proxy: "existing",
      secrets: "browser",
    });
    const made = bundle(options, noisySecrets());
    expect(made.userData.fits).toBe(true);
    expectGzip(made);
  }
});

test("what is said to fit AWS does, in every combination with names that do not compress", () => {
  const large = {
    security: "enterprise",
    monitoring: "24/7",
    ingress: "both",
    secrets: "browser",
    addresses: "dual",
    updates: "weekly",
  };
  let nearTheLimit = 0;
  for (const [at, answers] of combinations.entries()) {
    if (answers.provider !== "aws") continue;
    const noise = createHash("shake256", { outputLength: 200 }).update(`${at}`).digest("hex");
    const name = (from: number) => `${noise.slice(from, from + 20)}.example.com`;
    const options = optionsFrom({
      ...answers,
      ...large,
      domain: name(0),
      extraDomains: [20, 40, 60, 80, 100].slice(at % 6).map(name),
      whipDomain: name(120),
      alertUrl: `https://alerts.example.com/${noise.slice(140, 200)}`,
      sshSource: Array.from(
        { length: 1 + (at % 8) },
        (_, nth) => `2001:db8:${noise.slice(200 + 4 * nth, 204 + 4 * nth)}::/64`,
      ),
    });
    const made = bundle(options, noisySecrets());
    if (!made.userData.fits) continue;
    const sent = gzipSync(textOf(made, "cloud-init.yaml"), { level: 9 }).length;
    expect(sent).toBeLessThanOrEqual(16_384);
    if (sent > 15_800) nearTheLimit += 1;
  }
  expect(nearTheLimit).toBeGreaterThan(5);
});

test("user data that is too large even compressed is said to be", () => {
  const noise = Array.from({ length: 20_000 }, (_, at) =>
    ((at * 2_654_435_761) % 4_294_967_296).toString(36),
  ).join("\n");
  const file = {
    path: "x",
    content: `${noise}\n`,
    language: "conf" as const,
    purpose: "",
    installed: { path: "/x", mode: "0644" as const, owner: "root:root" },
  };
  for (const provider of ["aws", "azure"] as const) {
    const { userData } = cloudInit({ ...usual, provider }, [file]);
    expect(userData.fits).toBe(false);
    expect(userData.bytes).toBeGreaterThan(userData.limit);
  }
});

test("every cloud-config satisfies cloud-init's schema and begins with its magic line", () => {
  for (const { made } of bundles) {
    const content = textOf(made, "cloud-init.yaml");
    expect(content.startsWith("#cloud-config\n")).toBe(true);
    expect(cloudConfigProblems(content)).toEqual([]);
  }
  expect(cloudConfigProblems("#cloud-config\npackage_upgrade: all\n")).not.toEqual([]);
  expect(cloudConfigProblems("#cloud-config\nrepo_update: true\n")).not.toEqual([]);
});
