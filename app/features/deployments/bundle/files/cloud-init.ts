import type { BundleFile, UserData } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { providers } from "../provider-table.ts";
import { shellWord } from "../quoting.ts";
import { isLiteral, literalBlock, yamlDocument } from "../yaml.ts";
import { hasBucket, isCopiedBySsh } from "./user-data-commands.ts";

/**
 * The packages that the scripts need, by their names on the system of the option; first-boot.sh knows the others. Amazon Linux
 * has none of Docker Compose and age: install-tools.sh gets these.
 */
export function packagesOf({ system, security, backups }: DeploymentOptions): string[] {
  const enterprise = security === "enterprise";
  return system === "ubuntu-24.04"
    ? [
        "docker.io",
        "docker-compose-v2",
        "nftables",
        "curl",
        "python3",
        "unattended-upgrades",
        ...(backups.ageRecipient === undefined ? [] : ["age"]),
        ...(enterprise ? ["auditd"] : []),
      ]
    : [
        "docker",
        "nftables",
        "python3",
        "tar",
        "dnf-automatic",
        ...(enterprise ? ["audit", "dnf-utils"] : []),
      ];
}

/** gzip made every bundle at least this many times smaller. create-vm.sh finds out whether that was enough. */
const surelyPacked = 2.9;

/** gzip and then base64 made every bundle at least this many times smaller. */
const surelySmaller = 2.3;

/**
 * The user data: every installed file byte for byte, and a script that cloud-init runs at each boot. The script does
 * nothing once the first boot has succeeded, so an interrupted first boot is finished by the next boot. It also installs the
 * packages, because cloud-init tries that once.
 * User data over the provider's limit is compressed by create-vm.sh: here that would take longer than all other work.
 */
export function cloudInit(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): { files: BundleFile[]; userData: UserData } {
  const limit = providers[options.provider].userDataLimit;
  const content = cloudConfig(options, files);
  // All of it is ASCII, the literal blocks and what `yamlDocument` writes, so a character is a byte.
  const bytes = content.length;
  return {
    files: [
      {
        path: "cloud-init.yaml",
        content,
        language: "yaml",
        purpose: "The user data from which a fresh machine becomes this server.",
      },
    ],
    userData: { bytes, limit, ...delivery(options, bytes, limit) },
  };
}

function delivery(
  { provider }: DeploymentOptions,
  bytes: number,
  limit: number | null,
): Pick<UserData, "form" | "fits"> {
  if (limit === null || bytes <= limit) return { form: "plain", fits: true };
  if (hasBucket(provider))
    return { form: bytes > limit * surelyPacked ? "bucket" : "compressed", fits: true };
  // Whether it is enough depends on the token, which is not in every download.
  if (isCopiedBySsh(provider)) return { form: "ssh", fits: true };
  return { form: "compressed", fits: bytes <= limit * surelySmaller };
}

function cloudConfig(options: DeploymentOptions, files: readonly BundleFile[]): string {
  const secret = isConnected(files) || files.some(({ path }) => path === "secrets.env");
  const comment = secret
    ? `User data of ${options.domain}. It holds secrets: keep it to yourself.`
    : `User data of ${options.domain}. It holds no secrets: the machine makes them.`;
  let text = `#cloud-config\n${yamlDocument({}, comment)}write_files:\n`;
  for (const file of writtenFiles(options, files)) text += entry(file);
  return text;
}

const isConnected = (files: readonly BundleFile[]): boolean =>
  files.some(({ path }) => path === "enrolment-token");

/** A file as it is on the machine before the first boot. */
export type WrittenFile = { path: string; mode: string; content: string };

/** What a new machine gets: every installed file, and last the script that cloud-init runs at each boot. */
export function writtenFiles(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): WrittenFile[] {
  const all = isConnected(files);
  const packages = packagesOf(options).map(shellWord).join(" ");
  return [
    ...files.flatMap(({ installed, content, withToken }) =>
      installed && (all || !withToken)
        ? [{ path: installed.path, mode: installed.mode, content }]
        : [],
    ),
    {
      path: "/var/lib/cloud/scripts/per-boot/50-livekit",
      mode: "0755",
      content: `#!/bin/sh\nexec /opt/livekit/bin/first-boot.sh --boot ${packages}\n`,
    },
  ];
}

/** One file of `write_files`. cloud-init's defaults are owner root and mode 0644. */
function entry({ path, mode, content }: WrittenFile): string {
  const head = `- path: ${path}\n${mode === "0644" ? "" : `  permissions: "${mode}"\n`}`;
  return isLiteral(content)
    ? `${head}  content:${literalBlock(content, "   ")}`
    : `${head}  ${yamlDocument({ content })}`;
}
