import { components } from "../bundle/versions.ts";
import type { FormStepId } from "./steps.ts";

/** What stands in the wizard's fields, by field name. A check box that is off has no entry. */
export type FormValues = Readonly<Record<string, string>>;

/** The answer that asks for a provider's own name of a region. */
export const ownRegion = "own";

function text(formValues: FormValues, field: string): string {
  return (formValues[field] ?? "").trim();
}

/** An empty field is an absent option. */
function optional(formValues: FormValues, field: string): string | undefined {
  return text(formValues, field) || undefined;
}

/** A field of digits as a number, an empty one as an absent option. Other words are refused as they are. */
function number(formValues: FormValues, field: string): number | string | undefined {
  const written = text(formValues, field);
  return /^\d+$/.test(written) ? Number(written) : written || undefined;
}

function isOn(formValues: FormValues, field: string): boolean {
  return formValues[field] === "on";
}

function lines(formValues: FormValues, field: string): string[] {
  return (formValues[field] ?? "")
    .split(/\r\n|\n|,/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** `udp 9000-9010 203.0.113.0/24`; a line that is not of this form fails at its own field. */
function rule(line: string) {
  const [protocol = "", ports = "", source = "", ...more] = line.split(/\s+/);
  return { protocol: protocol.toLowerCase(), ports, source: [source, ...more].join(" ") };
}

/** What each step's fields say, before anybody has checked it. */
export const answersOfStep: Record<
  FormStepId,
  (formValues: FormValues) => Record<string, unknown>
> = {
  deployment: (formValues) => ({
    provider: text(formValues, "provider"),
    region: text(formValues, formValues.region === ownRegion ? "region.own" : "region"),
    size: text(formValues, "size"),
    architecture: text(formValues, "architecture"),
    disk: number(formValues, "disk"),
    system: text(formValues, "system"),
    addresses: text(formValues, "addresses"),
  }),
  domain: (formValues) => ({
    domain: text(formValues, "domain"),
    email: text(formValues, "email"),
    extraDomains: lines(formValues, "extraDomains"),
    proxy: text(formValues, "proxy"),
  }),
  network: (formValues) => ({
    turn:
      formValues["turn.mode"] === "manual"
        ? {
            mode: "manual",
            domain: optional(formValues, "turn.domain"),
            udp: isOn(formValues, "turn.udp"),
            tls: isOn(formValues, "turn.tls"),
          }
        : { mode: text(formValues, "turn.mode") },
    firewall:
      formValues["firewall.preset"] === "custom"
        ? { preset: "custom", rules: lines(formValues, "firewall.rules").map(rule) }
        : { preset: text(formValues, "firewall.preset") },
    sshSource: lines(formValues, "sshSource"),
    turnUdpPort: text(formValues, "turnUdpPort"),
    mediaUdp: text(formValues, "mediaUdp"),
    rooms: {
      maxParticipants: number(formValues, "rooms.maxParticipants"),
      emptyTimeout: number(formValues, "rooms.emptyTimeout"),
      departureTimeout: number(formValues, "rooms.departureTimeout"),
      createdByJoining: isOn(formValues, "rooms.createdByJoining"),
      codecs: lines(formValues, "rooms.codecs"),
    },
    limits: {
      tracks: number(formValues, "limits.tracks"),
      bytesPerSecond: number(formValues, "limits.bytesPerSecond"),
    },
    redis:
      formValues["redis.kind"] === "external"
        ? {
            kind: "external",
            address: text(formValues, "redis.address"),
            username: optional(formValues, "redis.username"),
            tls: isOn(formValues, "redis.tls"),
          }
        : { kind: text(formValues, "redis.kind") },
  }),
  protection: (formValues) => ({
    security: text(formValues, "security"),
    monitoring: text(formValues, "monitoring"),
    alertUrl: formValues.monitoring === "24/7" ? optional(formValues, "alertUrl") : undefined,
    secrets: text(formValues, "secrets"),
  }),
  features: (formValues) => ({
    ingress: text(formValues, "ingress"),
    whipDomain: /^(webrtc|both)$/.test(formValues.ingress ?? "")
      ? optional(formValues, "whipDomain")
      : undefined,
    recording: recording(formValues),
    webhooks: lines(formValues, "webhooks"),
    sip:
      formValues["sip.kind"] === "on"
        ? { kind: "on", sources: lines(formValues, "sip.sources") }
        : { kind: text(formValues, "sip.kind") },
    agent:
      formValues["agent.kind"] === "image"
        ? { kind: "image", image: text(formValues, "agent.image") }
        : { kind: text(formValues, "agent.kind") },
  }),
  management: (formValues) => ({
    updates: text(formValues, "updates"),
    maintenance: {
      day: optional(formValues, "maintenance.day"),
      hour: number(formValues, "maintenance.hour"),
    },
    drain: { minutes: number(formValues, "drain.minutes") },
    backups: {
      frequency: text(formValues, "backups.frequency"),
      ageRecipient: optional(formValues, "backups.ageRecipient"),
      target: backupTarget(formValues),
    },
    versions: Object.fromEntries(
      components.map((component) => [component, text(formValues, `versions.${component}`)]),
    ),
  }),
};

/** A bucket that speaks S3, whose fields' names begin with `at`. */
function s3Bucket(formValues: FormValues, at: string) {
  return {
    kind: "s3",
    bucket: text(formValues, `${at}.bucket`),
    region: text(formValues, `${at}.region`),
    endpoint: optional(formValues, `${at}.endpoint`),
    forcePathStyle: isOn(formValues, `${at}.forcePathStyle`),
  };
}

function recording(formValues: FormValues) {
  switch (formValues["recording.kind"]) {
    case "s3":
      return s3Bucket(formValues, "recording.s3");
    case "gcs":
      return { kind: "gcs", bucket: text(formValues, "recording.gcs.bucket") };
    default:
      return { kind: text(formValues, "recording.kind") };
  }
}

function backupTarget(formValues: FormValues) {
  const at = "backups.target";
  switch (formValues[`${at}.kind`]) {
    case "s3":
      return {
        ...s3Bucket(formValues, `${at}.s3`),
        prefix: optional(formValues, `${at}.s3.prefix`),
      };
    case "gcs":
      return { kind: "gcs", bucket: text(formValues, `${at}.gcs.bucket`) };
    case "azure":
      return {
        kind: "azure",
        account: text(formValues, `${at}.azure.account`),
        container: text(formValues, `${at}.azure.container`),
      };
    case undefined:
      return undefined;
    default:
      return { kind: text(formValues, `${at}.kind`) };
  }
}
