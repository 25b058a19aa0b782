import { imageOf } from "~/features/audit/compose-service.ts";
import {
  type Configuration,
  isList,
  type Path,
  parseYaml,
  textAt,
  type Value,
  valueAt,
} from "~/features/audit/files/configuration.ts";
import { type Part, type Setup, servicesAs } from "~/features/audit/setup.ts";
import { livekit } from "../deployments/bundle/files/livekit.ts";
import type { DeploymentOptions } from "../deployments/bundle/options/options.ts";
import {
  leavesOf,
  type Origin,
  originOf,
  settingOf,
  type UnmappedSetting,
  wordsOf,
} from "./collected.ts";

/** A setting that is another one on a machine of ours. */
export type Difference = Partial<Origin> & {
  setting: string;
  theirs: string;
  ours: string;
  reason: string;
};

/** What LiveKit does where a configuration says nothing: of the settings that ours names. */
const defaults: Readonly<Record<string, Value>> = {
  port: 7880,
  "rtc.use_external_ip": false,
  "rtc.tcp_port": 7881,
  "turn.enabled": false,
  "logging.json": false,
  "logging.level": "info",
  "room.auto_create": true,
  "room.empty_timeout": 300,
  "room.departure_timeout": 20,
  "room.max_participants": 0,
  "limit.num_tracks": 0,
  "limit.bytes_per_sec": 0,
};

/** Why ours is as it is, by the beginning of a setting; the first that fits. */
const reasons: readonly (readonly [beginning: string, reason: string])[] = [
  ["port", "Caddy on the machine leads to it, and nobody else reaches it."],
  ["bind_addresses", "Only Caddy on the machine reaches LiveKit's own port and its metrics."],
  ["rtc.use_external_ip", "The machine finds its public address itself."],
  ["rtc.ips", "The machine has addresses of one family, which the step Deployment changes."],
  ["rtc.interfaces", "No client reaches Docker's bridge."],
  ["rtc", "Firewall and documentation are made for these ports."],
  ["redis", "Redis runs beside LiveKit, behind a password. Open rooms are not taken along."],
  ["turn", "TURN is on, over TLS by Caddy at port 443: no firewall leaves anybody out."],
  ["webhook.urls", "Only the addresses that can be taken over."],
  [
    "webhook.api_key",
    "Events are signed with a key of their own, which receivers must know: sudo livekit-deploy credentials shows it.",
  ],
  ["prometheus", "On the machine only, for its own report."],
  ["logging", "Logs are JSON, for the commands that read them."],
  ["log_level", "Logs are JSON at the level info."],
  ["agents", "Agents record only where Agent insights are on."],
  ["ingress", "The addresses of Ingress follow from the domain."],
  ["room", "This is what LiveKit does by itself."],
  ["limit", "This is what LiveKit does by itself."],
];

const reasonOf = (setting: string): string =>
  reasons.find(
    ([beginning]) => setting === beginning || setting.startsWith(`${beginning}.`),
  )?.[1] ?? "Every deployment has it.";

/** Why a setting of theirs has no place, by its beginning. */
const unmappedReasons: readonly (readonly [beginning: string, reason: string])[] = [
  ["turn.cert_file", "Caddy gets the certificate, and ends TLS before TURN."],
  ["turn.key_file", "Caddy gets the certificate, and ends TLS before TURN."],
  ["rtc.node_ip", "The machine finds its public address itself."],
  ["rtc.stun_servers", "The machine finds its public address itself."],
  ["region", "A deployment is one server: nothing chooses between regions."],
  ["node_selector", "A deployment is one server: nothing chooses between nodes."],
  ["signal_relay", "A deployment is one server: it relays nothing to others."],
  ["redis.db", "There is no option for another database than 0."],
  ["development", "It is for a machine without users."],
];

const unmappedReason = (setting: string): string =>
  unmappedReasons.find(
    ([beginning]) => setting === beginning || setting.startsWith(`${beginning}.`),
  )?.[1] ?? "There is no such option: LiveKit's own default holds.";

/** Two lists of codecs are the same in any order; `video/rtx` belongs to each with video. */
function isSame(one: Value, other: Value): boolean {
  // LiveKit reads 1_000 as a number.
  const plain = (value: Value) => String(value).replace(/(?<=\d)_(?=\d)/g, "");
  if (!isList(one) || !isList(other)) return plain(one) === plain(other);
  const texts = (list: readonly Value[]) =>
    list
      .map((each) => wordsOf(each).toLowerCase())
      .filter((each) => each !== "video/rtx")
      .toSorted();
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other));
}

/** Settings whose other names LiveKit still takes. */
const aliases: Readonly<Record<string, Path>> = {
  prometheus_port: ["prometheus", "port"],
  "redis.use_tls": ["redis", "tls", "enabled"],
};

/** LiveKit's configuration of a deployment with these options. */
function ourLiveKit(options: DeploymentOptions): Configuration {
  const [file] = livekit(options);
  const read = parseYaml(file?.content ?? "");
  if ("message" in read) throw new Error(read.message);
  return read;
}

/** Their LiveKit against ours: what is the same, what is another, and what ours does not have. */
export function compareLiveKit(
  part: Part,
  options: DeploymentOptions,
): { same: ReadonlySet<string>; differences: Difference[]; unmapped: UnmappedSetting[] } {
  const ours = ourLiveKit(options);
  const same = new Set<string>();
  const differences: Difference[] = [];
  const unmapped: UnmappedSetting[] = [];
  const seen = new Set<string>();
  for (const [path, theirs] of leavesOf(part.value)) {
    const setting = settingOf(path);
    if (isSecret(setting)) continue;
    const at = aliases[setting] ?? path;
    seen.add(settingOf(at));
    // Empty stands for none in files that a program wrote.
    if (theirs === "" || (isList(theirs) && theirs.length === 0)) continue;
    const our = valueAt(ours, ...at) ?? defaults[settingOf(at)];
    if (our === undefined) {
      if (theirs !== false && theirs !== 0)
        unmapped.push({ ...originOf(part, path), setting, reason: unmappedReason(setting) });
    } else if (isSame(theirs, our)) same.add(setting);
    else
      differences.push({
        ...{ ...originOf(part, path), setting, reason: reasonOf(settingOf(at)) },
        ...{ theirs: wordsOf(theirs), ours: wordsOf(our) },
      });
  }
  for (const [path, our] of leavesOf(ours.value)) {
    const setting = settingOf(path);
    const theirs = defaults[setting];
    if (seen.has(setting) || (theirs !== undefined && isSame(theirs, our))) continue;
    differences.push({
      ...{ setting, theirs: theirs === undefined ? "not set" : wordsOf(theirs) },
      ...{ ours: wordsOf(our), reason: reasonOf(setting) },
    });
  }
  return { same, differences, unmapped };
}

const isSecret = (setting: string): boolean => /^(keys\b|key_file$)|password/.test(setting);

/** The version of LiveKit that runs, where a file names it, against the one that a deployment has. */
export function versionDifference(setup: Setup, options: DeploymentOptions): Difference[] {
  const [service] = servicesAs(setup, "livekit");
  const [values] = setup.helm;
  const tag =
    service?.image?.tag ?? (values && imageOf(`x:${textAt(values, "image", "tag") ?? ""}`)?.tag);
  const origin = service
    ? { file: service.file, line: service.at.lineOf(["image"]) }
    : values && originOf(values, ["image", "tag"]);
  const ours = options.versions.livekit;
  if (!tag || tag.replace(/^v/, "") === ours.replace(/^v/, "")) return [];
  return [
    {
      ...{ ...origin, setting: "the version of LiveKit", theirs: tag, ours },
      reason: "The one that is recommended now. Another can be chosen in the step Upkeep.",
    },
  ];
}
