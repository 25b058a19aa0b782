import * as z from "zod/mini";
import { choiceOption, type OptionDocs, type Options } from "../option.ts";
import { alertUrlField } from "../option-fields.ts";
import { choice } from "../question.ts";

/** How far the machine is hardened, what is watched, and where secrets are made. */
export const protectionOptions = {
  security: choiceOption(
    {
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
    "standard",
  ),
  monitoring: {
    ...choiceOption(
      {
        field: "monitoring",
        label: "Monitoring",
        choices: [
          choice("basic", "Basic", "A health check every five minutes, in the journal."),
          choice("advanced", "Advanced", "Prometheus on the server, 15 days of measurements."),
          choice("24/7", "24/7", "Alert rules as well, and a message when the state changes."),
        ],
      },
      "basic",
    ),
    pro: { field: "monitoring", name: "Advanced monitoring", listed: "advanced monitoring" },
  },
  alertUrl: {
    field: () => z.optional(alertUrlField),
    questions: [
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
            optional: true,
            placeholder: "https://alerts.example.com/livekit",
            hint: "Receives JSON by POST. Without one the state is only logged.",
          },
        ],
      },
    ],
  },
  secrets: {
    onRunningServer: "nothing",
    fold: "Where secrets are made",
    ...choiceOption(
      {
        field: "secrets",
        label: "Secrets",
        choices: [
          choice("server", "On the server", "At first boot: no secret travels at all."),
          choice("browser", "In your browser", "When you download; never sent to us."),
        ],
      },
      "server",
    ),
  },
} as const satisfies Options;

export const protectionDocs: OptionDocs = {
  security: {
    about: "How far the machine and the containers are hardened.",
    values: [
      [
        "standard",
        "SSH by key only, security updates by themselves, no new privileges in containers",
      ],
      [
        "high",
        "And: containers without capabilities and with read-only file systems, LiveKit as nobody, kernel settings, no way to the cloud's metadata",
      ],
      [
        "enterprise",
        "And: audit rules, a reboot window for kernels, no core dumps, backups only encrypted",
      ],
    ],
  },
  monitoring: {
    about: "basic: a health check. advanced: metrics too. 24/7: alerts too.",
    values: [
      ["basic", "A health check every five minutes, in the journal"],
      [
        "advanced",
        "And: metrics of LiveKit, Egress, Ingress and the machine in Prometheus, on this machine only, for 15 days",
      ],
      ["24/7", "And: alert rules, and a POST to `alertUrl` when the state changes"],
    ],
  },
  alertUrl: "Where 24/7 monitoring posts JSON when the state changes.",
  secrets: {
    about: "server: made on the machine at first boot. browser: made where the bundle is made.",
    values: [
      ["server", "Made on the machine at first boot; user data holds none"],
      ["browser", "Made where the bundle is made, never sent to us; they stand in cloud-init.yaml"],
    ],
  },
};
