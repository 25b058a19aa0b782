import { gzipSync, strToU8 } from "fflate";
import type { Bundle, BundleFile } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options.ts";
import { providers } from "../providers.ts";
import { shellWord } from "../quoting.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";

/** What the scripts need from the system. Ubuntu has packages for all of it. */
function packagesOf({ system, security, backups }: DeploymentOptions): string[] {
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

/**
 * What the provider hands to the machine: every installed file byte for byte, and a script that cloud-init runs
 * at each boot until the first boot has succeeded, so that an interrupted one is finished by the next.
 * Over the provider's limit the same comes compressed: whole where the provider takes bytes (AWS), else file by file.
 */
export function cloudInit(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): { files: BundleFile[]; userData: Bundle["userData"] } {
  const limit = providers[options.provider].userDataLimit;
  const plain = cloudConfig(options, files, false);
  const small = strToU8(plain).length <= limit;
  if (small || options.provider !== "aws") {
    const content = small ? plain : cloudConfig(options, files, true);
    return {
      files: [cloudInitFile(content)],
      userData: {
        bytes: strToU8(content).length,
        limit,
        form: small ? "plain" : "compressed",
      },
    };
  }
  const compressed = gzip(plain);
  return {
    files: [
      cloudInitFile(plain),
      {
        path: "cloud-init.user-data.b64",
        content: `${base64(compressed)}\n`,
        language: "conf",
        purpose: "The same for the AWS console, which takes it as already base64 encoded.",
      },
    ],
    userData: { bytes: compressed.length, limit, form: "compressed" },
  };
}

function cloudInitFile(content: string): BundleFile {
  return {
    path: "cloud-init.yaml",
    content,
    language: "yaml",
    purpose: "The user data from which a fresh machine becomes this server.",
  };
}

function cloudConfig(
  options: DeploymentOptions,
  files: readonly BundleFile[],
  compressed: boolean,
): string {
  const packages = packagesOf(options);
  const written = files.flatMap(({ installed, content }) =>
    installed ? [entry(installed.path, installed.mode, content, compressed)] : [],
  );
  const everyBoot = `#!/bin/sh
exec /opt/livekit/bin/first-boot.sh ${packages.map(shellWord).join(" ")}
`;
  const secret = files.some(({ path }) => path === "secrets.env");
  return `#cloud-config
${yamlDocument(
  {
    package_update: true,
    packages,
    write_files: [
      ...written,
      entry("/var/lib/cloud/scripts/per-boot/50-livekit", "0755", everyBoot, false),
    ],
  },
  secret
    ? `User data of ${options.domain}. It holds secrets: keep it to yourself.`
    : `User data of ${options.domain}. It holds no secrets: the machine makes them.`,
)}`;
}

/** Every owner is root, cloud-init's default; the first boot gives folders to containers' users by number. */
function entry(path: string, mode: string, content: string, compressed: boolean): YamlMap {
  return compressed
    ? { path, permissions: mode, encoding: "gz+b64", content: base64(gzip(content)) }
    : { path, permissions: mode, content };
}

/** With the time left out, the same text always makes the same bytes. */
function gzip(text: string): Uint8Array {
  return gzipSync(strToU8(text), { level: 9, mtime: 0 });
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 4096)
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}
