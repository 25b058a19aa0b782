import { shortDayOf } from "~/ui/dates";
import { type Deployment, type ProgressStep, progressSteps } from "../stored-deployment";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";
import type { StepStates } from "./ticks";

/** One deployment as the list shows it. */
export type DeploymentLine = {
  id: string;
  name: string;
  version: number;
  savedOn: string;
  /** Undefined when what is stored cannot be read. */
  place: { domain: string; machine: string[] } | undefined;
  checklist: { step: ProgressStep; done: boolean }[];
  nextStep: string;
};

const nextSteps: Record<ProgressStep, string> = {
  files: "Next: download the files",
  machine: "Next: create the VM",
  dns: "Next: set the DNS records",
  answer: "Next: wait for the server's answer",
  doctor: "Next: run the doctor",
  connect: "Next: connect your app",
};

/** The words of the list for one deployment. */
export function describeDeployment(deployment: Deployment, states: StepStates): DeploymentLine {
  const { id, name, version, stored, applied } = deployment;
  const checklist = progressSteps.map((step) => ({ step, done: states[step].done }));
  const next = checklist.find(({ done }) => !done);
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
    checklist,
    nextStep: [
      ...(applied && applied.version < version
        ? [`Your server runs version ${applied.version}`]
        : []),
      next ? nextSteps[next.step] : "Everything is done",
    ].join(". "),
  };
}
