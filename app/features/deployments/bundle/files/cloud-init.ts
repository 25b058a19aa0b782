import type { BundleFile, UserData } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { providers } from "../provider-table.ts";
import { shellWord } from "../quoting.ts";
import { yamlDocument } from "../yaml.ts";
import { hasBucket } from "./user-data-commands.ts";

/** What the scripts need from the system. Ubuntu has packages for all of it. */
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

/** gzip has always come out this many times smaller. Where that may not be enough, create-vm.sh finds out. */
const surelyPacked = 2.9;

/** Compressed and written in base64, a bundle has always come out this many times smaller. */
const surelySmaller = 2.3;

/**
 * What the provider hands to the machine: every installed file byte for byte, and a script that cloud-init runs
 * at each boot until the first boot has succeeded, so that an interrupted one is finished by the next.
 * Over the provider's limit create-vm.sh compresses it: that would take longer here than everything else together.
 */
export function cloudInit(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): { files: BundleFile[]; userData: UserData } {
  const limit = providers[options.provider].userDataLimit;
  const content = cloudConfig(options, files);
  // Literal blocks are ASCII, and so is what `yamlDocument` writes: a character is a byte.
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
  return { form: "compressed", fits: bytes <= limit * surelySmaller };
}

function cloudConfig(options: DeploymentOptions, files: readonly BundleFile[]): string {
  const packages = packagesOf(options);
  const everyBoot = `#!/bin/sh
exec /opt/livekit/bin/first-boot.sh --boot ${packages.map(shellWord).join(" ")}
`;
  const secret = files.some(({ path }) => path === "secrets.env");
  const comment = secret
    ? `User data of ${options.domain}. It holds secrets: keep it to yourself.`
    : `User data of ${options.domain}. It holds no secrets: the machine makes them.`;
  return `#cloud-config
${yamlDocument({ package_update: true, packages }, comment)}write_files:
${files
  .map(({ installed, content }) =>
    installed ? entry(installed.path, installed.mode, content) : "",
  )
  .join("")}${entry("/var/lib/cloud/scripts/per-boot/50-livekit", "0755", everyBoot)}`;
}

/** ASCII lines, the first without indent and the last not empty: a literal block carries them unchanged. */
const literal = /^[!-~][\t -~]*\n(?:[\t -~]*\n)*$/;

/** Owner root and mode 0644 are cloud-init's defaults; the first boot gives folders to containers' users by number. */
function entry(path: string, mode: string, content: string): string {
  const head = `- path: ${path}\n${mode === "0644" ? "" : `  permissions: "${mode}"\n`}`;
  return literal.test(content) && !content.endsWith("\n\n")
    ? `${head}  content: |\n${content.replace(/^(?=.)/gm, "   ")}`
    : `${head}  ${yamlDocument({ content })}`;
}
