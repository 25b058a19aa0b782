import { shortDayOf } from "~/ui/dates";
import { displayDomain } from "../words/display-domain";
import { machineWords } from "../words/machine-words";
import { laterSteps, nextStep } from "./later-steps";
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
  nextStep: string;
};

const nextSteps: Record<(typeof laterSteps)[number], string> = {
  machine: "Next: create the VM",
  dns: "Next: set the DNS records",
  doctor: "Next: run the doctor",
  connect: "Next: connect your app",
};

/** The words of the list for one deployment. */
export function describeDeployment({ deployment, states, isBehind }: Progress): DeploymentLine {
  const { id, name, version, stored, applied } = deployment;
  const next = nextStep(states);
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
    nextStep: [
      ...(applied && isBehind ? [`Your server runs version ${applied.version}`] : []),
      next ? nextSteps[next] : "Everything is done",
    ].join(". "),
  };
}
