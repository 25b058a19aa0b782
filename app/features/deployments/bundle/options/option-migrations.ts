/**
 * What the fields of a visitor's draft on /services mean, by field and by label. A draft has no `version`, options have.
 * The labels are those of app/content/deployment-fields.ts: a test compares the two.
 */
const draftAnswers: Record<string, (label: string) => Record<string, unknown>> = {
  provider: (label) => ({ provider: identifier(label) }),
  region: (label) => ({ region: identifier(label) }),
  instanceType: (label) => ({ size: identifier(label) }),
  domain: (domain) => ({ domain }),
  email: (email) => ({ email }),
  turnConfig: (label) => ({ turn: { mode: identifier(label) } }),
  firewallPreset: (label) => ({ firewall: { preset: identifier(label) } }),
  securityLevel: (label) => ({ security: identifier(label) }),
  monitoring: (label) => ({ monitoring: identifier(label) }),
  ingressType: (label) => ({ ingress: identifier(label) }),
  recordingStorage: (label) => ({ recording: { kind: identifier(label) } }),
  updateSchedule: (label) => ({ updates: identifier(label) }),
  backupFrequency: (label) => ({ backups: { frequency: identifier(label) } }),
};

function identifier(label: string): string {
  return label.toLowerCase().replaceAll(" ", "-");
}

/** Fields that only a draft has. Options without `version` have none of them. */
const draftOnly = [
  "instanceType",
  "turnConfig",
  "firewallPreset",
  "securityLevel",
  "ingressType",
  "recordingStorage",
  "updateSchedule",
  "backupFrequency",
];
const label = /[A-Z ]/;

/** Turns a draft, which has no `version`, into options. Anything else is returned as it is. */
export function migrateOptions(stored: unknown): unknown {
  if (!isRecord(stored) || "version" in stored || !isDraft(stored)) return stored;
  return optionsFromDraft(stored);
}

/** Makes options of a draft and does not check them: the wizard shows what is still missing. */
export function optionsFromDraft(
  draft: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const options: Record<string, unknown> = { version: 1 };
  for (const [field, answer] of Object.entries(draft)) {
    const convert = Object.hasOwn(draftAnswers, field) ? draftAnswers[field] : undefined;
    if (convert && typeof answer === "string") Object.assign(options, convert(answer));
    else options[field] = answer;
  }
  return options;
}

function isDraft(stored: Readonly<Record<string, unknown>>): boolean {
  const labelled = [stored.provider, stored.monitoring].some(
    (answer) => typeof answer === "string" && label.test(answer),
  );
  // A provider's name of a region, which may be in capitals. It is no label of ours: each of those has a space.
  const isLabel = typeof stored.region === "string" && stored.region.includes(" ");
  return labelled || isLabel || draftOnly.some((field) => field in stored);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
