import type { BundleFile } from "../../bundle-types.ts";
import { dnsRecordsOf } from "../../dns-records.ts";
import { machineCommands } from "../../machine-commands.ts";
import {
  backsUpByRole,
  backupTargetOf,
  balancedOf,
  clusterOf,
  egressMachinesOf,
  machineOf,
  machinesOf,
  redisAddressOf,
  regionOf,
  severalOf,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { portsOf } from "../../ports.ts";
import { providers } from "../../provider-table.ts";
import { shellWord } from "../../quoting.ts";
import { packagesOf } from "../cloud-init.ts";
import { calendarsOf } from "../systemd/jobs.ts";
import { hasTerraform } from "../terraform/terraform.ts";
import { hasBucket, isCopiedBySsh, packUserData } from "../user-data-commands.ts";
import { balancedSecrets, balancedSection, balancedStart } from "./readme-balanced.ts";
import { certificatesCome, certificateUpkeep } from "./readme-certificates.ts";
import { clusterSecrets, clusterSection, clusterStart } from "./readme-cluster.ts";
import { existingMachineSection } from "./readme-existing-machine.ts";
import { findingsSection } from "./readme-findings.ts";
import { proxySection } from "./readme-proxy.ts";
import { agentWorker, storage, telephone, webhooks } from "./readme-services.ts";
import { terraformSection } from "./readme-terraform.ts";
import { troubleSection } from "./readme-trouble.ts";
import { userDataSection } from "./readme-user-data.ts";

/** What to do with the bundle, for exactly this deployment. */
export function readme(
  options: DeploymentOptions,
  installed: readonly BundleFile[],
  shortFiles: readonly BundleFile[],
): BundleFile[] {
  const sections = [
    title(options),
    troubleSection,
    start(options, installed),
    clusterSection(options),
    balancedSection(options),
    records(options),
    ports(options),
    userDataSection(options),
    terraformSection(options, [...shortFiles, ...installed]),
    existingMachineSection(options, installed),
    options.proxy === "existing" ? proxySection(options) : "",
    secretsSection(options),
    storage(options),
    telephone(options),
    agentWorker(options),
    webhooks(options),
    upkeep(options),
    findingsSection,
    change(options),
    removal,
  ];
  return [
    {
      path: "README.md",
      content: sections.filter((section) => section !== "").join("\n"),
      language: "markdown",
      purpose: "What to do with these files, step by step.",
    },
  ];
}

function title(options: DeploymentOptions): string {
  const { label } = providers[options.provider];
  const { name, cores } = machineOf(options);
  const machine =
    options.provider === "other"
      ? `A machine of yours with ${cores} cores or more, ${options.system}.`
      : `${label}, ${regionOf(options)}, ${name} (${cores} cores), ${options.system}.`;
  return `# LiveKit at ${options.domain}

${machine}
`;
}

function start(options: DeploymentOptions, installed: readonly BundleFile[]): string {
  const connects = installed.some(({ path }) => path === "enrolment-token");
  const made = `${creation(options)}${connects ? shortUserData(options) : ""}`;
  const exists = `On a machine that exists already: copy the files as shown below, then run
\`${firstBoot(options)}\`.
`;
  if (balancedOf(options)) return `${balancedStart(options, made)}\n${exists}`;
  if (clusterOf(options)) return `${clusterStart(options, made)}\n${exists}`;
  return `## Start

1. ${made}
2. Set the DNS records below.${certificatesCome(options)}
3. Log in to the machine: \`${machineCommands(options).login()}\`. \`cloud-init status --wait\` returns when the first boot has ended.${
    options.redis.kind !== "bundled"
      ? "\n   LiveKit starts once it has the password of your Redis: see Secrets."
      : ""
  }
4. \`sudo livekit-deploy doctor\` says what works and what to do next.
5. \`sudo livekit-deploy credentials\` shows the address, the API key and its secret for your back end.

${exists}`;
}

/** How the machine comes to be. */
function creation(options: DeploymentOptions): string {
  const { provider } = options;
  const { label, userDataLimit } = providers[provider];
  const { create, placeholders } = machineCommands(options);
  if (severalOf(options)) return clusterCreation(options);
  if (userDataLimit === null)
    return `Create a machine with Ubuntu 24.04 or 26.04, or Debian 12 or 13, and a public address that stays. Open the ports below
   in its provider's firewall, and give \`cloud-init.yaml\` as user data (often called cloud-config). Where that is not taken, or too
   large, copy the files to the machine as shown below.`;
  const meanings = placeholders.map(
    ({ word, meaning, list }) => `\n   ${word} is ${meaning}${list ? `: \`${list}\`` : ""}.`,
  );
  const script = `Log in with your provider's command line, and run this in the folder of these files:
   \`${create}\`${meanings.join("")}
   It creates firewall, static address and machine, prints the address, and can be run again.`;
  return hasBucket(provider)
    ? `${script} For Terraform or OpenTofu, see Terraform below; for the provider's console, User data.`
    : `${script} For Terraform or OpenTofu, see Terraform below. In the provider's console, give \`cloud-init.yaml\` as user data.
   ${label} takes ${userDataLimit} bytes. For a larger file this makes what to give instead:
   \`${packUserData}\`${isCopiedBySsh(provider) ? `\n   Where that is still larger, create it without user data and copy the files as shown below.` : ""}`;
}

/** All machines of a cluster are made alike: which of them is the edge is said afterwards. */
function clusterCreation(options: DeploymentOptions): string {
  const { machines = 0, network = "", egress = 0 } = severalOf(options) ?? {};
  const hasEdge = clusterOf(options) !== undefined;
  const kinds = hasEdge
    ? `: ${machines} for calls,${egress > 0 ? ` ${egress} for recording,` : ""} and a small one, the edge.`
    : egress > 0
      ? `: ${machines} that are all alike, and ${egress} for recording.`
      : ", all alike.";
  return `${hasTerraform(options) ? "By Terraform or OpenTofu: see Terraform below. By hand: create" : "Create"} ${machinesOf(options)} machines with Ubuntu 24.04 or 26.04, or Debian 12 or 13${kinds}
   Each has a public IPv4 address that stays, and an address in a private network that lies in \`${network}\`. Open the ports
   below in the provider's firewall, and give each of them the same \`cloud-init.yaml\` as user data. Where that is not taken, or too
   large, copy the files to the machine as shown below. No file of this zip holds a secret.`;
}

/** What a machine that connects may be made with instead. */
function shortUserData(options: DeploymentOptions): string {
  const { create } = machineCommands(options);
  return `
   \`user-data.py\` is user data of a kilobyte for the same machine, for a provider's console and for Terraform${
     create ? `: \`USER_DATA=user-data.py ${create}\`` : ""
   }.
   It fetches the installed files from the console, takes no others, and works until its token ends or a release of ours changes them: then
   download it anew. \`/var/log/cloud-init-output.log\` says which.`;
}

/** The first boot by hand, with the packages of a new machine. */
function firstBoot(options: DeploymentOptions): string {
  return `sudo /opt/livekit/bin/first-boot.sh ${packagesOf(options).map(shellWord).join(" ")}`;
}

function records(options: DeploymentOptions): string {
  const place = balancedOf(options) ? "balancer" : clusterOf(options) ? "edge" : "machine";
  const rows = dnsRecordsOf(options).map(
    ({ name, shownName, type, purpose }) =>
      `| \`${name}\`${shownName === name ? "" : ` (${shownName})`} | ${type} | the ${place}'s ${type === "A" ? "IPv4" : "IPv6"} address | ${purpose} |\n`,
  );
  return `## DNS records

| Name | Type | Value | For |
| --- | --- | --- | --- |
${rows.join("")}
Point them straight at the ${place}: no CDN and no DNS proxy in between.
${
  options.addresses !== "ipv6" && (options.provider === "other" || options.provider === "oracle")
    ? `
Nobody tells this machine its public address, so LiveKit asks STUN servers for it. Where these are not reached, write
two lines into \`/opt/livekit/state/address.env\`, then \`sudo livekit-deploy restart\`:

\`\`\`
NODE_IP=ADDRESS
LIVEKIT_RTC_USE_EXTERNAL_IP=false
\`\`\`
`
    : ""
}`;
}

function ports(options: DeploymentOptions): string {
  const all = portsOf(options);
  const cluster = severalOf(options);
  const roles = [
    ...(clusterOf(options) ? ["edge"] : []),
    "media",
    ...(egressMachinesOf(options) > 0 ? ["egress"] : []),
  ];
  const machinesWith = {
    edge: " | the edge",
    media: " | machines for calls",
    egress: " | machines for recording",
  };
  const rows = all
    .filter(({ audience }) => audience !== "internal")
    .map(
      ({ ports, protocol, sources, purpose, role }) =>
        `| \`${ports}/${protocol}\` | ${sources.every((source) => source.endsWith("/0")) ? "everybody" : sources.map((source) => `\`${source}\``).join(", ")} | ${purpose}${cluster ? (role ? machinesWith[role] : " | every machine") : ""} |\n`,
    );
  const internal = all
    .filter(({ audience }) => audience === "internal")
    .map(({ ports, protocol }) => `\`${ports}/${protocol}\``);
  return `## Ports

| Port | Open to | For |${cluster ? " On |" : ""}
| --- | --- | --- |${cluster ? " --- |" : ""}
${rows.join("")}
${
  cluster
    ? `The machine's own firewall, ${roles.map((role) => `\`firewall-${role}.nft\``).join(" or ")}, opens exactly these${roles.length > 1 ? ", by its role" : ""}.`
    : `The provider's firewall${options.provider === "other" ? "" : " (`create-vm.sh`)"} and the machine's own (\`firewall.nft\`) open exactly these.`
}
Closed to everybody outside: ${internal.join(", ")}.
`;
}

function secretsSection(options: DeploymentOptions): string {
  if (clusterOf(options)) return clusterSecrets;
  return balancedOf(options) ? balancedSecrets(options) : secrets(options);
}

function secrets(options: DeploymentOptions): string {
  const where =
    options.secrets === "browser"
      ? "Your browser made the secrets, so `cloud-init.yaml` and `secrets.env` hold them: keep both to yourself. On the machine"
      : "The machine makes its secrets at first boot, so none of these files holds any. There";
  return `## Secrets

${where} each stands once, in \`/opt/livekit/secrets.env\`, which only root can read.

- A new API key and secret, without a moment in which a token is refused:
  1. \`sudo livekit-deploy rotate api-key\`, then \`sudo livekit-deploy restart\`. LiveKit takes both keys now.
  2. Give your back end the new pair, which \`sudo livekit-deploy credentials\` shows, and wait until the tokens
     that it signed with the old key have ended.
  3. \`sudo livekit-deploy rotate finish\`. The old key ends with the next restart, so let the running calls end
     before it: LiveKit renews the tokens of running calls itself, with either key.

  After a leak do all three at once: a token of the old key is good until the second restart.
${
  options.redis.kind !== "bundled"
    ? `- The password of your Redis at \`${redisAddressOf(options)}\`: \`sudo livekit-deploy set redis-password\`, then \`sudo livekit-deploy restart\`.\n`
    : `- A new Redis password: \`sudo livekit-deploy set redis-password\`, then \`sudo livekit-deploy restart\`.\n`
}`;
}

function upkeep(options: DeploymentOptions): string {
  const { updates, backups, maintenance } = options;
  const day = maintenance.day.replace(/^./, (first) => first.toUpperCase());
  const cadence = { weekly: `every ${day}`, monthly: `on the first ${day} of the month` } as const;
  const times = calendarsOf(options);
  const update = severalOf(options)
    ? "`sh cluster.sh update`, on your computer, updates one machine after the other. None does it by itself."
    : updates === "manual"
      ? "Updates are yours to start."
      : `Updates come by themselves ${cadence[updates]} at about ${shortTime(times.update.weekly)} UTC, as patches of the versions that you chose.`;
  const identity = backups.ageRecipient === undefined ? "" : " --identity KEYFILE";
  const backup =
    backups.frequency === "none"
      ? "None are made by themselves. `sudo livekit-deploy backup` makes one, and all stay until you delete them."
      : `Backups are made ${backups.frequency} at about ${shortTime(times.backup.daily)} UTC${backups.ageRecipient === undefined ? "" : ", encrypted with age"}. Kept are the newest of 7 days, 5 weeks and 6 months.`;
  return `## Upkeep

- **Update**: ${update} \`sudo livekit-deploy update\` fetches newer images, and
  \`sudo livekit-deploy update --to livekit=TAG\` moves to a version. A service that is not healthy afterwards
  makes it go back to the images from before${options.redis.kind === "bundled" ? ", and to Redis's data from before" : ""}.
${severalOf(options) ? "" : callsThatRun(options)}- **Pin**: a publisher can move a tag to another image; \`update\` says so when it fetches one. To fetch nothing
  else ever, write the digest that runs behind the tag in \`docker-compose.yaml\`, such as
  \`livekit-server:v1.13.11@sha256:DIGEST\`. \`docker image inspect -f '{{.RepoDigests}}' IMAGE\` shows it.
- **Back up**: ${backup}
  They are in \`/var/backups/livekit\` on the machine${backups.target.kind === "machine" ? ": copy them elsewhere" : ""}. What \`sudo livekit-deploy backup\`
  makes by hand is never removed.${backups.frequency === "none" ? "" : " What an update or `apply` makes before a change stays for seven days."}
${offMachine(options)}- **Restore**: \`sudo livekit-deploy restore FILE${identity}\`. The file is read and compared whole before
  anything changes. All of its version comes back: firewall, units, settings and scripts too. Where the machine has
  another version, it says so first. What was here before is in \`/opt/livekit/state/before-restore\` for seven days.
${certificateUpkeep(options)}- **Look**: \`sudo livekit-deploy doctor\`, \`status\` and \`logs [SERVICE]\`. The health is also checked every five
  minutes: \`journalctl -u livekit-health\`.
- **After a change of a file**: \`sudo livekit-deploy restart\`. The files are checked first, and every container
  starts anew with them. \`sudo systemctl restart livekit\` does the same without the check.
`;
}

/** How a machine by itself waits for its calls; one of a cluster does it in another order. */
function callsThatRun({ drain }: DeploymentOptions): string {
  return `- **Calls that run**: ${
    drain.minutes === 0
      ? `an update, a restart or a reboot does not wait for them.
  They are`
      : `before an update, a restart, a restore or a reboot, LiveKit goes on until a moment comes in which nobody
  is in a room and nothing is recorded, for ${drain.minutes} minutes at most. New rooms go on meanwhile. After that, calls that still run are`
  }
  cut off for some seconds, and LiveKit's clients reconnect by themselves. A recording that runs ends there and is
  saved. New rooms are refused for half a minute and the start at most. \`update\`, \`restart\` and \`restore\`
  take \`--now\`, which waits for nothing. \`update\`, \`restore\` and \`apply\` go on when your connection is lost:
  what they say is kept in \`/opt/livekit/state/update.log\`, \`restore.log\` and \`apply.log\`.
`;
}

function offMachine(options: DeploymentOptions): string {
  const { target, ageRecipient } = options.backups;
  if (target.kind === "machine") return "";
  const identity = ageRecipient === undefined ? "" : " --identity KEYFILE";
  const setBackupKeys = `sudo livekit-deploy set backup-keys${target.kind === "gcs" ? " KEY.json" : ""}`;
  const rights = backsUpByRole(options)
    ? "The machine's own role must be able to list, read and write there, and to delete if the number is to be kept small. It needs nothing else."
    : `Give the keys once with \`${setBackupKeys}\`. They must be able to list, read and write there, and to delete if the number is to be kept small.`;
  return `- **Off the machine**: each backup is also copied to \`${backupTargetOf(options).replace("target:", "")}\`, read back and compared. ${rights}
  The same number is kept there as here. Without the right to delete all stay, until a rule of the bucket removes them.
  Each month the newest is fetched and ${
    ageRecipient === undefined
      ? "read as a restore would read it, and"
      : "compared with its checksum, since it cannot be opened without your key;"
  } \`sudo livekit-deploy doctor\` shows the result.
- **On a new machine**: start it from these files, then${backsUpByRole(options) ? "" : ` \`${setBackupKeys}\` and`} \`sudo livekit-deploy restore --from-target${identity}\`:
  secrets, certificates and Redis come back. \`--from-target NAME\` takes an older one.
`;
}

/** The time of a timer, as people write it. */
function shortTime(calendar: string): string {
  return calendar.slice(-8, -3);
}

/** Timers are taken away first, because a schedule that the new bundle lacks would otherwise stay. */
function change(options: DeploymentOptions): string {
  return `## Change it

After a change of the options, download the new zip, copy it to the machine and run
\`sudo livekit-deploy apply FILE.zip\`. It reads and checks everything while calls go on: the files, the firewall's rules,
\`livekit.yaml\` by the version that will run. Then it waits as for an update, exchanges the files, and goes back by itself
when a service is not healthy or the doctor finds a fault that was not there before; a lost connection does not stop
it. The machine keeps its secrets. \`--allow-downgrade\` takes a lower version of a component, \`--now\` does not wait,
\`--other-domain\` takes a bundle for another domain. ${openPorts(options)} when ports changed, and set the
DNS records of new names.

On a machine whose files are older than that command, do it by hand once:

1. \`sudo systemctl stop 'livekit-*.timer'\`, then
   \`(cd /etc/systemd/system && sudo rm -f livekit-*.timer timers.target.wants/livekit-*.timer)\`.
2. Copy the files as on a machine that exists already, see above. The machine keeps its own \`secrets.env\`.
3. \`${firstBoot(options)}\`
   installs what is missing, loads the firewall, and starts the containers anew in a quiet moment.
4. ${openPorts(options)} when ports changed, and set the DNS records of new names.
5. \`sudo livekit-deploy doctor\`
`;
}

/** What to do at the provider once other ports are to be open. */
function openPorts(options: DeploymentOptions): string {
  const { create } = machineCommands(options);
  return create === null ? "Change the provider's firewall" : `Run \`${create}\` again`;
}

const removal = `## Remove it

Delete the machine, its static address, its firewall and, where it has one of its own, its network at the
provider, then the DNS records.
`;
