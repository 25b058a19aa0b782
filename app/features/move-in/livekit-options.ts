import {
  isList,
  isOn,
  isValueMap,
  mapAt,
  numberAt,
  type Path,
  textAt,
  textsAt,
  valueAt,
} from "~/features/audit/files/configuration.ts";
import type { Part, Setup } from "~/features/audit/setup.ts";
import { addMapping, addUnmapped, type Collected, originOf, settingOf } from "./collected.ts";

/** Settings that are an option of ours as they are. */
const sameSettings: readonly (readonly [path: Path, option: string])[] = [
  [["room", "auto_create"], "rooms.createdByJoining"],
  [["room", "max_participants"], "rooms.maxParticipants"],
  [["room", "empty_timeout"], "rooms.emptyTimeout"],
  [["room", "departure_timeout"], "rooms.departureTimeout"],
  [["limit", "num_tracks"], "limits.tracks"],
  [["limit", "bytes_per_sec"], "limits.bytesPerSecond"],
];

/** Takes over what LiveKit's own configuration says. */
export function mapLiveKit(into: Collected, part: Part, setup: Setup): void {
  for (const [path, option] of sameSettings) {
    const value = valueAt(part, ...path);
    // `1_000` is a number to LiveKit.
    if (value !== undefined) addMapping(into, part, path, option, numberAt(part, ...path) ?? value);
  }
  mapCodecs(into, part);
  mapPorts(into, part);
  mapWebhooks(into, part);
  mapRedis(into, part, setup);
  const names = Object.keys(mapAt(part, "keys"));
  if (names.length > 0)
    into.secrets.push({
      ...originOf(part, ["keys"]),
      ...{ setting: "keys", reason: names.length === 1 ? "1 API key" : `${names.length} API keys` },
    });
  if (valueAt(part, "key_file") !== undefined)
    into.secrets.push({ ...originOf(part, ["key_file"]), setting: "key_file", reason: "API keys" });
}

function mapCodecs(into: Collected, part: Part): void {
  const path = ["room", "enabled_codecs"];
  const listed = valueAt(part, ...path);
  if (!isList(listed)) return;
  const names = listed.flatMap((each) => {
    const mime = isValueMap(each) ? String(each.mime).toLowerCase() : "";
    // It belongs to each list of video codecs, and is written with them.
    return mime === "video/rtx" ? [] : [mime.replace(/^(audio|video)\//, "")];
  });
  if (names.length > 0) addMapping(into, part, path, "rooms.codecs", [...new Set(names)], listed);
}

function mapPorts(into: Collected, part: Part): void {
  if (valueAt(part, "rtc", "udp_port") !== undefined)
    addMapping(into, part, ["rtc", "udp_port"], "mediaUdp", "single");
  else if (valueAt(part, "rtc", "port_range_start") !== undefined)
    addMapping(into, part, ["rtc", "port_range_start"], "mediaUdp", "range");
  const turnPort = numberAt(part, "turn", "udp_port");
  if (isOn(part, "turn", "enabled") && (turnPort === 443 || turnPort === 3478))
    addMapping(into, part, ["turn", "udp_port"], "turnUdpPort", String(turnPort));
}

/** TURN's name, once that of LiveKit is known: `turn.` before it needs no words. */
export function mapTurn(into: Collected, part: Part): void {
  const { domain } = into.options;
  const name = textAt(part, "turn", "domain");
  if (!isOn(part, "turn", "enabled") || !name) return;
  const udp = numberAt(part, "turn", "udp_port");
  const tls = (numberAt(part, "turn", "tls_port") ?? 0) > 0;
  const turn =
    name === `turn.${domain}` && tls && udp
      ? { mode: "auto" }
      : { mode: "manual", domain: name, udp: Boolean(udp), tls };
  addMapping(into, part, ["turn", "domain"], "turn", turn);
}

function mapWebhooks(into: Collected, part: Part): void {
  const urls = textsAt(part, "webhook", "urls");
  if (urls.length > 0) addMapping(into, part, ["webhook", "urls"], "webhooks", urls);
}

/** On the machine itself, or a service of the same Compose file. */
function isBeside(address: string, setup: Setup): boolean {
  const host = address.replace(/:\d+$/, "");
  return (
    /^(localhost|127\..*|\[?::1\]?)$/.test(host) ||
    setup.services.some(({ name, role }) => role === "redis" && name === host)
  );
}

function mapRedis(into: Collected, part: Part, setup: Setup): void {
  for (const secret of ["password", "sentinel_password"])
    if (valueAt(part, "redis", secret) !== undefined) {
      const path = ["redis", secret];
      const setting = settingOf(path);
      into.secrets.push({ ...originOf(part, path), setting, reason: "The password of Redis" });
    }
  const username = textAt(part, "redis", "username");
  const access = {
    ...(username ? { username } : {}),
    tls: isOn(part, "redis", "use_tls") || isOn(part, "redis", "tls", "enabled"),
  };
  const sentinels = textsAt(part, "redis", "sentinel_addresses");
  const cluster = textsAt(part, "redis", "cluster_addresses");
  const address = textAt(part, "redis", "address");
  if (part.isHelm && address) {
    const reason = "Its address is known in the cluster alone: name it in the step Network.";
    addUnmapped(into, part, ["redis", "address"], reason);
  } else if (sentinels.length > 0) {
    const master = textAt(part, "redis", "sentinel_master_name");
    addMapping(into, part, ["redis", "sentinel_addresses"], "redis", {
      ...{ kind: "sentinel", addresses: sentinels, master, ...access },
    });
  } else if (cluster.length > 0) {
    addMapping(into, part, ["redis", "cluster_addresses"], "redis", {
      ...{ kind: "cluster", addresses: cluster, ...access },
    });
  } else if (address && !isBeside(address, setup)) {
    addMapping(into, part, ["redis", "address"], "redis", { kind: "external", address, ...access });
  }
  if (valueAt(part, "redis", "tls", "ca_cert_file") !== undefined)
    addUnmapped(
      into,
      part,
      ["redis", "tls", "ca_cert_file"],
      "Paste the certificate in the step Network: the file itself was not given.",
    );
}
