import { shortDayOf } from "~/ui/dates";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";
import { laterSteps } from "./later-steps";
import { type NextWords, nextWords } from "./next-words";
import type { Progress } from "./steps-view.server";

/** One deployment as the list shows it. */
export type DeploymentLine = {
  id: string;
  name: string;
  version: number;
  savedOn: string;
  /** Undefined when what is stored cannot be read. */
  place: { domain: string; machine: string[] } | undefined;
  /** The five steps in their order. */
  checklist: { step: string; done: boolean }[];
  next: NextWords;
};

/** The words of the list for one deployment. */
export function describeDeployment(progress: Progress): DeploymentLine {
  const { deployment, states } = progress;
  const { id, name, version, stored } = deployment;
  return {
    id,
    name,
    version,
    savedOn: shortDayOf(deployment.updatedAt),
    place:
      "options" in stored
        ? {
            domain: displayDomain(stored.options.domain),
            machine: machineWords(stored.options),
          }
        : undefined,
    checklist: [
      { step: "describe", done: true },
      ...laterSteps.map((step) => ({ step, done: states[step].done })),
    ],
    next: nextWords(progress),
  };
}
