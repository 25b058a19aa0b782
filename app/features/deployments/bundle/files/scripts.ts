import type { BundleFile } from "../bundle-types.ts";
import { clusterFindings, findings } from "../findings.ts";
import { machineCommands } from "../machine-commands.ts";
import {
  clusterOf,
  egressMachinesOf,
  getsCertificates,
  hasInsights,
  severalOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { portsOf } from "../ports.ts";
import { catalogue } from "../releases.ts";
import type { ScriptName, ScriptTexts } from "../script-texts.ts";
import { beforeStartScript } from "./before-start.ts";
import { assembled, type ScriptValues } from "./script-parts.ts";

/**
 * The scripts of the machine. They read options in deployment.env, but for two: `before-start.sh` has the way of one provider
 * to the public address, and in a cluster scripts have blocks about the machine's role, which a single server goes without.
 */
export function scripts(options: DeploymentOptions, texts: ScriptTexts): BundleFile[] {
  const { provider, addresses, backups } = options;
  const inCluster = severalOf(options) !== undefined;
  const blocks = { CLUSTER: inCluster, SINGLE: !inCluster };
  const assembledScript = assembledByTopology(texts, inCluster);
  const python = (path: ScriptName, purpose: string): BundleFile => ({
    ...plain(path, purpose),
    language: "python",
  });
  const plain = (path: ScriptName, purpose: string) => script(path, texts[path], purpose);
  const byTopology = (path: ScriptName, purpose: string) =>
    script(path, assembledScript(path), purpose);
  return [
    byTopology("environment.sh", "What the other scripts have in common."),
    byTopology("first-boot.sh", "Makes a machine ready, and applies changed files."),
    script(
      "before-start.sh",
      beforeStartScript(provider, addresses, texts, blocks),
      "What has to be right before every start.",
    ),
    byTopology("before-stop.sh", "Waits for a quiet moment, and stops LiveKit in it."),
    {
      ...byTopology("apply.sh", "Takes this bundle on a machine that runs, or goes back."),
      installed: undefined,
    },
    ...(inCluster
      ? clusterScripts(options, texts)
      : [
          {
            ...byTopology("move-in.sh", "Moves in where a LiveKit of yours runs, with a way back."),
            installed: undefined,
          },
          moveInProgram(options, texts),
        ]),
    byTopology("check.sh", "Whether Compose and LiveKit take their files."),
    byTopology("update.sh", "New images, or the old ones again when one is unhealthy."),
    byTopology("backup.sh", "One archive of everything that cannot be made again."),
    ...(backups.target.kind === "machine"
      ? []
      : [plain("backup-target.sh", "Backups off the machine, with rclone.")]),
    ...(backups.frequency === "none" && backups.target.kind === "machine"
      ? []
      : [plain("backup-test.sh", "Tries each month whether a backup can be restored.")]),
    ...(getsCertificates(options)
      ? []
      : [byTopology("certificate.sh", "Takes a certificate that Caddy does not get itself.")]),
    byTopology("restore.sh", "Puts such an archive back, byte for byte."),
    byTopology("doctor.sh", "What works, what does not, and the next step."),
    python("turn-check.py", "Asks TURN for relays, as a client does."),
    python("call.py", "Makes a token, or joins a room as a client does."),
    python("support.py", "What helps to find a fault, without secrets and names."),
    {
      ...byTopology("console.sh", "Tells the console how the machine is, if it is connected."),
      withToken: true,
    },
    {
      ...byTopology("rollout.sh", "Takes up a version that people approved with their passkeys."),
      withToken: true,
    },
    {
      ...python("approval.py", "Whether they did, by what this machine knows of them."),
      withToken: true,
    },
    {
      ...python("evidence.py", "Reads what an app says of its calls, without names."),
      withToken: true,
    },
    {
      ...python("sessions.py", "Reads LiveKit's events for the console, without names."),
      withToken: true,
    },
    {
      ...python("spool.py", "Which of Caddy's lines the console has, and how many were lost."),
      withToken: true,
    },
    {
      ...python("tokens.py", "What is in a token that a key of this machine signed."),
      withToken: true,
    },
    ...(hasInsights(options)
      ? [
          plain("insights-check.sh", "Waits for a recording, and says why none came."),
          python("insights.py", "Takes what agents record of their sessions, on this machine."),
          python("insights_incoming.py", "Where it waits until it is read."),
          python("insights_jobs.py", "Where it is stored."),
          python("insights_store.py", "For how long it stays, and how much of it."),
          python("insights_summary.py", "What the console gets of it: no speech."),
          python("insights_wire.py", "In which form agents send it."),
        ].map((file) => ({ ...file, withToken: true as const }))
      : []),
    plain("health.sh", "Looks every five minutes, and tells when it changes."),
    byTopology(
      "install-tools.sh",
      "Docker Compose and age, pinned, where the system has no package of them.",
    ),
    {
      ...script(
        "livekit-deploy",
        assembledScript("livekit-deploy.sh"),
        "One command for all of them.",
      ),
      // sudo finds it here on every system. On Amazon Linux it does not look in /usr/local/bin.
      installed: { path: "/usr/bin/livekit-deploy", mode: "0755", owner: "root:root" },
    },
  ];
}

/**
 * What move-in.sh runs: it finds LiveKit, and keeps the journal. It knows the ports of these options, and its text is as long as
 * several scripts, so comments are taken out of the parts that all options share.
 */
function moveInProgram(options: DeploymentOptions, texts: ScriptTexts): BundleFile {
  const ports = portsOf(options).map(
    // What stands before Caddy keeps its ports.
    ({ ports, protocol, audience, service }) =>
      `${ports}/${protocol} ${options.proxy === "existing" && service === "caddy" && audience === "public" ? "proxy" : audience}`,
  );
  const parts = [
    texts["move-in/present.py"],
    texts["layout.py"],
    texts["move-in/check.py"],
    texts["move-in/journal.py"],
    texts["move-in/way-back.py"],
  ];
  return {
    path: "move-in.py",
    content: parts.map(installedText).join("\n").replace("@PORTS@", ports.join(",")),
    language: "python",
    purpose: "What it finds, and the journal that leads back.",
  };
}

/** Assembled scripts, by the texts that they are made of: of one server, and of a machine of a cluster. */
const ofOneServer = new WeakMap<ScriptTexts, Map<ScriptName, string>>();
const ofCluster = new WeakMap<ScriptTexts, Map<ScriptName, string>>();

/**
 * Puts scripts together with their parts, and with the values that all servers of a topology have. The doctor's advice
 * gets a line for each finding. Each script is put together once: options make no other difference to it.
 */
function assembledByTopology(texts: ScriptTexts, inCluster: boolean): (path: ScriptName) => string {
  const topology = inCluster ? ofCluster : ofOneServer;
  const cache = topology.get(texts) ?? new Map<ScriptName, string>();
  topology.set(texts, cache);
  return (path) => {
    const text =
      cache.get(path) ??
      assembled(texts[path], partsOf(texts, inCluster), valuesOf(texts, inCluster));
    cache.set(path, text);
    return text;
  };
}

function partsOf(texts: ScriptTexts, inCluster: boolean): Readonly<Record<string, string>> {
  const lines = adviceLines(inCluster ? { ...findings, ...clusterFindings } : findings);
  const advice = texts["doctor/advice.sh"].replace(/^ *@FINDINGS@.*\n/m, () => lines);
  return { ...texts, "doctor/advice.sh": advice };
}

function valuesOf(texts: ScriptTexts, inCluster: boolean): ScriptValues {
  const { compose, age } = catalogue;
  return {
    CLUSTER: inCluster,
    SINGLE: !inCluster,
    UNPACK_BUNDLE: texts["apply/unpack-bundle.py"].trimEnd(),
    COMPOSE: compose.pinned,
    COMPOSE_X86_64: compose.checksums[compose.pinned].x86_64,
    COMPOSE_AARCH64: compose.checksums[compose.pinned].aarch64,
    AGE: age.pinned,
    AGE_X86_64: age.checksums[age.pinned].x86_64,
  };
}

function adviceLines(listed: Readonly<Record<string, { severity: string; next: string }>>): string {
  return Object.entries(listed)
    .map(
      ([code, { severity, next }]) =>
        `  ${code}) severity=${severity} next=${doubleQuoted(next)} ;;\n`,
    )
    .join("");
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

/**
 * `{subject}` and `{wanted}` become variables of the doctor; everything else stands as it is, without the backticks, which a
 * shell would take for a command.
 */
function doubleQuoted(text: string): string {
  return `"${text
    .replaceAll("`", "")
    .replace(/["\\$]/g, "\\$&")
    .replace(/\{(subject|wanted)\}/g, "$$$1")}"`;
}

/** What the machines of a cluster have more, and what their owner runs on a computer of their own. */
function clusterScripts(options: DeploymentOptions, texts: ScriptTexts): BundleFile[] {
  const { user } = machineCommands(options);
  const hasEdge = clusterOf(options) !== undefined;
  return [
    {
      ...script(
        "cluster.sh",
        assembled(
          texts[hasEdge ? "cluster.sh" : "cluster-balanced.sh"],
          { "cluster/ssh.sh": texts["cluster/ssh.sh"] },
          {
            DOMAIN: options.domain,
            USER: user || "root",
            RECORDERS: egressMachinesOf(options) > 0,
          },
        ),
        "The cluster's machines, from your computer by SSH: roles, updates, one by one.",
      ),
      installed: undefined,
    },
    script(
      "cluster-machine.sh",
      texts["cluster-machine.sh"],
      "The role of a machine: the edge, or one for calls.",
    ),
    ...(hasEdge
      ? [
          {
            ...script(
              "cluster.py",
              texts["cluster.py"],
              "Whether the edge still has what LiveKit knows.",
            ),
            language: "python" as const,
          },
        ]
      : []),
  ];
}
