import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { bundle } from "./bundle.ts";
import { optionsFrom } from "./bundle-cases.ts";
import { complaint, isolatedNetwork } from "./debian-tools.ts";

/** Options that bring nearly every file and line that a bundle can have. */
export const everything = {
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

/** Undefined where nft may have no network of its own. */
export const network = isolatedNetwork();

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

export type Tool = keyof typeof examinations;
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
export function complaints(files: readonly BundleFile[], by: readonly Tool[] = tools): string[] {
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

export function filesOf(typed: Record<string, unknown>): BundleFile[] {
  return bundle(optionsFrom({ domain: "livekit.example.com", ...typed })).files;
}
