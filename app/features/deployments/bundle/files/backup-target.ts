import type { BundleFile } from "../bundle-types.ts";
import { backsUpByRole } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { inOptLivekit } from "./installed.ts";

/** The settings with which rclone reaches the target of backups, for `docker run --env-file`. Keys are typed on the machine. */
export function backupTarget(options: DeploymentOptions): BundleFile[] {
  const { target } = options.backups;
  if (target.kind === "machine") return [];
  const role = backsUpByRole(options);
  const settings: Record<string, string | boolean | undefined> =
    target.kind === "s3"
      ? {
          TYPE: "s3",
          PROVIDER: target.endpoint === undefined ? "AWS" : "Other",
          REGION: target.region,
          ENDPOINT: target.endpoint,
          FORCE_PATH_STYLE: target.forcePathStyle,
          NO_CHECK_BUCKET: true,
          ENV_AUTH: role || undefined,
        }
      : target.kind === "gcs"
        ? { TYPE: "gcs", BUCKET_POLICY_ONLY: true, ENV_AUTH: role || undefined }
        : { TYPE: "azureblob", ACCOUNT: target.account, USE_MSI: role || undefined };
  return [
    {
      path: "backup-target.env",
      content: Object.entries(settings)
        .map(([name, value]) =>
          value === undefined ? "" : `RCLONE_CONFIG_TARGET_${name}=${value}\n`,
        )
        .join(""),
      language: "env",
      purpose: "How backups reach the place that they are copied to. No secrets.",
      installed: inOptLivekit("backup-target.env"),
    },
  ];
}
