import type { DeploymentOptions } from "../bundle/options/options.ts";
import type { InstalledHashOf } from "../download/bundles.server.ts";
import type { ReportedServers } from "../reported-servers.ts";
import {
  type Deployment,
  type ProgressStep,
  progressSteps,
  type Tick,
} from "../stored-deployment.ts";
import { changeBetween, type VersionChange } from "../versions/effects.ts";
import type { Task } from "../versions/tasks.ts";

/** Whether a step is done for the present choices. `why` says what opened a step again that was done before. */
export type StepState = ({ done: true } & Pick<Tick, "at" | "how">) | { done: false; why?: string };

export type StepStates = Record<ProgressStep, StepState>;

/** The options of an older version of this deployment; undefined where it is no longer kept or cannot be read. */
export type OptionsOfVersion = (version: number) => DeploymentOptions | undefined;

/** The tasks that open a step again. Any change makes other files than those that were downloaded. */
const openedBy: Record<Exclude<ProgressStep, "files">, readonly Task[]> = {
  machine: ["machine", "cluster"],
  dns: ["machine", "cluster", "dns"],
  answer: ["machine", "cluster", "other-domain"],
  doctor: ["machine", "cluster", "apply"],
  connect: ["machine", "cluster", "other-domain"],
};

/**
 * What is done of a deployment. A tick counts for its version, and for later ones that change nothing about it. A step
 * that nobody ticked is done as soon as it is seen, and one that a change opened as soon as a server with the newest
 * version shows it.
 */
export function stepStates(
  deployment: Deployment,
  optionsOf: OptionsOfVersion,
  hashOf: InstalledHashOf,
  seen: ReportedServers["seen"] = {},
): StepStates {
  const changes = new Map<number, VersionChange | undefined>();
  const stateOf = (step: ProgressStep): StepState => {
    const tick = deployment.ticks[step];
    const shown = seen[step];
    const asShown = shown && ({ done: true, at: shown.at, how: "site" } as const);
    if (!tick) return asShown ?? { done: false };
    const isShownNow = shown?.version === deployment.version;
    const since = `since v${tick.version}`;
    const change = changeSince(deployment, tick.version, optionsOf, hashOf, changes);
    if (!change) {
      return isShownNow && asShown
        ? asShown
        : { done: false, why: `The choices changed ${since}.` };
    }
    const isOpen =
      step === "files"
        ? tick.version !== deployment.version
        : change.tasks.some((task) => openedBy[step].includes(task));
    if (!isOpen) return { done: true, at: tick.at, how: tick.how };
    if (isShownNow && asShown) return asShown;
    return { done: false, why: `${changedWords(step, change)} changed ${since}.` };
  };
  const states = progressSteps.map((step) => [step, stateOf(step)]);
  return Object.fromEntries(states) as StepStates;
}

/** The address of the server that the present choices make; undefined where they make another machine. */
export function currentAddress(
  deployment: Deployment,
  optionsOf: OptionsOfVersion,
  hashOf: InstalledHashOf,
) {
  const { address } = deployment;
  if (!address) return;
  const change = changeSince(deployment, address.version, optionsOf, hashOf);
  return change && !wantsMachines(change) ? address : undefined;
}

/** Whether anything is to do on the customer's server until it runs the present choices. */
export function isBehind(
  deployment: Deployment,
  optionsOf: OptionsOfVersion,
  hashOf: InstalledHashOf,
): boolean {
  const { applied } = deployment;
  if (!applied) return false;
  const change = changeSince(deployment, applied.version, optionsOf, hashOf);
  return !change || change.tasks.length > 0;
}

/** Whether the choices make another machine, or others. */
const wantsMachines = ({ tasks }: VersionChange): boolean =>
  tasks.includes("machine") || tasks.includes("cluster");

function changeSince(
  { version, stored }: Deployment,
  since: number,
  optionsOf: OptionsOfVersion,
  hashOf: InstalledHashOf,
  cache = new Map<number, VersionChange | undefined>(),
): VersionChange | undefined {
  if (since === version) return { choices: [], tasks: [] };
  if (cache.has(since)) return cache.get(since);
  const before = optionsOf(since);
  const after = "options" in stored ? stored.options : undefined;
  const change = before && after && changeBetween(before, after, hashOf(before) !== hashOf(after));
  cache.set(since, change);
  return change;
}

/** The choices that opened a step, by their labels. A new machine opens nearly every step, so it is named first. */
function changedWords(step: ProgressStep, change: VersionChange): string {
  const isMachine = step !== "files" && wantsMachines(change);
  const labels = change.choices
    .filter(({ effect }) => !isMachine || effect === "machine" || effect === "machines")
    .map(({ label }) => label);
  const [first = "The choices", second, ...rest] = [...new Set(labels)];
  if (second === undefined) return first;
  return rest.length > 0 ? `${first}, ${second} and more` : `${first} and ${second}`;
}
