import { choice, type Question, version } from "./question";

/** When the server is updated and backed up, and in which versions it runs. */
export const managementQuestions: Question[] = [
  {
    kind: "choice",
    field: "updates",
    label: "Update schedule",
    choices: [
      choice("manual", "Manual", "When you say livekit-deploy update."),
      choice("weekly", "Weekly", "By a timer, with a way back."),
      choice("monthly", "Monthly", "By a timer, with a way back."),
    ],
  },
  {
    kind: "choice",
    field: "backups.frequency",
    label: "Backup frequency",
    choices: [
      choice("none", "None"),
      choice("daily", "Daily", "The last 7 are kept."),
      choice("weekly", "Weekly", "The last 5 are kept."),
      choice("monthly", "Monthly", "The last 6 are kept."),
    ],
  },
  {
    kind: "when",
    field: "backups.frequency",
    values: ["daily", "weekly", "monthly"],
    questions: [
      {
        kind: "text",
        field: "backups.ageRecipient",
        label: "Encrypt backups for",
        placeholder: "age1…",
        hint: "The public key that age-keygen shows. Without one backups are not encrypted.",
      },
    ],
  },
  {
    kind: "advanced",
    label: "Versions",
    questions: [
      version("livekit", "LiveKit"),
      version("egress", "Egress"),
      version("ingress", "Ingress"),
      version("caddy", "Caddy"),
      version("redis", "Redis"),
    ],
  },
];
