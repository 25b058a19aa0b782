import type { DeploymentField } from "../../../content/deployment-fields.ts";
import { optionsFromDraft } from "../bundle/options/option-migrations.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { parseOptions } from "../bundle/options/parse-options.ts";
import type { Draft } from "./draft";

/** Which answer of a draft is dropped when the parser refuses an option. */
const answersByOption: Readonly<Record<string, DeploymentField>> = {
  system: "provider",
  region: "provider",
  architecture: "provider",
  addresses: "provider",
  turn: "turnConfig",
  sshSource: "firewallPreset",
  firewall: "firewallPreset",
  recording: "recordingStorage",
  backups: "backupFrequency",
};

/** The key that distinguishes an option's kinds. It is all that a draft knows of the option. */
const kindKeys = { turn: "mode", firewall: "preset", recording: "kind" } as const;

/** A draft over saved options: where the kind is the same, the saved details stay. Backups always keep their encryption key. */
function laidOver(
  draft: Readonly<Record<string, unknown>>,
  base: Partial<DeploymentOptions>,
): Record<string, unknown> {
  const options: Record<string, unknown> = { ...base, ...draft };
  for (const [option, key] of Object.entries(kindKeys)) {
    const before: unknown = Reflect.get(base, option);
    const sameKind = Reflect.get(Object(before), key) === Reflect.get(Object(draft[option]), key);
    if (before !== undefined && sameKind) options[option] = before;
  }
  if (base.backups) options.backups = { ...base.backups, ...Object(draft.backups) };
  return options;
}

/**
 * A draft of /services laid over options, as unchecked options. A draft knows too little for some
 * choices (S3 needs a bucket): those are taken back and named in `open`, for the wizard to ask.
 */
export function draftOver(
  draft: Draft,
  base: Partial<DeploymentOptions>,
): { candidate: Record<string, unknown>; open: DeploymentField[] } {
  const answers = { ...draft };
  const open: DeploymentField[] = [];
  for (;;) {
    const candidate = laidOver(optionsFromDraft(answers), base);
    if (candidate.provider !== "aws") candidate.system = "ubuntu-24.04";
    const { problems = [] } = parseOptions(candidate);
    const wrong = problems
      .map(({ path }) => answersByOption[path.split(".")[0] ?? ""])
      .find((field) => field && answers[field]);
    if (!wrong) return { candidate, open };
    open.push(wrong);
    delete answers[wrong];
  }
}
