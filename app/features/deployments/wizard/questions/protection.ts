import { choice, type Question } from "./question";

/** How far the machine is hardened, what is watched, and where secrets are made. */
export const protectionQuestions: Question[] = [
  {
    kind: "choice",
    field: "security",
    label: "Security level",
    choices: [
      choice("standard", "Standard", "SSH by key only, security updates, no new privileges."),
      choice(
        "high",
        "High",
        "Read-only containers with the fewest capabilities, a hardened kernel.",
      ),
      choice(
        "enterprise",
        "Enterprise",
        "Audit rules, a window for reboots, encrypted backups only.",
      ),
    ],
  },
  {
    kind: "choice",
    field: "monitoring",
    label: "Monitoring",
    choices: [
      choice("basic", "Basic", "A health check every five minutes, in the journal."),
      choice("advanced", "Advanced", "Prometheus on the server, 15 days of measurements."),
      choice("24/7", "24/7", "Alert rules as well, and a message when the state changes."),
    ],
  },
  {
    kind: "when",
    field: "monitoring",
    values: ["24/7"],
    questions: [
      {
        kind: "text",
        field: "alertUrl",
        label: "Alert address",
        type: "url",
        placeholder: "https://alerts.example.com/livekit",
        hint: "Receives JSON by POST. Without one the state is only logged.",
      },
    ],
  },
  {
    kind: "advanced",
    label: "Where secrets are made",
    questions: [
      {
        kind: "choice",
        field: "secrets",
        label: "Secrets",
        choices: [
          choice("server", "On the server", "At first boot: no secret travels at all."),
          choice("browser", "In your browser", "When you download; never sent to us."),
        ],
      },
    ],
  },
];
