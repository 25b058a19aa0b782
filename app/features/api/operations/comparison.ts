import * as z from "zod/mini";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import {
  type Effect,
  effectAt,
  effects,
  tasks,
  tasksOf,
} from "~/features/deployments/versions/tasks";
import { missing, optionsField, wrongOptions } from "./deployments";
import { described, named, type Outcome, operation, uuid } from "./operation";
import { changedFile, changedFileView } from "./versions";

const subject = named(
  "OptionsToCompare",
  "Options that are not saved.",
  z.strictObject({ options: optionsField }),
);

const value = described("Null where the option is not set.", z.unknown());
const comparison = named(
  "Comparison",
  "What would differ if these options were saved.",
  z.object({
    version: described("The saved version that they are compared with.", z.int()),
    options: z.array(
      z.object({
        path: described("Such as `rooms.maxParticipants`.", z.string()),
        ...{ before: value, after: value },
        effect: described(
          "What it means for a server that runs: `restart` where `livekit-deploy apply` on the machine brings it there, `resize` where the provider changes the machine, `machine` where only a new machine has it, `machines` where a cluster gets more or fewer of them.",
          z.enum(effects),
        ),
      }),
    ),
    tasks: described(
      "What is to be done about a server that runs the saved version, in this order.",
      z.array(z.enum(tasks)),
    ),
    changes_machine: described("Whether a machine installs other files than before.", z.boolean()),
    files: z.array(changedFile),
  }),
);

type Difference = { path: string; before: unknown; after: unknown };

/** What differs between two values of options, by the path of each innermost one. A list is compared as a whole. */
function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  const [old, now] = [recordIn(before), recordIn(after)];
  if (old || now) {
    const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
    return [...names].flatMap((name) => differences(old?.[name], now?.[name], [...path, name]));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path: path.join("."), before: before ?? null, after: after ?? null }];
}

function recordIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  return Object.fromEntries(Object.entries(value));
}

function changedOptions(before: DeploymentOptions, after: DeploymentOptions, installs: boolean) {
  return differences(before, after).map((each) => ({
    ...each,
    effect: effectAt(each.path, installs),
  }));
}

const effectsOf = (all: readonly { effect: Effect }[]) => all.map(({ effect }) => effect);

export const comparisonOperation = operation({
  ...{ method: "POST", path: "/deployments/{deployment}/comparison", id: "compareDeployment" },
  ...{ tag: "Deployments", scope: "deployments:read", query: {}, problems: ["not-comparable"] },
  summary: "What saving these options would change",
  description:
    "In the options, in the files that are made of them, and for a server that runs. It changes nothing, so it needs no key.",
  ...{ params: { deployment: uuid }, body: subject, status: 200, answer: comparison },
  changesNothing: true,
  async run({ params, body, sources: { records, bundles } }): Promise<Outcome> {
    const parsed = parseOptions(body.options);
    if (!parsed.options) return wrongOptions(parsed.problems);
    const found = await records.deployment(params.deployment);
    if (found.state !== "found") return missing(found, "deployment");
    const { stored, version } = found.value;
    if (!("options" in stored)) {
      const detail = `The options of version ${version} no longer make a server, so nothing can be compared with them. Save these over them.`;
      return { problem: "not-comparable", detail };
    }
    const [before, after] = [stored.options, parsed.options];
    const { files, isInstalledChanged } = bundles.compare(before, after);
    const options = changedOptions(before, after, isInstalledChanged);
    return {
      value: {
        ...{ version, options, changes_machine: isInstalledChanged },
        tasks: tasksOf(before, after, effectsOf(options), isInstalledChanged),
        files: files.map(changedFileView),
      },
    };
  },
});
