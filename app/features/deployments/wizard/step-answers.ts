import { components } from "../bundle/versions.ts";
import type { FormStepId } from "./steps.ts";

/** What stands in the wizard's fields, by field name. A check box that is off has no entry. */
export type Typed = Readonly<Record<string, string>>;

/** The answer that asks for a provider's own name of a region. */
export const ownRegion = "own";

function text(typed: Typed, field: string): string {
  return (typed[field] ?? "").trim();
}

/** An empty field is an absent option. */
function optional(typed: Typed, field: string): string | undefined {
  return text(typed, field) || undefined;
}

/** A field of digits as a number, an empty one as an absent option. Other words are refused as they are. */
function number(typed: Typed, field: string): number | string | undefined {
  const written = text(typed, field);
  return /^\d+$/.test(written) ? Number(written) : written || undefined;
}

function isOn(typed: Typed, field: string): boolean {
  return typed[field] === "on";
}

function lines(typed: Typed, field: string): string[] {
  return (typed[field] ?? "")
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
export const answersOfStep: Record<FormStepId, (typed: Typed) => Record<string, unknown>> = {
  deployment: (typed) => ({
    provider: text(typed, "provider"),
    region: text(typed, typed.region === ownRegion ? "region.own" : "region"),
    size: text(typed, "size"),
    architecture: text(typed, "architecture"),
    disk: number(typed, "disk"),
    system: text(typed, "system"),
    addresses: text(typed, "addresses"),
  }),
  security: (typed) => ({
    domain: text(typed, "domain"),
    email: text(typed, "email"),
    extraDomains: lines(typed, "extraDomains"),
    proxy: text(typed, "proxy"),
  }),
  server: (typed) => ({
    turn:
      typed["turn.mode"] === "manual"
        ? {
            mode: "manual",
            domain: optional(typed, "turn.domain"),
            udp: isOn(typed, "turn.udp"),
            tls: isOn(typed, "turn.tls"),
          }
        : { mode: text(typed, "turn.mode") },
    firewall:
      typed["firewall.preset"] === "custom"
        ? { preset: "custom", rules: lines(typed, "firewall.rules").map(rule) }
        : { preset: text(typed, "firewall.preset") },
    sshSource: lines(typed, "sshSource"),
    turnUdpPort: text(typed, "turnUdpPort"),
    mediaUdp: text(typed, "mediaUdp"),
    rooms: {
      maxParticipants: number(typed, "rooms.maxParticipants"),
      emptyTimeout: number(typed, "rooms.emptyTimeout"),
      departureTimeout: number(typed, "rooms.departureTimeout"),
      createdByJoining: isOn(typed, "rooms.createdByJoining"),
      codecs: lines(typed, "rooms.codecs"),
    },
    limits: {
      tracks: number(typed, "limits.tracks"),
      bytesPerSecond: number(typed, "limits.bytesPerSecond"),
    },
    redis:
      typed["redis.kind"] === "external"
        ? {
            kind: "external",
            address: text(typed, "redis.address"),
            username: optional(typed, "redis.username"),
            tls: isOn(typed, "redis.tls"),
          }
        : { kind: text(typed, "redis.kind") },
  }),
  "security-advanced": (typed) => ({
    security: text(typed, "security"),
    monitoring: text(typed, "monitoring"),
    alertUrl: typed.monitoring === "24/7" ? optional(typed, "alertUrl") : undefined,
    secrets: text(typed, "secrets"),
  }),
  features: (typed) => ({
    ingress: text(typed, "ingress"),
    whipDomain: /^(webrtc|both)$/.test(typed.ingress ?? "")
      ? optional(typed, "whipDomain")
      : undefined,
    recording: recording(typed),
    webhooks: lines(typed, "webhooks"),
    sip:
      typed["sip.kind"] === "on"
        ? { kind: "on", sources: lines(typed, "sip.sources") }
        : { kind: text(typed, "sip.kind") },
    agent:
      typed["agent.kind"] === "image"
        ? { kind: "image", image: text(typed, "agent.image") }
        : { kind: text(typed, "agent.kind") },
  }),
  management: (typed) => ({
    updates: text(typed, "updates"),
    maintenance: {
      day: optional(typed, "maintenance.day"),
      hour: number(typed, "maintenance.hour"),
    },
    drain: { minutes: number(typed, "drain.minutes") },
    backups: {
      frequency: text(typed, "backups.frequency"),
      ageRecipient: optional(typed, "backups.ageRecipient"),
      target: backupTarget(typed),
    },
    versions: Object.fromEntries(
      components.map((component) => [component, text(typed, `versions.${component}`)]),
    ),
  }),
};

/** A bucket that speaks S3, whose fields' names begin with `at`. */
function s3Bucket(typed: Typed, at: string) {
  return {
    kind: "s3",
    bucket: text(typed, `${at}.bucket`),
    region: text(typed, `${at}.region`),
    endpoint: optional(typed, `${at}.endpoint`),
    forcePathStyle: isOn(typed, `${at}.forcePathStyle`),
  };
}

function recording(typed: Typed) {
  switch (typed["recording.kind"]) {
    case "s3":
      return s3Bucket(typed, "recording.s3");
    case "gcs":
      return { kind: "gcs", bucket: text(typed, "recording.gcs.bucket") };
    default:
      return { kind: text(typed, "recording.kind") };
  }
}

function backupTarget(typed: Typed) {
  const at = "backups.target";
  switch (typed[`${at}.kind`]) {
    case "s3":
      return { ...s3Bucket(typed, `${at}.s3`), prefix: optional(typed, `${at}.s3.prefix`) };
    case "gcs":
      return { kind: "gcs", bucket: text(typed, `${at}.gcs.bucket`) };
    case "azure":
      return {
        kind: "azure",
        account: text(typed, `${at}.azure.account`),
        container: text(typed, `${at}.azure.container`),
      };
    case undefined:
      return undefined;
    default:
      return { kind: text(typed, `${at}.kind`) };
  }
}
