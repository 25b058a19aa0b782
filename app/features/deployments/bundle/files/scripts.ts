import type { BundleFile } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { applyScript } from "../scripts/apply.ts";
import { backupScript } from "../scripts/backup.ts";
import { backupTargetScript } from "../scripts/backup-target.ts";
import { backupTestScript } from "../scripts/backup-test.ts";
import { beforeStartScript } from "../scripts/before-start.ts";
import { beforeStopScript } from "../scripts/before-stop.ts";
import { checkScript } from "../scripts/check.ts";
import { doctorScript } from "../scripts/doctor.ts";
import { environmentScript } from "../scripts/environment.ts";
import { firstBootScript } from "../scripts/first-boot.ts";
import { healthScript } from "../scripts/health.ts";
import { installToolsScript } from "../scripts/install-tools.ts";
import { livekitDeployScript } from "../scripts/livekit-deploy.ts";
import { restoreScript } from "../scripts/restore.ts";
import { turnCheckScript } from "../scripts/turn-check.ts";
import { updateScript } from "../scripts/update.ts";

/** The scripts of the machine. They hold no answer but the provider: what they must know stands in deployment.env. */
export function scripts({ provider, system, addresses, backups }: DeploymentOptions): BundleFile[] {
  return [
    script("environment.sh", environmentScript, "What the other scripts have in common."),
    script("first-boot.sh", firstBootScript, "Makes a machine ready, and applies changed files."),
    script(
      "before-start.sh",
      beforeStartScript(provider, addresses),
      "What has to be right before every start.",
    ),
    script(
      "before-stop.sh",
      beforeStopScript,
      "Waits for a quiet moment, and stops LiveKit in it.",
    ),
    {
      ...script("apply.sh", applyScript, "Takes this bundle on a machine that runs, or goes back."),
      installed: undefined,
    },
    script("check.sh", checkScript, "Whether Compose and LiveKit take their files."),
    script("update.sh", updateScript, "New images, or the old ones again when one is unhealthy."),
    script("backup.sh", backupScript, "One archive of everything that cannot be made again."),
    ...(backups.target.kind === "machine"
      ? []
      : [script("backup-target.sh", backupTargetScript, "Backups off the machine, with rclone.")]),
    ...(backups.frequency === "none" && backups.target.kind === "machine"
      ? []
      : [
          script(
            "backup-test.sh",
            backupTestScript,
            "Tries each month whether a backup can be restored.",
          ),
        ]),
    script("restore.sh", restoreScript, "Puts such an archive back, byte for byte."),
    script("doctor.sh", doctorScript, "What works, what does not, and the next step."),
    {
      ...script("turn-check.py", turnCheckScript, "Asks TURN for relays, as a client does."),
      language: "python",
    },
    script("health.sh", healthScript, "Looks every five minutes, and tells when it changes."),
    ...(system === "amazon-linux-2023"
      ? [script("install-tools.sh", installToolsScript, "Docker Compose and age, pinned.")]
      : []),
    {
      ...script("livekit-deploy", livekitDeployScript, "One command for all of them."),
      // Where sudo looks on every system: Amazon Linux leaves out /usr/local/bin.
      installed: { path: "/usr/bin/livekit-deploy", mode: "0755", owner: "root:root" },
    },
  ];
}

/** What `withoutInnerComments` made, by the text it was given: only `before-start.sh` has more than one. */
const stripped = new Map<string, string>();

function installedText(text: string): string {
  const made = stripped.get(text) ?? withoutInnerComments(text);
  stripped.set(text, made);
  return made;
}

/**
 * User data is small: on the machine a script keeps its head, which says what it does, how it is called and how it
 * ends. The comments below it stay here.
 */
function withoutInnerComments(text: string): string {
  const lines = text.split("\n");
  const code = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .filter((line, at) => !/^\s*#/.test(line) || (at < code && !line.startsWith("# shellcheck")))
    .join("\n");
}

function script(path: string, content: string, purpose: string): BundleFile {
  return {
    path,
    content: installedText(content),
    language: "shell",
    purpose,
    installed: { path: `/opt/livekit/bin/${path}`, mode: "0755", owner: "root:root" },
  };
}
