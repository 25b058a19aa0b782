import * as z from "zod/mini";
import { choiceOption, type OptionDocs, type Options, oneOf } from "../option.ts";
import {
  domainField,
  flag,
  numberField,
  portsField,
  rangeField,
  rangesField,
  redisAccess,
  redisAddressesField,
  redisAddressField,
  redisMasterField,
} from "../option-fields.ts";
import { choice } from "../question.ts";

const turnModes = [
  choice("auto", "Auto", "turn. before your domain, by TLS and UDP."),
  choice("manual", "Manual", "A TURN domain of your own, and which ways it answers."),
];
const firewallPresets = [
  choice("standard", "Standard", "The ports that LiveKit needs, and SSH with a limit."),
  choice("strict", "Strict", "SSH from your networks only, limits on new connections, a log."),
  choice("custom", "Custom", "Strict, and rules of your own."),
];
const redisKinds = [
  choice("bundled", "On this server", "With a password and a volume, not reachable from outside."),
  choice("external", "My own", "Its password is typed on the server, never here."),
  choice("sentinel", "My own, with Sentinel", "Your Sentinels say which server is the master."),
  choice("cluster", "My own cluster", "Redis Cluster, by the addresses of some of its servers."),
];
const codecs = ["opus", "red", "vp8", "h264", "vp9", "av1", "h265"] as const;
const protocols = ["tcp", "udp"] as const;

/** How calls reach the server, who may sign in to it, and where its Redis is. */
export const networkOptions = {
  turn: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "mode",
          [
            z.strictObject({ mode: z.literal("auto") }),
            z.strictObject({
              mode: z.literal("manual"),
              domain: domainField,
              udp: z._default(flag, true),
              tls: z._default(flag, true),
            }),
          ],
          oneOf(turnModes),
        ),
        { mode: "auto" },
      ),
    questions: [
      { kind: "choice", field: "turn.mode", label: "TURN configuration", choices: turnModes },
      {
        kind: "when",
        field: "turn.mode",
        values: ["manual"],
        questions: [
          {
            kind: "text",
            field: "turn.domain",
            label: "TURN domain",
            domain: true,
            optional: true,
            placeholder: "turn.example.com",
          },
          { kind: "check", field: "turn.tls", label: "TURN by TLS on port 443", on: true },
          { kind: "check", field: "turn.udp", label: "TURN by UDP", on: true },
        ],
      },
    ],
    pro: {
      field: "turn.mode",
      name: "A TURN domain of your own",
      listed: "a TURN domain of your own",
    },
  },
  firewall: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "preset",
          [
            z.strictObject({ preset: z.literal("standard") }),
            z.strictObject({ preset: z.literal("strict") }),
            z.strictObject({
              preset: z.literal("custom"),
              rules: z._default(
                z
                  .array(
                    z.strictObject({
                      protocol: z.enum(protocols, "Choose one of: tcp, udp."),
                      ports: portsField,
                      source: rangeField,
                    }),
                    "Write a list of rules.",
                  )
                  .check(z.maxLength(20, "Write at most 20 rules.")),
                [],
              ),
            }),
          ],
          oneOf(firewallPresets),
        ),
        { preset: "standard" },
      ),
    questions: [
      {
        kind: "choice",
        field: "firewall.preset",
        label: "Firewall preset",
        choices: firewallPresets,
      },
      {
        kind: "when",
        field: "firewall.preset",
        values: ["custom"],
        questions: [
          {
            kind: "lines",
            field: "firewall.rules",
            label: "Your rules",
            rules: true,
            hint: "Up to 20, one on each line: protocol, port or range, network.",
            placeholder: "udp 9000-9010 203.0.113.0/24",
          },
        ],
      },
    ],
  },
  sshSource: {
    field: () => rangesField(),
    questions: [
      {
        kind: "lines",
        field: "sshSource",
        label: "SSH from",
        hint: "Networks that may sign in, one on each line. With Standard, empty means anywhere, by key only.",
        placeholder: "203.0.113.7/32",
      },
    ],
  },
  mediaUdp: {
    fold: "Ports of media",
    ...choiceOption(
      {
        field: "mediaUdp",
        label: "Media by UDP",
        choices: [
          choice("range", "A range", "50000 to 60000: a port for each connection, the fastest."),
          choice("single", "One port", "7882 for everybody, where a firewall opens few ports."),
        ],
      },
      "range",
    ),
  },
  turnUdpPort: {
    fold: "Ports of media",
    ...choiceOption(
      {
        field: "turnUdpPort",
        label: "TURN by UDP",
        choices: [
          choice("3478", "Port 3478", "The usual one."),
          choice("443", "Port 443", "Passes some firewalls that know HTTP/3 only."),
        ],
      },
      "3478",
    ),
  },
  rooms: {
    fold: "Rooms and limits",
    field: () =>
      z.prefault(
        z.strictObject(
          {
            maxParticipants: numberField(0, 100_000, 0),
            emptyTimeout: numberField(1, 86_400, 300),
            departureTimeout: numberField(1, 86_400, 20),
            createdByJoining: z._default(flag, true),
            codecs: z._default(
              z
                .array(
                  z.enum(codecs, `Choose one of: ${codecs.join(", ")}.`),
                  "Write a list of codecs.",
                )
                .check(z.maxLength(codecs.length, "Write each codec once.")),
              [],
            ),
          },
          'Write the defaults of rooms as {"maxParticipants": 50}.',
        ),
        {},
      ),
    questions: [
      {
        kind: "text",
        field: "rooms.maxParticipants",
        label: "Participants in a room",
        type: "number",
        zero: "No limit",
        hint: "At most. 0 means no limit.",
      },
      {
        kind: "text",
        field: "rooms.emptyTimeout",
        label: "A room waits for its first participant (seconds)",
        type: "number",
        hint: "Then it is closed.",
      },
      {
        kind: "text",
        field: "rooms.departureTimeout",
        label: "A room waits after its last participant (seconds)",
        type: "number",
        hint: "Then it is closed.",
      },
      {
        kind: "check",
        field: "rooms.createdByJoining",
        label: "Joining creates the room",
        hint: "Off: only your back end creates rooms, and others cannot be joined.",
      },
      {
        kind: "lines",
        field: "rooms.codecs",
        label: "Codecs",
        placeholder: "opus, red, vp8, h264",
        hint: "Of opus, red, vp8, h264, vp9, av1 and h265. Empty means LiveKit's own list.",
      },
    ],
  },
  limits: {
    fold: "Rooms and limits",
    field: () =>
      z.prefault(
        z.strictObject(
          {
            tracks: numberField(0, 1_000_000, 0),
            bytesPerSecond: numberField(0, 100_000_000_000, 0),
          },
          'Write the limits as {"tracks": 2000}.',
        ),
        {},
      ),
    questions: [
      {
        kind: "text",
        field: "limits.tracks",
        label: "Tracks on the server",
        type: "number",
        zero: "No limit",
        hint: "From so many on, open rooms take nobody else. 0 means no limit.",
      },
      {
        kind: "text",
        field: "limits.bytesPerSecond",
        label: "Bytes per second on the server",
        type: "number",
        zero: "No limit",
        hint: "In and out together; 0 means no limit.",
      },
    ],
  },
  redis: {
    fold: "Redis",
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("bundled") }),
            z.strictObject({
              kind: z.literal("external"),
              address: redisAddressField,
              ...redisAccess(),
            }),
            z.strictObject({
              kind: z.literal("sentinel"),
              addresses: redisAddressesField(),
              master: redisMasterField,
              ...redisAccess(),
            }),
            z.strictObject({
              kind: z.literal("cluster"),
              addresses: redisAddressesField(),
              ...redisAccess(),
            }),
          ],
          oneOf(redisKinds),
        ),
        { kind: "bundled" },
      ),
    questions: [
      { kind: "choice", field: "redis.kind", label: "Redis", choices: redisKinds },
      {
        kind: "when",
        field: "redis.kind",
        values: ["external"],
        questions: [
          {
            kind: "text",
            field: "redis.address",
            label: "Address",
            placeholder: "redis.example.com:6379",
          },
        ],
      },
      {
        kind: "when",
        field: "redis.kind",
        values: ["sentinel", "cluster"],
        questions: [
          {
            kind: "lines",
            field: "redis.addresses",
            label: "Addresses",
            hint: "Of your Sentinels, or of servers of the cluster, one on each line.",
            placeholder: "redis-1.example.com:26379",
          },
        ],
      },
      {
        kind: "when",
        field: "redis.kind",
        values: ["sentinel"],
        questions: [
          {
            kind: "text",
            field: "redis.master",
            label: "Name of the master",
            placeholder: "mymaster",
          },
        ],
      },
      {
        kind: "when",
        field: "redis.kind",
        values: ["external", "sentinel", "cluster"],
        questions: [
          {
            kind: "text",
            field: "redis.username",
            label: "User name, if it has one",
            optional: true,
          },
          { kind: "check", field: "redis.tls", label: "Connect by TLS", on: true },
          {
            kind: "lines",
            field: "redis.ca",
            label: "Your certificate authority",
            hint: "In PEM. Empty where a public one vouches for Redis.",
            placeholder: "-----BEGIN CERTIFICATE-----",
          },
        ],
      },
    ],
  },
} as const satisfies Options;

export const networkDocs: OptionDocs = {
  turn: "How people behind strict networks get through.",
  "turn.mode": {
    about: "auto: turn.<domain>, over UDP and TLS. manual: a name and ways of your own.",
    values: [
      ["auto", "`turn.<domain>` on 443 over TLS, and over UDP"],
      [
        "manual",
        "A name of your own; `udp` opens its port, `tls` adds the name to DNS, certificates and Caddy",
      ],
    ],
  },
  "turn.domain": "The name for TURN over TLS.",
  "turn.udp": "Whether TURN answers over UDP.",
  "turn.tls": "Whether TURN answers over TLS, on port 443.",
  firewall: "What the machine's and the provider's firewall let in.",
  "firewall.preset": {
    about:
      "standard: the ports in use. strict: rate limits and a log too. custom: strict and your rules.",
    values: [
      ["standard", "The ports of the deployment, and SSH with a rate limit"],
      [
        "strict",
        "SSH from `sshSource` only, less ICMP, rate limits on new connections, a log of what was dropped",
      ],
      ["custom", "As strict, and your rules; internal ports stay closed"],
    ],
  },
  "firewall.rules": "Further ports to open, up to 20: protocol, ports and source.",
  sshSource: "Address ranges that may use SSH. Needed with strict and custom.",
  mediaUdp: {
    about: "range: 50000-60000/udp. single: all media on 7882/udp.",
    values: [
      ["range", "Media on 50000-60000/udp, a port for each connection"],
      ["single", "All media on 7882/udp"],
    ],
  },
  turnUdpPort: {
    about: "The port of TURN over UDP.",
    values: [
      ["3478", "TURN over UDP on 3478"],
      [
        "443",
        "TURN over UDP on 443; at high security LiveKit's container then runs as root, with this one right",
      ],
    ],
  },
  rooms: "Defaults of rooms. What LiveKit has by itself is not written.",
  "rooms.maxParticipants": "At most in a room; 0 is no limit.",
  "rooms.emptyTimeout": "Seconds that a room waits for its first participant.",
  "rooms.departureTimeout": "Seconds that a room waits after its last participant.",
  "rooms.createdByJoining": "Whether joining creates a room that is not there.",
  "rooms.codecs": {
    about: "The codecs of rooms; an empty list is LiveKit's own.",
    values: [
      ["opus", "In `rooms.codecs`, which replaces LiveKit's own list; needed there"],
      ["red", "Audio sent twice over, against loss"],
      ["vp8", "Video that every browser has"],
      ["h264", "Video with hardware behind it on most devices"],
      ["vp9", "Video with layers"],
      ["av1", "Video of new devices"],
      ["h265", "Video of some devices"],
    ],
  },
  limits: "From these on open rooms take nobody else; 0 is no limit.",
  "limits.tracks": "Tracks in and out, from which on open rooms take nobody else; 0 is no limit.",
  "limits.bytesPerSecond":
    "Bytes in and out, from which on open rooms take nobody else; 0 is no limit.",
  redis: "Redis on the machine, or your own.",
  "redis.kind": {
    about: "Where Redis runs.",
    values: [
      ["bundled", "Redis on this machine, behind a password, with its data on disk"],
      ["external", "Your own; its password is typed on the machine, and LiveKit starts after that"],
      ["sentinel", "The same, and your Sentinels say which server is the master"],
      ["cluster", "The same, and it is a Redis Cluster"],
    ],
  },
  "redis.address": "Host and port of your Redis.",
  "redis.username": "The user of your Redis, where it has users.",
  "redis.tls": "Whether Redis is reached by TLS.",
  "redis.addresses": "Hosts and ports of your Sentinels, or of servers of your cluster, up to 20.",
  "redis.master": "The name that your Sentinels have for the master.",
  "redis.ca": "The certificates of your own authority in PEM, line by line.",
};
