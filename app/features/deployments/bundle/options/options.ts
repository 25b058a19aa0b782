import * as z from "zod/mini";
import { addressIds, architectureIds, providerIds, regionIds, sizeIds } from "../providers.ts";
import * as field from "./option-fields.ts";

const flag = z.boolean("Write true or false.");
const protocols = ["tcp", "udp"] as const;

/** The allowed values of every option that has a fixed list of them. */
export const choices = {
  provider: providerIds,
  region: regionIds,
  size: sizeIds,
  architecture: architectureIds,
  system: ["ubuntu-24.04", "amazon-linux-2023"],
  turn: ["auto", "manual"],
  turnUdpPort: ["3478", "443"],
  mediaUdp: ["range", "single"],
  firewall: ["standard", "strict", "custom"],
  security: ["standard", "high", "enterprise"],
  monitoring: ["basic", "advanced", "24/7"],
  ingress: ["none", "rtmp", "webrtc", "both"],
  recording: ["none", "local", "s3", "gcs"],
  codecs: ["opus", "red", "vp8", "h264", "vp9", "av1", "h265"],
  sip: ["none", "on"],
  agent: ["none", "image"],
  updates: ["manual", "weekly", "monthly"],
  maintenanceDay: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
  backups: ["none", "daily", "weekly", "monthly"],
  backupTarget: ["machine", "s3", "gcs", "azure"],
  redis: ["bundled", "external"],
  addresses: addressIds,
  proxy: ["none", "existing"],
  secrets: ["server", "browser"],
} as const;

type Question = keyof typeof choices;

function choose<const Q extends Question>(question: Q) {
  const allowed = choices[question];
  return z.enum(allowed, `Choose one of: ${allowed.join(", ")}.`);
}

/** The sentence for an object whose `mode`, `preset` or `kind` is none of the allowed values. */
function wrong(question: Question) {
  return `Choose one of: ${choices[question].join(", ")}.`;
}

/**
 * The options of a deployment, as files and the database keep them. All but `domain` and `email` have a default. What
 * the schema returns is canonical: names are in punycode, ranges are masked, versions are tags.
 */
function schemaOfOptions() {
  // Recordings and backups name their bucket in the same way.
  const s3 = {
    kind: z.literal("s3"),
    bucket: field.bucketField,
    region: field.bucketRegionField,
    endpoint: z.optional(field.endpointField),
    forcePathStyle: z._default(flag, false),
  };
  const gcs = { kind: z.literal("gcs"), bucket: field.bucketField };
  const ranges = z._default(
    z
      .array(field.rangeField, "Write a list of address ranges.")
      .check(z.maxLength(20, "Write at most 20 address ranges.")),
    [],
  );
  return z.strictObject({
    version: z._default(z.literal(1, "This program reads version 1 of the options."), 1),
    provider: z._default(choose("provider"), "aws"),
    region: z._default(field.regionField, "us-east"),
    size: z._default(choose("size"), "medium"),
    architecture: z._default(choose("architecture"), "amd64"),
    disk: field.numberField(20, 4096, 40),
    system: z._default(choose("system"), "ubuntu-24.04"),
    domain: field.domainField,
    extraDomains: z._default(
      z
        .array(field.domainField, "Write a list of domains.")
        .check(z.maxLength(5, "Write at most 5 more domains.")),
      [],
    ),
    email: field.emailField,
    turn: z._default(
      z.discriminatedUnion(
        "mode",
        [
          z.strictObject({ mode: z.literal("auto") }),
          z.strictObject({
            mode: z.literal("manual"),
            domain: field.domainField,
            udp: z._default(flag, true),
            tls: z._default(flag, true),
          }),
        ],
        wrong("turn"),
      ),
      { mode: "auto" },
    ),
    turnUdpPort: z._default(choose("turnUdpPort"), "3478"),
    mediaUdp: z._default(choose("mediaUdp"), "range"),
    whipDomain: z.optional(field.domainField),
    firewall: z._default(
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
                    ports: field.portsField,
                    source: field.rangeField,
                  }),
                  "Write a list of rules.",
                )
                .check(z.maxLength(20, "Write at most 20 rules.")),
              [],
            ),
          }),
        ],
        wrong("firewall"),
      ),
      { preset: "standard" },
    ),
    sshSource: ranges,
    security: z._default(choose("security"), "standard"),
    monitoring: z._default(choose("monitoring"), "basic"),
    alertUrl: z.optional(field.alertUrlField),
    ingress: z._default(choose("ingress"), "none"),
    recording: z._default(
      z.discriminatedUnion(
        "kind",
        [
          z.strictObject({ kind: z.literal("none") }),
          z.strictObject({ kind: z.literal("local") }),
          z.strictObject(s3),
          z.strictObject(gcs),
        ],
        wrong("recording"),
      ),
      { kind: "none" },
    ),
    sip: z._default(
      z.discriminatedUnion(
        "kind",
        [
          z.strictObject({ kind: z.literal("none") }),
          z.strictObject({
            kind: z.literal("on"),
            sources: ranges,
          }),
        ],
        wrong("sip"),
      ),
      { kind: "none" },
    ),
    agent: z._default(
      z.discriminatedUnion(
        "kind",
        [
          z.strictObject({ kind: z.literal("none") }),
          z.strictObject({ kind: z.literal("image"), image: field.imageField }),
        ],
        wrong("agent"),
      ),
      { kind: "none" },
    ),
    rooms: z.prefault(
      z.strictObject(
        {
          maxParticipants: field.numberField(0, 100_000, 0),
          emptyTimeout: field.numberField(1, 86_400, 300),
          departureTimeout: field.numberField(1, 86_400, 20),
          createdByJoining: z._default(flag, true),
          codecs: z._default(
            z
              .array(choose("codecs"), "Write a list of codecs.")
              .check(z.maxLength(choices.codecs.length, "Write each codec once.")),
            [],
          ),
        },
        'Write the defaults of rooms as {"maxParticipants": 50}.',
      ),
      {},
    ),
    limits: z.prefault(
      z.strictObject(
        {
          tracks: field.numberField(0, 1_000_000, 0),
          bytesPerSecond: field.numberField(0, 100_000_000_000, 0),
        },
        'Write the limits as {"tracks": 2000}.',
      ),
      {},
    ),
    webhooks: z._default(
      z
        .array(field.alertUrlField, "Write a list of web addresses.")
        .check(z.maxLength(5, "Write at most 5 web addresses.")),
      [],
    ),
    updates: z._default(choose("updates"), "manual"),
    maintenance: z._default(
      z.strictObject(
        {
          day: z._default(choose("maintenanceDay"), "sunday"),
          hour: field.numberField(0, 23, 3),
        },
        'Write day and hour in UTC, as {"day": "sunday", "hour": 3}.',
      ),
      { day: "sunday", hour: 3 },
    ),
    drain: z._default(
      z.strictObject(
        { minutes: field.numberField(0, 720, 15) },
        'Write how long to wait for calls to end, as {"minutes": 15}.',
      ),
      { minutes: 15 },
    ),
    backups: z._default(
      z.strictObject(
        {
          frequency: z._default(choose("backups"), "none"),
          ageRecipient: z.optional(field.ageRecipientField),
          target: z._default(
            z.discriminatedUnion(
              "kind",
              [
                z.strictObject({ kind: z.literal("machine") }),
                z.strictObject({ ...s3, prefix: z.optional(field.prefixField) }),
                z.strictObject(gcs),
                z.strictObject({
                  kind: z.literal("azure"),
                  account: field.azureAccountField,
                  container: field.azureContainerField,
                }),
              ],
              wrong("backupTarget"),
            ),
            { kind: "machine" },
          ),
        },
        'Write how often to back up, as {"frequency": "daily"}.',
      ),
      { frequency: "none", target: { kind: "machine" } },
    ),
    versions: z.prefault(
      z.strictObject(
        {
          livekit: field.versionField("livekit"),
          egress: field.versionField("egress"),
          ingress: field.versionField("ingress"),
          sip: field.versionField("sip"),
          caddy: field.versionField("caddy"),
          redis: field.versionField("redis"),
        },
        'Write the versions as {"livekit": "v1.13.5"}.',
      ),
      {},
    ),
    redis: z._default(
      z.discriminatedUnion(
        "kind",
        [
          z.strictObject({ kind: z.literal("bundled") }),
          z.strictObject({
            kind: z.literal("external"),
            address: field.redisAddressField,
            username: z.optional(field.redisUserField),
            tls: z._default(flag, true),
          }),
        ],
        wrong("redis"),
      ),
      { kind: "bundled" },
    ),
    addresses: z._default(choose("addresses"), "ipv4"),
    proxy: z._default(choose("proxy"), "none"),
    secrets: z._default(choose("secrets"), "server"),
  });
}

let made: ReturnType<typeof schemaOfOptions> | undefined;

/** The schema of the options. It is made at first use, because making it took a tenth of the Worker's start-up time. */
export function deploymentOptions() {
  made ??= schemaOfOptions();
  return made;
}

/** Options that `parseOptions` has checked. Nothing else may make them. */
export type DeploymentOptions = z.output<ReturnType<typeof deploymentOptions>>;
