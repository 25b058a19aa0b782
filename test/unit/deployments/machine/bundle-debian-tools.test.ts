import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { bundle } from "~/features/deployments/bundle/bundle.ts";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { packUserData } from "~/features/deployments/bundle/files/user-data-commands.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { complaint, ownNetwork } from "../../../support/deployments/debian-tools.ts";

vi.setConfig({ testTimeout: 120_000 });

const everything = {
  security: "enterprise",
  monitoring: "24/7",
  ingress: "both",
  backups: { frequency: "monthly", ageRecipient: `age1${"q".repeat(58)}` },
  updates: "monthly",
  addresses: "dual",
  sip: { kind: "on", sources: ["203.0.113.0/24", "2001:db8::/32"] },
  agent: { kind: "image", image: "registry.example.com/team/agent:1.4.2" },
  turnUdpPort: "443",
  mediaUdp: "single",
  webhooks: ["https://hooks.example.com/livekit"],
  firewall: {
    preset: "custom",
    rules: [{ protocol: "udp", ports: "9200-9210", source: "2001:db8::/32" }],
  },
  sshSource: ["192.0.2.1", "2001:db8::1"],
};
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
  "IPv6 only at Hetzner": {
    ...everything,
    provider: "hetzner",
    addresses: "ipv6",
    sip: { kind: "none" },
    sshSource: ["2001:db8::1"],
  },
  "OVHcloud in a region of its own": { provider: "ovh", region: "BHS5" },
  "Vultr with IPv6": { provider: "vultr", addresses: "dual" },
  "Linode with rules of one's own": { ...everything, provider: "linode" },
  "Oracle with ARM and IPv6": { provider: "oracle", addresses: "dual", architecture: "arm64" },
  "another machine": { provider: "other" },
  "Digital Ocean with an external Redis": {
    provider: "digital-ocean",
    addresses: "dual",
    backups: { frequency: "daily" },
    redis: { kind: "external", address: "redis.example.net:6379" },
  },
};

/** The targets and programs that our units name, empty: `systemd-analyze` looks for them. */
const targets = "sysinit basic shutdown multi-user timers network-online network-pre local-fs";

/** The bundle in a folder, as in the zip and as on a machine. */
function unpacked(files: readonly BundleFile[]) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-tools-"));
  const write = (name: string, content: string, mode: number) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content, { mode });
  };
  for (const { path, content, installed } of files) {
    write(path, content, 0o644);
    if (installed) write(`root${installed.path}`, content, Number.parseInt(installed.mode, 8));
  }
  write("secrets.env", "", 0o600);
  write("agent.env", "", 0o600);
  write("state/agent-key.env", "", 0o600);
  write("state/address.env", "", 0o600);
  const units = "root/etc/systemd/system";
  for (const name of targets.split(" "))
    write(`${units}/${name}.target`, "[Unit]\nDefaultDependencies=no\n", 0o644);
  write(`${units}/docker.service`, "[Service]\nExecStart=/bin/sh\n", 0o644);
  for (const name of ["bin/sh", "usr/bin/docker", "usr/sbin/nft"])
    write(`root/${name}`, "#!/bin/sh\n", 0o755);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

const network = ownNetwork();

/** What is run on a bundle, by its tool. */
const examinations = {
  dash: (files) => scripts("dash", files).map((path) => ["-n", path]),
  shellcheck: (files) => {
    const some = scripts("shellcheck", files);
    return some.length > 0 ? [["--severity=warning", ...some]] : [];
  },
  // Amazon Linux 2023 has Python 3.9.
  python3: () => [
    [
      "-c",
      "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))",
      "turn-check.py",
    ],
  ],
  "cloud-init": () => [["schema", "--config-file", "cloud-init.yaml"]],
  "docker-compose": () => [["-f", "docker-compose.yaml", "config", "-q"]],
  nft: () => (network ? [["-c", "-f", "firewall.nft"]] : []),
  "systemd-analyze": (files) => [
    [
      "verify",
      "--man=no",
      "--root=root",
      ...files.flatMap(({ installed, language }) =>
        language === "ini" && installed?.path.startsWith("/etc/systemd/system/livekit")
          ? [`root${installed.path}`]
          : [],
      ),
    ],
    [
      "calendar",
      "--",
      ...files.flatMap(({ content }) =>
        [...content.matchAll(/^OnCalendar=(.*)$/gm)].map(([, calendar = ""]) => calendar),
      ),
    ],
  ],
} satisfies Record<string, (files: readonly BundleFile[]) => string[][]>;

type Tool = keyof typeof examinations;
const tools = Object.keys(examinations) as Tool[];

const examined = new Set<string>();

/** The scripts of a bundle, without those that this tool has examined in another bundle in the same words. */
function scripts(tool: string, files: readonly BundleFile[]): string[] {
  return files
    .filter(({ language }) => language === "shell")
    .filter(({ content }) => !examined.has(tool + content) && examined.add(tool + content))
    .map(({ path }) => path);
}

/** What these tools say against the files of a bundle. */
function complaints(files: readonly BundleFile[], by: readonly Tool[] = tools): string[] {
  using made = unpacked(files);
  return by
    .flatMap((tool) =>
      examinations[tool](files).map((args) => {
        const [command, ...first] = tool === "nft" && network ? [...network, tool] : [tool];
        return complaint(command, [...first, ...args], made.folder);
      }),
    )
    .filter((text) => text !== "");
}

function filesOf(typed: Record<string, unknown>): BundleFile[] {
  return bundle(optionsFrom({ domain: "livekit.example.com", ...typed })).files;
}

test.each(Object.entries(representative))("Debian's tools accept every file of: %s", (_, typed) => {
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
  ["cloud-init", "cloud-init.yaml", "package_update: true", "package_update: all"],
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
    return { read, said: stderr };
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
  expect(boots("link", largeUserData)).toEqual({ read: [asItIs, asItIs], said: "" });
});

test("cloud-init makes of user data that create-vm.sh compressed exactly our file", () => {
  const folder = mkdtempSync(join(tmpdir(), "livekit-packed-"));
  try {
    writeFileSync(join(folder, "cloud-init.yaml"), largeUserData);
    expect(spawnSync("sh", ["-c", packUserData], { cwd: folder }).status).toBe(0);
    const packed = readFileSync(join(folder, "user-data.txt"));
    expect(packed.length).toBeLessThan(largeUserData.length / 2);
    expect(boots("direct", packed)).toEqual({ read: [asItIs, asItIs], said: "" });
    expect(boots("direct", gzipSync(largeUserData))).toEqual({ read: [asItIs, asItIs], said: "" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
