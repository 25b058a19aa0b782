import * as z from "zod/mini";
import { type Component, newerThanPinned, pinned } from "../../versions.ts";
import { choiceField, choiceOption, type OptionDocs, type Options, oneOf } from "../option.ts";
import {
  ageRecipientField,
  azureAccountField,
  azureContainerField,
  gcsBucket,
  numberField,
  prefixField,
  s3Bucket,
  versionField,
} from "../option-fields.ts";
import { choice, type Question } from "../question.ts";

/** The days in the order that calendars of systemd count them. */
export const weekdays = [
  choice("sunday", "Sunday"),
  choice("monday", "Monday"),
  choice("tuesday", "Tuesday"),
  choice("wednesday", "Wednesday"),
  choice("thursday", "Thursday"),
  choice("friday", "Friday"),
  choice("saturday", "Saturday"),
];
const backupFrequencies = [
  choice("none", "None"),
  choice("daily", "Daily"),
  choice("weekly", "Weekly"),
  choice("monthly", "Monthly"),
];
const backupTargets = [
  choice("machine", "Nowhere", "They stay in /var/backups/livekit on the server."),
  choice("s3", "S3", "AWS by the server's role, or anything that speaks S3 by keys."),
  choice("gcs", "GCS", "Google Cloud Storage."),
  choice("azure", "Azure", "A container of Blob Storage."),
];
const maintenanceFold = "Maintenance hour, and calls that run then";

/** When the server is updated and backed up, and in which versions it runs. */
export const managementOptions = {
  updates: choiceOption(
    {
      field: "updates",
      label: "Update schedule",
      choices: [
        choice("manual", "Manual", "When you say livekit-deploy update."),
        choice("weekly", "Weekly", "By a timer, with a way back."),
        choice("monthly", "Monthly", "By a timer, with a way back."),
      ],
    },
    "manual",
  ),
  backups: {
    field: () =>
      z._default(
        z.strictObject(
          {
            frequency: choiceField(backupFrequencies, "none"),
            ageRecipient: z.optional(ageRecipientField),
            target: z._default(
              z.discriminatedUnion(
                "kind",
                [
                  z.strictObject({ kind: z.literal("machine") }),
                  z.strictObject({ ...s3Bucket(), prefix: z.optional(prefixField) }),
                  z.strictObject(gcsBucket()),
                  z.strictObject({
                    kind: z.literal("azure"),
                    account: azureAccountField,
                    container: azureContainerField,
                  }),
                ],
                oneOf(backupTargets),
              ),
              { kind: "machine" },
            ),
          },
          'Write how often to back up, as {"frequency": "daily"}.',
        ),
        { frequency: "none", target: { kind: "machine" } },
      ),
    questions: [
      {
        kind: "choice",
        field: "backups.frequency",
        label: "Backup frequency",
        choices: backupFrequencies,
        hint: "The newest of 7 days, 5 weeks and 6 months are kept.",
      },
      {
        kind: "when",
        field: "backups.frequency",
        values: ["daily", "weekly", "monthly"],
        always: true,
        questions: [
          {
            kind: "text",
            field: "backups.ageRecipient",
            label: "Encrypt backups for",
            optional: true,
            placeholder: "age1…",
            hint: "The public key that age-keygen shows. Without one backups are not encrypted.",
          },
        ],
      },
      {
        kind: "choice",
        field: "backups.target.kind",
        label: "Copy backups to",
        optional: true,
        choices: backupTargets,
        hint: "Keys are typed on the server, never here. Each month the newest backup is read as a restore would read it; of an encrypted one only the checksum is compared.",
      },
      {
        kind: "when",
        field: "backups.target.kind",
        values: ["s3"],
        questions: [
          {
            kind: "text",
            field: "backups.target.s3.bucket",
            path: "backups.target.bucket",
            label: "Bucket for backups",
          },
          {
            kind: "text",
            field: "backups.target.s3.region",
            path: "backups.target.region",
            label: "Region of that bucket",
            placeholder: "eu-west-1",
          },
          {
            kind: "text",
            field: "backups.target.s3.endpoint",
            path: "backups.target.endpoint",
            label: "Endpoint of that storage",
            type: "url",
            optional: true,
            placeholder: "https://s3.example.com",
            hint: "For storage that is not Amazon's.",
          },
          {
            kind: "check",
            field: "backups.target.s3.forcePathStyle",
            path: "backups.target.forcePathStyle",
            label: "Bucket for backups in the path, as MinIO wants it",
          },
          {
            kind: "text",
            field: "backups.target.s3.prefix",
            path: "backups.target.prefix",
            label: "Folder in that bucket",
            optional: true,
            hint: "In it, each deployment has a folder of its domain's name.",
          },
        ],
      },
      {
        kind: "when",
        field: "backups.target.kind",
        values: ["gcs"],
        questions: [
          {
            kind: "text",
            field: "backups.target.gcs.bucket",
            path: "backups.target.bucket",
            label: "Bucket for backups",
          },
        ],
      },
      {
        kind: "when",
        field: "backups.target.kind",
        values: ["azure"],
        questions: [
          {
            kind: "text",
            field: "backups.target.azure.account",
            path: "backups.target.account",
            label: "Storage account",
          },
          {
            kind: "text",
            field: "backups.target.azure.container",
            path: "backups.target.container",
            label: "Container for backups",
          },
        ],
      },
    ],
    pro: { field: "backups.frequency", name: "Automatic backups", listed: "automatic backups" },
  },
  maintenance: {
    fold: maintenanceFold,
    field: () =>
      z._default(
        z.strictObject(
          { day: choiceField(weekdays, "sunday"), hour: numberField(0, 23, 3) },
          'Write day and hour in UTC, as {"day": "sunday", "hour": 3}.',
        ),
        { day: "sunday", hour: 3 },
      ),
    questions: [
      {
        kind: "choice",
        field: "maintenance.day",
        label: "Day of maintenance",
        compact: true,
        optional: true,
        choices: weekdays,
      },
      {
        kind: "text",
        field: "maintenance.hour",
        label: "Hour of maintenance (UTC)",
        type: "number",
        hint: "0 to 23. Updates begin at half past, backups an hour before, reboots for system updates two hours after.",
      },
    ],
  },
  drain: {
    fold: maintenanceFold,
    field: () =>
      z._default(
        z.strictObject(
          { minutes: numberField(0, 720, 15) },
          'Write how long to wait for calls to end, as {"minutes": 15}.',
        ),
        { minutes: 15 },
      ),
    questions: [
      {
        kind: "text",
        field: "drain.minutes",
        label: "Wait for running calls (minutes)",
        type: "number",
        hint: "0 to 720. New rooms go on meanwhile. After that, calls that still run are cut for some seconds and reconnect by themselves.",
      },
    ],
  },
  versions: {
    fold: "Versions",
    field: () =>
      z.prefault(
        z.strictObject(
          {
            livekit: versionField("livekit"),
            egress: versionField("egress"),
            ingress: versionField("ingress"),
            sip: versionField("sip"),
            caddy: versionField("caddy"),
            redis: versionField("redis"),
          },
          'Write the versions as {"livekit": "v1.13.11"}.',
        ),
        {},
      ),
    questions: [
      version("livekit", "LiveKit"),
      version("egress", "Egress"),
      version("ingress", "Ingress"),
      version("sip", "SIP"),
      version("caddy", "Caddy"),
      version("redis", "Redis"),
    ],
  },
} as const satisfies Options;

/** The question for a component's image tag; empty means the one that this release pins. */
function version(component: Component, label: string): Question {
  const newer = newerThanPinned(component);
  const later = newer ? ` Newer, and not tested by us yet: ${newer.tag} of ${newer.date}.` : "";
  return {
    kind: "text",
    field: `versions.${component}`,
    label,
    optional: true,
    hint: `Empty: ${pinned[component].tag}, of ${pinned[component].date}.${later}`,
    suggestions: [pinned[component].tag],
  };
}

export const managementDocs: OptionDocs = {
  updates: {
    about: "How often new images are looked for.",
    values: [
      ["manual", "Exactly the versions that you chose, until you say otherwise"],
      [
        "weekly",
        "Images by their minor version (`v1.13` for `v1.13.11`): a timer fetches its patches each week, and goes back when a service is not healthy",
      ],
      ["monthly", "The same each month"],
    ],
  },
  backups: "Redis, certificates, configuration and secrets.",
  "backups.frequency": {
    about: "How often a backup is made.",
    values: [
      [
        "none",
        "No timer; `livekit-deploy backup` works all the same, and no backup is ever removed",
      ],
      ["daily", "A backup each day; the last 7 days, 5 weeks and 6 months are kept"],
      ["weekly", "A backup each week"],
      ["monthly", "A backup each month"],
    ],
  },
  "backups.ageRecipient": "An age public key. With it, backups are encrypted.",
  "backups.target": "Where each backup is copied to.",
  "backups.target.kind": {
    about: "The kind of storage off the machine.",
    values: [
      ["machine", "Backups stay in /var/backups/livekit (`backups.target`)"],
      [
        "s3",
        "And each is copied to a bucket, into a folder of the domain's name, read back and compared; on AWS by the machine's role, else by keys typed on the machine",
      ],
      ["gcs", "The same at Google Cloud Storage; on Google Cloud by the machine's role"],
      [
        "azure",
        "The same in a container of Azure Blob Storage; on Azure by the machine's identity",
      ],
    ],
  },
  "backups.target.bucket": "The bucket for backups.",
  "backups.target.region": "The region of a bucket of S3's kind.",
  "backups.target.endpoint": "The address of a storage that is S3's kind but not Amazon's.",
  "backups.target.forcePathStyle":
    "Whether the bucket stands in the path rather than in the host name.",
  "backups.target.prefix": "A folder in the bucket, in which each deployment has its own.",
  "backups.target.account": "The storage account at Azure.",
  "backups.target.container": "The container in that account.",
  maintenance: "When timers act, in UTC.",
  "maintenance.day": {
    about: "The day of updates, and of the reboot that a system update waits for.",
    values: [
      [
        "sunday",
        "Updates, and the reboot that a system update waits for, come on this day, in UTC",
      ],
      ["monday", "The same on Monday"],
      ["tuesday", "The same on Tuesday"],
      ["wednesday", "The same on Wednesday"],
      ["thursday", "The same on Thursday"],
      ["friday", "The same on Friday"],
      ["saturday", "The same on Saturday"],
    ],
  },
  "maintenance.hour": "The hour of the updates, in UTC.",
  drain: "How a stop treats running calls.",
  "drain.minutes": "The longest wait for running calls before a stop.",
  versions: "Image versions. Left out, they are the pinned ones.",
  "versions.livekit": "The image tag of LiveKit.",
  "versions.egress": "The image tag of Egress.",
  "versions.ingress": "The image tag of Ingress.",
  "versions.sip": "The image tag of SIP.",
  "versions.caddy": "The image tag of Caddy.",
  "versions.redis": "The image tag of Redis.",
};
