import type { Role } from "~/features/deployments/bundle/bundle-types";
import type { ServerState } from "~/features/servers/state/state";
import type { BadgeVariant } from "~/ui/primitives/badge";
import { causeWords } from "../incidents/cause-words";

/** What is done while a stage is under way. */
const booting: Readonly<Record<string, string>> = {
  connected: "connecting",
  packages: "packages",
  tools: "Docker and tools",
  secrets: "secrets",
  images: "images",
  services: "services",
  ready: "the doctor looks",
};

export type StateWords = {
  words: string;
  /** The time that the words end with, in ISO 8601. */
  since?: string;
  variant: BadgeVariant;
};

const since = (time: number) => ({ since: new Date(time).toISOString() });

/** What a list and a page say of a server whose reports do not reach us since then, through our own fault. */
export const ingestOutageWords = (time: number): StateWords => ({
  ...{ words: "Its reports do not reach us since", ...since(time), variant: "neutral" },
});

/** What a list and a page say of a server's state. `isCritical`: what it is degraded by is critical. */
export function stateWords(state: ServerState, isCritical = false, role?: Role): StateWords {
  switch (state.code) {
    case "waiting":
      return { words: "Waiting for its first report", variant: "neutral" };
    case "booting":
      return { words: `Booting: ${booting[state.stage] ?? state.stage}`, variant: "warning" };
    case "healthy":
      return { words: "Healthy", variant: "success" };
    case "degraded":
      return {
        words: `Degraded: ${causeWords({ code: state.finding, subject: "", ...(role && { machine: { role } }) }).title}`,
        variant: isCritical ? "failure" : "warning",
      };
    case "updating":
      return { words: "Updating since", ...since(state.since), variant: "warning" };
    case "silent":
      return { words: "Reporter silent since", ...since(state.since), variant: "warning" };
    case "down":
      return { words: "Down since", ...since(state.since), variant: "failure" };
    case "paused":
      return {
        words: state.isEnding ? "Waiting for its next report" : `Paused: ${whyPaused(state)}`,
        variant: "neutral",
      };
    case "duplicate":
      return { words: "Two machines use one key", variant: "warning" };
    case "retired":
      return { words: "Disconnected since", ...since(state.since), variant: "neutral" };
  }
}

function whyPaused({ why, allowed }: Extract<ServerState, { code: "paused" }>): string {
  if (why === "plan-paused") return "the plan is paused";
  if (why !== "plan-limit") return "the plan has ended";
  return allowed === 1 ? "the plan has one server" : `the plan has ${allowed} servers`;
}
