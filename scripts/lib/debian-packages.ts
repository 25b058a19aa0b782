import { spawnSync } from "node:child_process";

/**
 * Installs packages where we are root on a Debian, and prints the commands. Answers what the last command complained
 * of; nothing where we may not install.
 */
export function installDebianPackages(missing: string, packages: readonly string[]): string {
  if (process.getuid?.() !== 0) return "";
  let complaint = "";
  for (const parameters of [
    ["update"],
    ["install", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends", ...packages],
  ]) {
    console.log(`No ${missing} yet: apt-get ${parameters.join(" ")}`);
    const { stderr } = spawnSync("apt-get", parameters, {
      encoding: "utf8",
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    complaint = stderr ?? "";
  }
  return complaint;
}
