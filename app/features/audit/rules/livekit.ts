import { isValueMap, listAt, numberAt, textAt, textsAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { type Part, type Setup, servicesAs } from "../setup.ts";
import { at, inEach } from "./find.ts";
import { isLocal } from "./network.ts";
import { docs, issue, sample, sourceFile } from "./sources.ts";

/** Whether a port that LiveKit opens on all its addresses is reached by others. */
function isExposed(part: Part, setup: Setup, port: number): boolean {
  const binds = textsAt(part, "bind_addresses");
  if (binds.length > 0 && binds.every(isLocal)) return false;
  const services = servicesAs(setup, "livekit");
  return (
    services.length === 0 ||
    services.some(
      ({ isHost, ports }) =>
        isHost || ports.some(({ container: [first, last] }) => first <= port && port <= last),
    )
  );
}

const mimes = (part: Part): string[] =>
  listAt(part, "room", "enabled_codecs").map((each) =>
    isValueMap(each) ? String(each.mime ?? "").toLowerCase() : "",
  );

export const livekitRules: readonly Rule[] = [
  {
    code: "room.codecs.rtx",
    fault: "slow",
    severity: "warning",
    title: "Lost video is not sent again",
    reason:
      "A list of codecs replaces LiveKit's own. Without video/rtx in it each lost packet is a broken picture.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) =>
      mimes(part).some((mime) => mime.startsWith("video/")) && !mimes(part).includes("video/rtx")
        ? at(part, ["room", "enabled_codecs"], "room:\n  enabled_codecs:\n    - mime: video/rtx")
        : undefined,
    ),
  },
  {
    code: "room.codecs.opus",
    fault: "wrong",
    severity: "critical",
    title: "Rooms have no codec for sound",
    reason: "A list of codecs replaces LiveKit's own. Without audio/opus nobody is heard.",
    source: sample,
    find: inEach("livekit", (part) =>
      mimes(part).length > 0 && !mimes(part).includes("audio/opus")
        ? at(part, ["room", "enabled_codecs"], "room:\n  enabled_codecs:\n    - mime: audio/opus")
        : undefined,
    ),
  },
  {
    code: "room.empty-timeout",
    fault: "wrong",
    severity: "warning",
    title: "A new room may end before anybody is in it",
    reason:
      "Rooms that your app makes ahead are closed after empty_timeout: a slow phone needs longer to join.",
    source: sample,
    find: inEach("livekit", (part) => {
      const seconds = numberAt(part, "room", "empty_timeout");
      return seconds !== undefined && seconds < 10
        ? at(part, ["room", "empty_timeout"], "room:\n  empty_timeout: 300", `${seconds} s`)
        : undefined;
    }),
  },
  {
    code: "limit.size.off",
    fault: "insecure",
    severity: "warning",
    title: "Messages may have any size",
    reason: "One client can fill LiveKit's memory with one message, and end all calls.",
    source: issue("livekit/livekit", 4743),
    find: inEach("livekit", (part) =>
      [
        ["signal_message_size_limit", 2_097_152],
        ["agent_signal_message_size_limit", 2_097_152],
        ["max_api_request_body_size", 10_485_760],
      ].map(([key = "", size]) =>
        numberAt(part, "limit", key) === 0
          ? at(part, ["limit", key], `limit:\n  ${key}: ${size}`, String(key))
          : undefined,
      ),
    ),
  },
  {
    code: "limit.tracks.few",
    fault: "wrong",
    severity: "warning",
    title: "LiveKit takes few tracks",
    reason:
      "Above the limit it accepts no room and nobody more. A call of ten with pictures has about 200 tracks, in and out.",
    source: sample,
    find: inEach("livekit", (part) => {
      const tracks = numberAt(part, "limit", "num_tracks");
      return tracks !== undefined && tracks > 0 && tracks < 200
        ? at(part, ["limit", "num_tracks"], "limit:\n  num_tracks: 8000", String(tracks))
        : undefined;
    }),
  },
  {
    code: "nodes.region.missing",
    fault: "wrong",
    severity: "critical",
    title: "Rooms go by region, and this server has none",
    reason:
      "LiveKit does not start: regionaware needs region, and that region in node_selector.regions.",
    source: docs.distributed,
    find: inEach("livekit", (part) => {
      if (textAt(part, "node_selector", "kind") !== "regionaware") return;
      const region = textAt(part, "region");
      const names = listAt(part, "node_selector", "regions").map((each) =>
        isValueMap(each) ? String(each.name ?? "") : "",
      );
      return region && (names.length === 0 || names.includes(region))
        ? undefined
        : at(
            part,
            ["node_selector", "kind"],
            "region: eu-west\nnode_selector:\n  kind: regionaware\n  regions:\n    - name: eu-west\n      lat: 53.3\n      lon: -6.3",
          );
    }),
  },
  {
    code: "nodes.selector.unknown",
    fault: "wrong",
    severity: "critical",
    title: "There is no node selector of this kind",
    reason: "LiveKit does not start.",
    source: sample,
    find: inEach("livekit", (part) => {
      const kind = textAt(part, "node_selector", "kind");
      return kind && !["any", "cpuload", "sysload", "regionaware", "random"].includes(kind)
        ? at(part, ["node_selector", "kind"], "node_selector:\n  kind: any", kind)
        : undefined;
    }),
  },
  {
    code: "nodes.alone",
    fault: "wrong",
    severity: "warning",
    title: "A node selector has nothing to select from",
    reason:
      "Servers know of each other through Redis. Without it each is alone, and one room may be open on two of them.",
    source: docs.distributed,
    find: inEach("livekit", (part) =>
      ["sysload", "cpuload", "regionaware"].includes(textAt(part, "node_selector", "kind") ?? "") &&
      valueAt(part, "redis") === undefined
        ? at(part, ["node_selector", "kind"], "redis:\n  address: redis.internal:6379")
        : undefined,
    ),
  },
  {
    code: "metrics.public",
    fault: "insecure",
    severity: "warning",
    title: "Everybody can read LiveKit's metrics",
    reason: "They say how many people and rooms there are, and since when.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part, setup) => {
      const path =
        valueAt(part, "prometheus", "port") === undefined
          ? ["prometheus_port"]
          : ["prometheus", "port"];
      const port = numberAt(part, ...path) ?? 0;
      if (port <= 0 || part.isHelm || textAt(part, "prometheus", "password")) return;
      return isExposed(part, setup, port)
        ? at(
            part,
            path,
            `prometheus:\n  port: ${port}\n  username: prometheus\n  password: A_LONG_RANDOM_PASSWORD`,
          )
        : undefined;
    }),
  },
  {
    code: "debug.public",
    fault: "insecure",
    severity: "critical",
    title: "LiveKit's debug handler is open",
    reason: "It gives profiles and memory of the running server to whoever asks.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part, setup) => {
      const port = numberAt(part, "debug_handler", "port") ?? 0;
      return port > 0 && isExposed(part, setup, port)
        ? at(part, ["debug_handler", "port"], "debug_handler:\n  port: 0", String(port))
        : undefined;
    }),
  },
];
