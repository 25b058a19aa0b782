import type { BundleFile } from "../bundle-types.ts";
import type { DeploymentOptions } from "../options/options.ts";
import unpackBundle from "../scripts/apply/unpack-bundle.py" with { type: "text" };
import apply from "../scripts/apply.sh" with { type: "text" };
import backup from "../scripts/backup.sh" with { type: "text" };
import backupTarget from "../scripts/backup-target.sh" with { type: "text" };
import backupTest from "../scripts/backup-test.sh" with { type: "text" };
import beforeStop from "../scripts/before-stop.sh" with { type: "text" };
import check from "../scripts/check.sh" with { type: "text" };
import environment from "../scripts/environment.sh" with { type: "text" };
import firstBoot from "../scripts/first-boot.sh" with { type: "text" };
import health from "../scripts/health.sh" with { type: "text" };
import installTools from "../scripts/install-tools.sh" with { type: "text" };
import livekitDeploy from "../scripts/livekit-deploy.sh" with { type: "text" };
import restore from "../scripts/restore.sh" with { type: "text" };
import turnCheck from "../scripts/turn-check.py" with { type: "text" };
import update from "../scripts/update.sh" with { type: "text" };
import { beforeStartScript } from "./before-start.ts";
import { doctorScript } from "./doctor.ts";
import { assembled } from "./script-parts.ts";

const applyScript = assembled(apply, {}, { UNPACK_BUNDLE: unpackBundle.trimEnd() });

/** The scripts of the machine. Only before-start.sh depends on options; the others read them in deployment.env. */
export function scripts({ provider, system, addresses, backups }: DeploymentOptions): BundleFile[] {
  return [
    script("environment.sh", environment, "What the other scripts have in common."),
    script("first-boot.sh", firstBoot, "Makes a machine ready, and applies changed files."),
    script(
      "before-start.sh",
      beforeStartScript(provider, addresses),
      "What has to be right before every start.",
    ),
    script("before-stop.sh", beforeStop, "Waits for a quiet moment, and stops LiveKit in it."),
    {
      ...script("apply.sh", applyScript, "Takes this bundle on a machine that runs, or goes back."),
      installed: undefined,
    },
    script("check.sh", check, "Whether Compose and LiveKit take their files."),
    script("update.sh", update, "New images, or the old ones again when one is unhealthy."),
    script("backup.sh", backup, "One archive of everything that cannot be made again."),
    ...(backups.target.kind === "machine"
      ? []
      : [script("backup-target.sh", backupTarget, "Backups off the machine, with rclone.")]),
    ...(backups.frequency === "none" && backups.target.kind === "machine"
      ? []
      : [
          script(
            "backup-test.sh",
            backupTest,
            "Tries each month whether a backup can be restored.",
          ),
        ]),
    script("restore.sh", restore, "Puts such an archive back, byte for byte."),
    script("doctor.sh", doctorScript, "What works, what does not, and the next step."),
    {
      ...script("turn-check.py", turnCheck, "Asks TURN for relays, as a client does."),
      language: "python",
    },
    script("health.sh", health, "Looks every five minutes, and tells when it changes."),
    ...(system === "amazon-linux-2023"
      ? [script("install-tools.sh", installTools, "Docker Compose and age, pinned.")]
      : []),
    {
      ...script("livekit-deploy", livekitDeploy, "One command for all of them."),
      // sudo finds it here on every system. On Amazon Linux it does not look in /usr/local/bin.
      installed: { path: "/usr/bin/livekit-deploy", mode: "0755", owner: "root:root" },
    },
  ];
}

/** The results of `withoutInnerComments`. There are few: each script has one text, `before-start.sh` one for each provider. */
const stripped = new Map<string, string>();

function installedText(text: string): string {
  const made = stripped.get(text) ?? withoutInnerComments(text);
  stripped.set(text, made);
  return made;
}

/**
 * A script without its comments, since user data must be small. The comments at its head stay: they say what the script
 * does, how it is called and with which code it ends.
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
