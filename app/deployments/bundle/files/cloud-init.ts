import { gzipSync, strToU8 } from "fflate";
import type { BundleFile, UserData } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options.ts";
import { providers } from "../providers.ts";
import { shellWord } from "../quoting.ts";
import { yamlDocument } from "../yaml.ts";

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

/** Up to this size gzip has always come out under AWS's limit. Above it create-vm.sh finds out. */
const surelySmall = 48_000;

/**
 * What the provider hands to the machine: every installed file byte for byte, and a script that cloud-init runs
 * at each boot until the first boot has succeeded, so that an interrupted one is finished by the next.
 * At AWS create-vm.sh makes it fit; elsewhere, over the limit, the scripts are compressed in the text, and every
 * file where that is not enough.
 */
export function cloudInit(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): { files: BundleFile[]; userData: UserData } {
  const limit = providers[options.provider].userDataLimit;
  const plain = cloudConfig(options, files, () => false);
  const plainBytes = strToU8(plain).length;
  const made = (form: UserData["form"], content: string, bytes: number, fits: boolean) => ({
    files: [cloudInitFile(content)],
    userData: { form, bytes, limit, fits },
  });
  if (plainBytes <= limit) return made("plain", plain, plainBytes, true);
  if (options.provider === "aws")
    return made(plainBytes > surelySmall ? "bucket" : "compressed", plain, plainBytes, true);
  const readable = cloudConfig(options, files, isScript);
  const readableBytes = strToU8(readable).length;
  if (readableBytes <= limit) return made("compressed", readable, readableBytes, true);
  const content = cloudConfig(options, files, () => true);
  const bytes = strToU8(content).length;
  return made("compressed", content, bytes, bytes <= limit);
}

function isScript(path: string): boolean {
  return path.startsWith("/opt/livekit/bin/");
}

const everyBootPath = "/var/lib/cloud/scripts/per-boot/50-livekit";

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
  compressed: (path: string) => boolean,
): string {
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
    installed ? entry(installed.path, installed.mode, content, compressed(installed.path)) : "",
  )
  .join("")}${entry(everyBootPath, "0755", everyBoot, compressed(everyBootPath))}`;
}

/** ASCII lines, the first without indent and the last not empty: a literal block carries them unchanged. */
const literal = /^[!-~][\t -~]*\n(?:[\t -~]*\n)*$/;

/** Owner root and mode 0644 are cloud-init's defaults; the first boot gives folders to containers' users by number. */
function entry(path: string, mode: string, content: string, compressed: boolean): string {
  const head = `- path: ${path}\n${mode === "0644" ? "" : `  permissions: "${mode}"\n`}`;
  if (compressed) return `${head}  encoding: gz+b64\n  content: ${compressedOnce(content)}\n`;
  return literal.test(content) && !content.endsWith("\n\n")
    ? `${head}  content: |\n${content.replace(/^(?=.)/gm, "   ")}`
    : `${head}  ${yamlDocument({ content })}`;
}

/** Most files are the same in the next bundle, and compressing takes longer than all the rest. */
const alreadyCompressed = new Map<string, string>();

function compressedOnce(content: string): string {
  let made = alreadyCompressed.get(content);
  if (made === undefined) {
    made = base64(gzip(content));
    if (alreadyCompressed.size >= 200) alreadyCompressed.clear();
    // Secrets do not stay in memory.
    if (content.startsWith("#!")) alreadyCompressed.set(content, made);
  }
  return made;
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
