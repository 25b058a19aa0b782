import { dnsRecordsOf } from "../bundle/dns-records.ts";
import { backsUpByRole, usesInstanceRole } from "../bundle/options/derived-options.ts";
import type { Option } from "../bundle/options/option.ts";
import { type DeploymentOptions, optionTable } from "../bundle/options/options.ts";
import { portsOf } from "../bundle/ports.ts";
import { formValuesOf } from "../wizard/form-values.ts";
import { fieldsOf, isFieldShown, questionsByStep } from "../wizard/questions.ts";
import { answerShown } from "../wizard/review-lines.ts";
import { type FormStepId, formStepIds } from "../wizard/steps.ts";

/**
 * What a changed choice means for a server that runs from the older version: `restart` when `livekit-deploy apply`
 * brings it there and starts containers anew; the others as `Option.onRunningServer` says.
 */
export type Effect = "nothing" | "restart" | "resize" | "machine";

export type ChangedChoice = {
  step: FormStepId;
  field: string;
  label: string;
  /** In the words of the question; undefined where the choice was not asked or left empty. */
  before: string | undefined;
  after: string | undefined;
  effect: Effect;
};

/**
 * What is to do about a server that runs from the older version, in the order in which one does it: a new machine, or
 * another size of the old one; a role that lets it write to a bucket; the provider's firewall; DNS records that the
 * older version did not have; `livekit-deploy apply`, which wants `--other-domain` for `other-domain`.
 */
export const tasks = [
  "machine",
  "resize",
  "role",
  "firewall",
  "dns",
  "other-domain",
  "apply",
] as const;
export type Task = (typeof tasks)[number];

export type VersionChange = { choices: ChangedChoice[]; tasks: Task[] };

/**
 * What differs between two versions of a deployment, by choices, and what it asks of a server that runs.
 * `installsOther` says whether they put other files on a machine (`installedHash`).
 */
export function changeBetween(
  before: DeploymentOptions,
  after: DeploymentOptions,
  installsOther: boolean,
): VersionChange {
  const choices = changedChoices(before, after, installsOther ? "restart" : "nothing");
  const has = (effect: Effect) => choices.some((each) => each.effect === effect);
  const needed: Record<Task, boolean> = {
    machine: has("machine"),
    resize: !has("machine") && has("resize"),
    role: needsRole(after) && !needsRole(before),
    firewall: openPorts(before) !== openPorts(after),
    dns: dnsRecordsOf(after).some(({ name, type }) =>
      dnsRecordsOf(before).every((each) => each.name !== name || each.type !== type),
    ),
    "other-domain": before.domain !== after.domain,
    apply: installsOther,
  };
  return { choices, tasks: tasks.filter((task) => needed[task]) };
}

function changedChoices(
  before: DeploymentOptions,
  after: DeploymentOptions,
  otherwise: Effect,
): ChangedChoice[] {
  const [old, now] = [formValuesOf("", before), formValuesOf("", after)];
  return formStepIds.flatMap((step) =>
    fieldsOf(questionsByStep[step]).flatMap((field) => {
      const { question, path } = field;
      const [was, is] = [old, now].map((formValues) =>
        isFieldShown(field, formValues)
          ? answerShown(question, formValues) || undefined
          : undefined,
      );
      // A box that nobody ticked says nothing, whether it was asked or not.
      const isOff = question.kind === "check" && was !== "Yes" && is !== "Yes";
      if (was === is || isOff || path === "name") return [];
      const effect = optionAt(path)?.onRunningServer ?? otherwise;
      return [
        { step, field: question.field, label: question.label, before: was, after: is, effect },
      ];
    }),
  );
}

function optionAt(path: string): Option | undefined {
  const options: Readonly<Record<string, Option>> = optionTable;
  return options[path.split(".")[0] ?? ""];
}

/** What the provider's firewall lets through. */
function openPorts(options: DeploymentOptions): string {
  return JSON.stringify(
    portsOf(options)
      .filter(({ audience }) => audience !== "internal")
      .map(({ ports, protocol, sources }) => [ports, protocol, sources]),
  );
}

function needsRole(options: DeploymentOptions): boolean {
  return usesInstanceRole(options) || backsUpByRole(options);
}
