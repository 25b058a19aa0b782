import { choices } from "../../bundle/options/options.ts";
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
      choice("daily", "Daily"),
      choice("weekly", "Weekly"),
      choice("monthly", "Monthly"),
    ],
    hint: "The newest of 7 days, 5 weeks and 6 months are kept.",
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
    kind: "choice",
    field: "backups.target.kind",
    label: "Copy backups to",
    choices: [
      choice("machine", "Nowhere", "They stay in /var/backups/livekit on the server."),
      choice("s3", "S3", "AWS by the server's role, or anything that speaks S3 by keys."),
      choice("gcs", "GCS", "Google Cloud Storage."),
      choice("azure", "Azure", "A container of Blob Storage."),
    ],
    hint: "Keys are typed on the server, never here. Each month the newest backup is read as a restore would read it; of an encrypted one only the checksum is compared.",
  },
  {
    kind: "when",
    field: "backups.target.kind",
    values: ["s3"],
    questions: [
      { kind: "text", field: "backups.target.s3.bucket", label: "Bucket for backups" },
      {
        kind: "text",
        field: "backups.target.s3.region",
        label: "Region of that bucket",
        placeholder: "eu-west-1",
      },
      {
        kind: "text",
        field: "backups.target.s3.endpoint",
        label: "Endpoint of that storage",
        type: "url",
        placeholder: "https://s3.example.com",
        hint: "For storage that is not Amazon's.",
      },
      {
        kind: "check",
        field: "backups.target.s3.forcePathStyle",
        label: "Bucket for backups in the path, as MinIO wants it",
      },
      {
        kind: "text",
        field: "backups.target.s3.prefix",
        label: "Folder in that bucket",
        hint: "In it, each deployment has a folder of its domain's name.",
      },
    ],
  },
  {
    kind: "when",
    field: "backups.target.kind",
    values: ["gcs"],
    questions: [{ kind: "text", field: "backups.target.gcs.bucket", label: "Bucket for backups" }],
  },
  {
    kind: "when",
    field: "backups.target.kind",
    values: ["azure"],
    questions: [
      { kind: "text", field: "backups.target.azure.account", label: "Storage account" },
      { kind: "text", field: "backups.target.azure.container", label: "Container for backups" },
    ],
  },
  {
    kind: "advanced",
    label: "Maintenance hour, and calls that run then",
    questions: [
      {
        kind: "choice",
        field: "maintenance.day",
        label: "Day of maintenance",
        compact: true,
        choices: choices.maintenanceDay.map((day) =>
          choice(day, `${day[0]?.toUpperCase()}${day.slice(1)}`),
        ),
      },
      {
        kind: "text",
        field: "maintenance.hour",
        label: "Hour of maintenance (UTC)",
        type: "number",
        hint: "0 to 23. Updates begin at half past, backups an hour before, reboots for system updates two hours after.",
      },
      {
        kind: "text",
        field: "drain.minutes",
        label: "Wait for running calls (minutes)",
        type: "number",
        hint: "0 to 720. New rooms go on meanwhile. After that, calls that still run are cut for some seconds and reconnect by themselves.",
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
      version("sip", "SIP"),
      version("caddy", "Caddy"),
      version("redis", "Redis"),
    ],
  },
];
