import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { cloudInit } from "~/features/deployments/bundle/files/cloud-init.ts";
import { hasBucket } from "~/features/deployments/bundle/files/user-data-commands.ts";
import { userDataLine } from "~/features/deployments/download/user-data-line.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../../../support/deployments/bundle-cases.ts";
import {
  cloudConfigProblems,
  textOf,
  writtenFiles,
} from "../../../support/deployments/bundle-checks.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const combinations = pairwiseOptions(amount({ inTest: 100, inProof: 200 }));
const bundles = combinations.map((options) => ({ options, made: bundle(options) }));
const usual = optionsFrom({ domain: "livekit.example.com" });

test("cloud-init writes every installed file byte for byte with its mode", () => {
  for (const { made } of bundles) {
    const written = new Map(
      writtenFiles(textOf(made, "cloud-init.yaml")).map((one) => [one.path, one]),
    );
    for (const { installed, content, withToken } of made.files) {
      // No token is here, by which the machine would connect.
      if (!installed || withToken) continue;
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

test("the user data of every combination reaches its machine, and is said to be as large as it is", () => {
  for (const { options, made } of bundles) {
    const { form, bytes, limit, fits } = made.userData;
    expect(fits, JSON.stringify(options)).toBe(true);
    expect(made.warnings.filter(({ message }) => message.includes("cloud-init.yaml has"))).toEqual(
      [],
    );
    // What Hetzner or OVHcloud does not take in this form is copied by SSH.
    if (form === "ssh") expect(["hetzner", "ovh"]).toContain(options.provider);
    expect(bytes).toBe(Buffer.byteLength(textOf(made, "cloud-init.yaml")));
    expect(limit === null).toBe(options.provider === "other");
    expect(form === "plain").toBe(bytes <= (limit ?? Number.POSITIVE_INFINITY));
    if (form !== "compressed" || limit === null || !fits) continue;
    // What is said to fit when compressed does.
    const packed = gzipSync(textOf(made, "cloud-init.yaml"), { level: 9 }).length;
    expect(packed * (hasBucket(options.provider) ? 1 : 1.38)).toBeLessThan(limit);
  }
});

test("user data that may be too large is said to go through a bucket, and only AWS and Oracle have one", () => {
  for (const { options, made } of bundles) {
    if (!hasBucket(options.provider)) expect(made.userData.form).not.toBe("bucket");
    expect(textOf(made, "README.md").includes("#include-once")).toBe(hasBucket(options.provider));
  }
  const small = cloudInit(usual, [fileOf("x\n".repeat(9_000))]).userData;
  const large = cloudInit(usual, [fileOf("x\n".repeat(40_000))]).userData;
  expect([small.form, large.form]).toEqual(["compressed", "bucket"]);
  expect(userDataLine(small)).toBe(
    "User-data is 44.3 KiB: create-vm.sh compresses it for the 16.0 KiB that the provider takes.",
  );
  expect(userDataLine(large)).toMatch(
    /^User-data is .* KiB, and the provider takes 16\.0 KiB: .*bucket/,
  );
  expect(userDataLine(large, true)).not.toContain("create-vm.sh");
  expect(userDataLine({ ...large, form: "ssh" })).toMatch(
    /compresses it, and copies the files to the machine by SSH when that is not enough\.$/,
  );
  expect(userDataLine({ ...small, form: "plain", limit: null })).toBe("User-data is 44.3 KiB.");
  expect(userDataLine({ ...small, form: "plain", bytes: 1024 })).toBe(
    "User-data takes 1.0 KiB of the 16.0 KiB that the provider allows.",
  );
});

function fileOf(content: string) {
  const installed = { path: "/x", mode: "0644" as const, owner: "root:root" };
  return { path: "x", content, language: "conf" as const, purpose: "", installed };
}

test("user data that is too large even compressed is said to be", () => {
  const noise = Array.from({ length: 20_000 }, (_, at) =>
    ((at * 2_654_435_761) % 4_294_967_296).toString(36),
  ).join("\n");
  const { userData } = cloudInit({ ...usual, provider: "azure" }, [fileOf(`${noise}\n`)]);
  expect(userData.fits).toBe(false);
  expect(userDataLine(userData)).toMatch(
    /^User-data is .* takes 64\.0 KiB: even compressed it may not fit\.$/,
  );
  expect(cloudInit(usual, [fileOf(`${noise}\n`)]).userData.fits).toBe(true);
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
