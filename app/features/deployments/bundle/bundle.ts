import type { Bundle, BundleFile, Connection, Secrets } from "./bundle-types.ts";
import { dnsRecordsOf } from "./dns-records.ts";
import { backupTarget } from "./files/backup-target.ts";
import { caddy } from "./files/caddy.ts";
import { certificateJob } from "./files/certificate-job.ts";
import { cloudInit } from "./files/cloud-init.ts";
import { compose } from "./files/compose.ts";
import { enrolmentToken } from "./files/connection/enrolment-token.ts";
import { shortUserData } from "./files/connection/short-user-data.ts";
import { versionFile } from "./files/connection/version-file.ts";
import { deploymentEnv } from "./files/deployment-env.ts";
import { egress } from "./files/egress.ts";
import { fileList } from "./files/file-list.ts";
import { firewall } from "./files/firewall.ts";
import { hardening } from "./files/hardening.ts";
import { ingress } from "./files/ingress.ts";
import { livekit } from "./files/livekit.ts";
import { prometheus } from "./files/prometheus.ts";
import { providerCommands } from "./files/providers/commands.ts";
import { readme } from "./files/readme/readme.ts";
import { redis } from "./files/redis.ts";
import { scripts } from "./files/scripts.ts";
import { secretsEnv } from "./files/secrets-env.ts";
import { sip } from "./files/sip.ts";
import { systemd } from "./files/systemd/systemd.ts";
import { terraform } from "./files/terraform/terraform.ts";
import type { DeploymentOptions } from "./options/options.ts";
import { portsOf } from "./ports.ts";
import type { ScriptTexts } from "./script-texts.ts";
import { userDataWarnings, warningsOf } from "./warnings.ts";

/**
 * Every file of a deployment. Pure: the same options and scripts make the same bytes, on any machine.
 * `secrets` are given only when the customer's browser made them. Otherwise the machine makes its own.
 * `connection` is given where there is a console that machines can report to.
 */
export function bundle(
  options: DeploymentOptions,
  texts: ScriptTexts,
  secrets?: Secrets,
  connection?: Connection,
): Bundle {
  const configuration = [livekit, caddy, redis, egress, ingress, sip, prometheus].flatMap((emit) =>
    emit(options, connection),
  );
  const described: BundleFile[] = [
    ...compose(options, configuration, connection),
    ...configuration,
    ...deploymentEnv(options, connection),
    ...enrolmentToken(connection),
    ...backupTarget(options),
    ...secretsEnv(options, secrets),
    ...scripts(options, texts),
    ...systemd(options),
    ...certificateJob(options),
    ...firewall(options),
    ...hardening(options),
  ];
  const installed = [...described, ...versionFile(described, connection)];
  const { files: userDataFiles, userData } = cloudInit(options, installed);
  const shortFiles = shortUserData(options, installed, texts, connection);
  const files = [
    ...readme(options, installed, shortFiles),
    ...userDataFiles,
    ...shortFiles,
    ...providerCommands(options, texts, installed),
    ...terraform(options, texts, [...shortFiles, ...installed]),
    ...installed,
    ...fileList(options, installed),
  ];
  return {
    files,
    warnings: [...warningsOf(options, secrets !== undefined), ...userDataWarnings(userData)],
    ports: portsOf(options),
    dnsRecords: dnsRecordsOf(options),
    userData,
  };
}
