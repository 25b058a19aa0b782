import { shortDayOf } from "~/ui/dates";
import { type Deployment, type ProgressStep, progressSteps } from "../stored-deployment";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";

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
  dns: "Next: set the DNS records",
  machine: "Next: create the VM",
  doctor: "Next: run the doctor",
};

/** The words of the list for one deployment. */
export function describeDeployment(deployment: Deployment): DeploymentLine {
  const { id, name, version, stored, progress } = deployment;
  const checklist = progressSteps.map((step) => ({ step, done: Boolean(progress[step]) }));
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
    nextStep: next ? nextSteps[next.step] : "Everything is done",
  };
}
