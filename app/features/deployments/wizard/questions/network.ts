import { choice, type Question } from "./question";

/** How calls reach the server, who may sign in to it, and where its Redis is. */
export const networkQuestions: Question[] = [
  {
    kind: "choice",
    field: "turn.mode",
    label: "TURN configuration",
    choices: [
      choice("auto", "Auto", "turn. before your domain, by TLS and UDP."),
      choice("manual", "Manual", "A TURN domain of your own, and which ways it answers."),
    ],
  },
  {
    kind: "when",
    field: "turn.mode",
    values: ["manual"],
    questions: [
      {
        kind: "text",
        field: "turn.domain",
        label: "TURN domain",
        placeholder: "turn.example.com",
        hint: "Empty means turn. before your domain.",
      },
      { kind: "check", field: "turn.tls", label: "TURN by TLS on port 443" },
      { kind: "check", field: "turn.udp", label: "TURN by UDP" },
    ],
  },
  {
    kind: "choice",
    field: "firewall.preset",
    label: "Firewall preset",
    choices: [
      choice("standard", "Standard", "The ports that LiveKit needs, and SSH with a limit."),
      choice("strict", "Strict", "SSH from your networks only, limits on new connections, a log."),
      choice("custom", "Custom", "Strict, and rules of your own."),
    ],
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
        hint: "Up to 20, one on each line: protocol, port or range, network.",
        placeholder: "udp 9000-9010 203.0.113.0/24",
      },
    ],
  },
  {
    kind: "lines",
    field: "sshSource",
    label: "SSH from",
    hint: "Networks that may sign in, one on each line. With Standard, empty means anywhere, by key only.",
    placeholder: "203.0.113.7/32",
  },
  {
    kind: "advanced",
    label: "Ports of media",
    questions: [
      {
        kind: "choice",
        field: "mediaUdp",
        label: "Media by UDP",
        choices: [
          choice("range", "A range", "50000 to 60000: a port for each connection, the fastest."),
          choice("single", "One port", "7882 for everybody, where a firewall opens few ports."),
        ],
      },
      {
        kind: "choice",
        field: "turnUdpPort",
        label: "TURN by UDP",
        choices: [
          choice("3478", "Port 3478", "The usual one."),
          choice("443", "Port 443", "Passes some firewalls that know HTTP/3 only."),
        ],
      },
    ],
  },
  {
    kind: "advanced",
    label: "Rooms and limits",
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
      {
        kind: "text",
        field: "limits.tracks",
        label: "Tracks on the server",
        type: "number",
        zero: "No limit",
        hint: "From so many on, nobody new comes in. 0 means no limit.",
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
  {
    kind: "advanced",
    label: "Redis",
    questions: [
      {
        kind: "choice",
        field: "redis.kind",
        label: "Redis",
        choices: [
          choice(
            "bundled",
            "On this server",
            "With a password and a volume, not reachable from outside.",
          ),
          choice("external", "My own", "Its password is typed on the server, never here."),
        ],
      },
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
          { kind: "text", field: "redis.username", label: "User name, if it has one" },
          { kind: "check", field: "redis.tls", label: "Connect by TLS" },
        ],
      },
    ],
  },
];
