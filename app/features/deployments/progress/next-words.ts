import { namesInWords, type ReportedServers, type Urgency } from "../reported-servers.ts";
import type { Deployment } from "../stored-deployment.ts";
import { type laterSteps, nextStep } from "./later-steps.ts";
import type { StepStates } from "./ticks.ts";

/** What a deployment and its servers want next, and how much; `isDone`: nothing. */
export type NextWords = { words: string; urgency: Urgency | undefined; isDone: boolean };

const nextSteps: Record<(typeof laterSteps)[number], string> = {
  machine: "Next: create the VM",
  dns: "Next: set the DNS records",
  doctor: "Next: run the doctor",
  connect: "Next: connect your app",
};

/**
 * The one sentence that every page has about a deployment: what is wrong with its servers, which versions they run where
 * that matters, and what is to be done next. Only of one about which there is nothing else to say everything is done.
 */
export function nextWords({
  deployment,
  servers,
  states,
  isBehind,
  view,
}: {
  deployment: Pick<Deployment, "version" | "applied">;
  servers: ReportedServers | undefined;
  states: StepStates;
  isBehind: boolean;
  /** Undefined where its choices cannot be read. */
  view?: { several: object | undefined } | undefined;
}): NextWords {
  const step = nextStep(states);
  const said = [
    ...(servers?.sentences ?? []),
    ...runningWords(deployment, servers?.running ?? [], isBehind),
  ];
  const words = view?.several ? { ...nextSteps, machine: "Next: create the machines" } : nextSteps;
  const next = step ? words[step] : isBehind ? applyWords(deployment, servers) : undefined;
  const all = next ? [...said, next] : said;
  return {
    words: all.length > 0 ? all.join(". ") : "Everything is done",
    urgency: servers?.urgency,
    isDone: all.length === 0,
  };
}

/** Servers with different versions are named; one version is named where something of the newest does not run. */
function runningWords(
  { applied }: Pick<Deployment, "applied">,
  running: ReportedServers["running"],
  isBehind: boolean,
): string[] {
  if (running.length > 1) {
    const parts = running.map(({ version, names }, at) => {
      const verb = names.length === 1 ? "runs version" : "run version";
      return `${namesInWords(names)} ${at === 0 ? verb : "version"} ${version}`;
    });
    return [parts.join(", ")];
  }
  if (!applied || !isBehind) return [];
  const several = (running[0]?.names.length ?? 1) > 1;
  return [`Your ${several ? "servers run" : "server runs"} version ${applied.version}`];
}

function applyWords(
  { version }: Pick<Deployment, "version">,
  servers: ReportedServers | undefined,
): string {
  const running = servers?.running ?? [];
  const behind = running.filter((each) => each.version < version).flatMap(({ names }) => names);
  const whom = running.length > 1 ? namesInWords(behind) : behind.length > 1 ? "them" : "it";
  return `Next: bring version ${version} to ${whom}`;
}
