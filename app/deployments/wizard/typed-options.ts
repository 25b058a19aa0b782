import type { Problem } from "../bundle/bundle-types.ts";
import { toUnicode } from "../bundle/names.ts";
import { type DeploymentOptions, parseOptions } from "../bundle/options.ts";
import { isRegionId } from "../bundle/providers.ts";
import { components } from "../bundle/versions.ts";
import type { FormStepId, StepId } from "./steps.ts";

/** What stands in the wizard's fields, by field name. A check box that is off has no entry. */
export type Typed = Readonly<Record<string, string>>;

/** What is wrong, by field name; `step` is where a field of another step is asked. */
export type FieldProblem = { field: string; step: FormStepId; message: string };

/** Which step asks for what, by the beginning of a field's name. */
const stepOfField: Readonly<Record<string, FormStepId>> = {
  name: "deployment",
  provider: "deployment",
  region: "deployment",
  size: "deployment",
  architecture: "deployment",
  disk: "deployment",
  system: "deployment",
  addresses: "deployment",
  domain: "security",
  extraDomains: "security",
  email: "security",
  proxy: "security",
  turn: "server",
  turnUdpPort: "server",
  mediaUdp: "server",
  rooms: "server",
  limits: "server",
  firewall: "server",
  sshSource: "server",
  redis: "server",
  security: "security-advanced",
  monitoring: "security-advanced",
  alertUrl: "security-advanced",
  secrets: "security-advanced",
  ingress: "features",
  whipDomain: "features",
  recording: "features",
  webhooks: "features",
  sip: "features",
  agent: "features",
  updates: "management",
  maintenance: "management",
  drain: "management",
  backups: "management",
  versions: "management",
};

/** The answer that asks for a provider's own name of a region. */
export const ownRegion = "own";

const firstPart = (path: string) => path.split(".")[0] ?? "";

/** The fields that hold one entry per line. */
const lists = [
  "webhooks",
  "sip.sources",
  "rooms.codecs",
  "extraDomains",
  "sshSource",
  "firewall.rules",
];

/** The fields that hold names, which people read in their own letters. */
export const domainFields = ["domain", "extraDomains", "turn.domain", "whipDomain"];

/** Options as the wizard's fields show them. */
export function typedOf(name: string, options: Partial<DeploymentOptions>): Typed {
  const typed: Record<string, string> = { name };
  for (const [key, value] of Object.entries(options)) put(typed, key, value);
  for (const field of domainFields) {
    if (typed[field]) typed[field] = typed[field].split("\n").map(toUnicode).join("\n");
  }
  // Where these are asked only after another choice, they begin as the generator's own defaults.
  if (options.turn?.mode !== "manual") Object.assign(typed, { "turn.udp": "on", "turn.tls": "on" });
  if (options.redis?.kind !== "external") typed["redis.tls"] = "on";
  const { recording, firewall, region } = options;
  if (region !== undefined && !isRegionId(region)) {
    Object.assign(typed, { region: ownRegion, "region.own": region });
  }
  if (recording?.kind === "s3" || recording?.kind === "gcs") {
    put(typed, `recording.${recording.kind}`, recording);
  }
  const target = options.backups?.target;
  if (target && target.kind !== "machine") put(typed, `backups.target.${target.kind}`, target);
  if (firewall?.preset === "custom") {
    typed["firewall.rules"] = firewall.rules
      .map(({ protocol, ports, source }) => `${protocol} ${ports} ${source}`)
      .join("\n");
  }
  return typed;
}

function put(typed: Record<string, string>, path: string, value: unknown) {
  if (typeof value === "string") typed[path] = value;
  else if (typeof value === "number") typed[path] = String(value);
  else if (value === true) typed[path] = "on";
  else if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    typed[path] = value.join("\n");
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) put(typed, `${path}.${key}`, inner);
  }
}

/** A posted form as what stands in its fields, without what no field of ours is called. */
export function typedOfForm(form: Iterable<[string, FormDataEntryValue]>): Typed {
  const typed: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string" && Object.hasOwn(stepOfField, firstPart(field))) {
      typed[field] = value;
    }
  }
  return typed;
}

/**
 * The options that a step's fields make of `base`, or what is wrong with them. Whether the plan has
 * every choice is not asked here.
 */
export function readStep(
  step: StepId,
  typed: Typed,
  base: Partial<DeploymentOptions>,
): { name: string; options: DeploymentOptions } | { problems: FieldProblem[] } {
  const name = text(typed, "name");
  const parsed = parseOptions({
    version: 1,
    ...base,
    ...(step === "review" ? {} : candidates[step](typed)),
  });
  const problems = [
    ...(step === "deployment" ? nameProblems(name) : []),
    ...(parsed.problems ? fieldProblems(parsed.problems, typed) : []),
  ];
  if (parsed.options && problems.length === 0) return { name, options: parsed.options };
  return { problems };
}

/** Problems of options at the fields that ask for them, the first of each. */
export function fieldProblems(problems: readonly Problem[], typed: Typed): FieldProblem[] {
  const found = new Map<string, FieldProblem>();
  for (const { path, message } of problems) {
    const field = fieldOf(path, typed);
    const step = stepOfField[firstPart(path)];
    if (!step || found.has(field)) continue;
    const line = lists.includes(field) && /\.(\d+)/.exec(path.slice(field.length))?.[1];
    found.set(field, {
      field,
      step,
      message: line ? `Line ${Number(line) + 1}: ${message}` : message,
    });
  }
  return [...found.values()];
}

function fieldOf(path: string, typed: Typed): string {
  const list = lists.find((each) => path.startsWith(each));
  if (list) return list;
  const recording = /^recording\.(?!kind$)(.+)$/.exec(path)?.[1];
  if (recording) return `recording.${typed["recording.kind"]}.${recording}`;
  const target = /^backups\.target\.(?!kind$)(.+)$/.exec(path)?.[1];
  if (target) return `backups.target.${typed["backups.target.kind"]}.${target}`;
  const wholes: Record<string, string> = {
    turn: "turn.mode",
    firewall: "firewall.preset",
    recording: "recording.kind",
    "backups.target": "backups.target.kind",
    redis: "redis.kind",
    sip: "sip.kind",
    agent: "agent.kind",
  };
  if (path === "region" && typed.region === ownRegion) return "region.own";
  return wholes[path] ?? path;
}

/** What is wrong with a deployment's name, which is text that only the console shows. */
export function nameProblems(name: string): FieldProblem[] {
  const message =
    name === ""
      ? "Give it a name, so that you find it again."
      : [...name].length > 80
        ? "A name has at most 80 characters."
        : /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
          ? "A name has no invisible characters."
          : undefined;
  return message ? [{ field: "name", step: "deployment", message }] : [];
}

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
const candidates: Record<FormStepId, (typed: Typed) => Record<string, unknown>> = {
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

function recording(typed: Typed) {
  switch (typed["recording.kind"]) {
    case "s3":
      return {
        kind: "s3",
        bucket: text(typed, "recording.s3.bucket"),
        region: text(typed, "recording.s3.region"),
        endpoint: optional(typed, "recording.s3.endpoint"),
        forcePathStyle: isOn(typed, "recording.s3.forcePathStyle"),
      };
    case "gcs":
      return { kind: "gcs", bucket: text(typed, "recording.gcs.bucket") };
    default:
      return { kind: text(typed, "recording.kind") };
  }
}

function backupTarget(typed: Typed) {
  const of = (name: string) => `backups.target.${typed["backups.target.kind"]}.${name}`;
  switch (typed["backups.target.kind"]) {
    case "s3":
      return {
        kind: "s3",
        bucket: text(typed, of("bucket")),
        region: text(typed, of("region")),
        endpoint: optional(typed, of("endpoint")),
        forcePathStyle: isOn(typed, of("forcePathStyle")),
        prefix: optional(typed, of("prefix")),
      };
    case "gcs":
      return { kind: "gcs", bucket: text(typed, of("bucket")) };
    case "azure":
      return {
        kind: "azure",
        account: text(typed, of("account")),
        container: text(typed, of("container")),
      };
    case undefined:
      return undefined;
    default:
      return { kind: text(typed, "backups.target.kind") };
  }
}
