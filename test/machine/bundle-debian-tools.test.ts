import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { packUserData } from "~/features/deployments/bundle/files/user-data-commands.ts";
import {
  complaints,
  everything,
  filesOf,
  network,
  type Tool,
} from "../support/deployments/bundle-examinations.ts";
import { amount } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 120_000 });

// The other providers and systems are in test/proof/deployments/bundle-debian-tools.test.ts.
const representative: Record<string, Record<string, unknown>> = {
  plain: {},
  "everything on Google Cloud": {
    ...everything,
    provider: "google-cloud",
    recording: { kind: "gcs", bucket: "rec" },
  },
  "Amazon Linux with IPv6 and S3": {
    system: "amazon-linux-2023",
    addresses: "dual",
    updates: "weekly",
    backups: { frequency: "weekly" },
    recording: { kind: "s3", bucket: "rec", region: "eu-west-1" },
  },
  "Azure behind a proxy": {
    provider: "azure",
    addresses: "dual",
    proxy: "existing",
    recording: { kind: "local" },
    firewall: { preset: "strict" },
    sshSource: ["192.0.2.0/24"],
  },
};

/** Between them both systems, and nearly every file and line. */
const bundles = amount({
  inTest: ["everything on Google Cloud", "Amazon Linux with IPv6 and S3"],
  inProof: Object.keys(representative),
}).map((name) => [name, representative[name] ?? {}] as const);

test.each(bundles)("Debian's tools accept every file of: %s", (_, typed) => {
  expect(complaints(filesOf(typed))).toEqual([]);
});

const spoiledFirewall: [Tool, string, string, string] = [
  "nft",
  "firewall.nft",
  "policy drop;",
  "policy dropp;",
];

test.each<[Tool, string, string, string]>([
  ["shellcheck", "update.sh", "remember() {\n", "remember() {\n  docker rm $@\n"],
  ["dash", "doctor.sh", "\n  fi\n", "\n"],
  ["python3", "turn-check.py", "try:", "match self:"],
  ["cloud-init", "cloud-init.yaml", "- path: ", "- paths: "],
  ["docker-compose", "docker-compose.yaml", "restart:", "restarts:"],
  ...(network ? [spoiledFirewall] : []),
  ["systemd-analyze", "livekit.service", "ExecStart=", "ExecStart=no-path "],
  ["systemd-analyze", "livekit-health.timer", "OnCalendar=*:0/5", "OnCalendar=*:0/99x"],
])("%s goes red when %s is spoiled", (tool, path, from, to) => {
  const files = filesOf({}).map((file) =>
    file.path === path ? { ...file, content: file.content.replace(from, to) } : file,
  );
  expect(files.find((file) => file.path === path)?.content).toContain(to);
  expect(complaints(files, [tool])).not.toEqual([]);
});

/**
 * What cloud-init reads at the first and the second boot of this user data, or of a link to it. Were what is linked
 * gzip, the second boot would stop with a UnicodeDecodeError: what is fetched once is read as text from then on.
 */
function boots(way: "link" | "direct", userData: string | Uint8Array) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-boots-"));
  try {
    writeFileSync(join(folder, "user-data"), userData);
    const { stdout, stderr } = spawnSync(
      "/usr/bin/python3",
      ["test/support/deployments/included-user-data.py", way, join(folder, "user-data")],
      { encoding: "utf8", env: { ...process.env, no_proxy: "*" } },
    );
    const read: unknown[] = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { read, output: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const largeUserData =
  filesOf({ ...everything, system: "amazon-linux-2023" }).find(
    ({ path }) => path === "cloud-init.yaml",
  )?.content ?? "";
const asItIs = [["text/cloud-config", largeUserData]];

test("cloud-init makes of AWS's link exactly our file, at every boot, also when the link no longer works", () => {
  expect(boots("link", largeUserData)).toEqual({ read: [asItIs, asItIs], output: "" });
});

test("cloud-init makes of user data that create-vm.sh compressed exactly our file", () => {
  const folder = mkdtempSync(join(tmpdir(), "livekit-packed-"));
  try {
    writeFileSync(join(folder, "cloud-init.yaml"), largeUserData);
    expect(spawnSync("sh", ["-c", packUserData], { cwd: folder }).status).toBe(0);
    const packed = readFileSync(join(folder, "user-data.txt"));
    expect(packed.length).toBeLessThan(largeUserData.length / 2);
    expect(boots("direct", packed)).toEqual({ read: [asItIs, asItIs], output: "" });
    expect(boots("direct", gzipSync(largeUserData))).toEqual({
      read: [asItIs, asItIs],
      output: "",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
