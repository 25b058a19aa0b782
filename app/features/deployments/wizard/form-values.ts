import type { Problem } from "../bundle/bundle-types.ts";
import { toUnicode } from "../bundle/names.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { parseOptions } from "../bundle/options/parse-options.ts";
import { isRegionId } from "../bundle/providers.ts";
import { answersOfStep, type FormValues, ownRegion } from "./step-answers.ts";
import type { FormStepId, StepId } from "./steps.ts";

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
  domain: "domain",
  extraDomains: "domain",
  email: "domain",
  proxy: "domain",
  turn: "network",
  turnUdpPort: "network",
  mediaUdp: "network",
  rooms: "network",
  limits: "network",
  firewall: "network",
  sshSource: "network",
  redis: "network",
  security: "protection",
  monitoring: "protection",
  alertUrl: "protection",
  secrets: "protection",
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
export function formValuesOf(name: string, options: Partial<DeploymentOptions>): FormValues {
  const formValues: Record<string, string> = { name };
  for (const [key, value] of Object.entries(options)) put(formValues, key, value);
  for (const field of domainFields) {
    if (formValues[field])
      formValues[field] = formValues[field].split("\n").map(toUnicode).join("\n");
  }
  // Where these are asked only after another choice, they begin as the generator's own defaults.
  if (options.turn?.mode !== "manual")
    Object.assign(formValues, { "turn.udp": "on", "turn.tls": "on" });
  if (options.redis?.kind !== "external") formValues["redis.tls"] = "on";
  const { recording, firewall, region } = options;
  if (region !== undefined && !isRegionId(region)) {
    Object.assign(formValues, { region: ownRegion, "region.own": region });
  }
  if (recording?.kind === "s3" || recording?.kind === "gcs") {
    put(formValues, `recording.${recording.kind}`, recording);
  }
  const target = options.backups?.target;
  if (target && target.kind !== "machine") put(formValues, `backups.target.${target.kind}`, target);
  if (firewall?.preset === "custom") {
    formValues["firewall.rules"] = firewall.rules
      .map(({ protocol, ports, source }) => `${protocol} ${ports} ${source}`)
      .join("\n");
  }
  return formValues;
}

function put(formValues: Record<string, string>, path: string, value: unknown) {
  if (typeof value === "string") formValues[path] = value;
  else if (typeof value === "number") formValues[path] = String(value);
  else if (value === true) formValues[path] = "on";
  else if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
    formValues[path] = value.join("\n");
  } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) put(formValues, `${path}.${key}`, inner);
  }
}

/** A posted form as what stands in its fields, without what no field of ours is called. */
export function readFormValues(form: Iterable<[string, FormDataEntryValue]>): FormValues {
  const formValues: Record<string, string> = {};
  for (const [field, value] of form) {
    if (typeof value === "string" && Object.hasOwn(stepOfField, firstPart(field))) {
      formValues[field] = value;
    }
  }
  return formValues;
}

/**
 * The options that a step's fields make of `base`, or what is wrong with them. Whether the plan has
 * every choice is not asked here.
 */
export function readStep(
  step: StepId,
  formValues: FormValues,
  base: Partial<DeploymentOptions>,
): { name: string; options: DeploymentOptions } | { problems: FieldProblem[] } {
  const name = (formValues.name ?? "").trim();
  const parsed = parseOptions({
    version: 1,
    ...base,
    ...(step === "review" ? {} : answersOfStep[step](formValues)),
  });
  const problems = [
    ...(step === "deployment" ? nameProblems(name) : []),
    ...(parsed.problems ? fieldProblems(parsed.problems, formValues) : []),
  ];
  if (parsed.options && problems.length === 0) return { name, options: parsed.options };
  return { problems };
}

/** Problems of options at the fields that ask for them, the first of each. */
export function fieldProblems(
  problems: readonly Problem[],
  formValues: FormValues,
): FieldProblem[] {
  const found = new Map<string, FieldProblem>();
  for (const { path, message } of problems) {
    const field = fieldOf(path, formValues);
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

function fieldOf(path: string, formValues: FormValues): string {
  const list = lists.find((each) => path.startsWith(each));
  if (list) return list;
  const recording = /^recording\.(?!kind$)(.+)$/.exec(path)?.[1];
  if (recording) return `recording.${formValues["recording.kind"]}.${recording}`;
  const target = /^backups\.target\.(?!kind$)(.+)$/.exec(path)?.[1];
  if (target) return `backups.target.${formValues["backups.target.kind"]}.${target}`;
  const wholes: Record<string, string> = {
    turn: "turn.mode",
    firewall: "firewall.preset",
    recording: "recording.kind",
    "backups.target": "backups.target.kind",
    redis: "redis.kind",
    sip: "sip.kind",
    agent: "agent.kind",
  };
  if (path === "region" && formValues.region === ownRegion) return "region.own";
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
