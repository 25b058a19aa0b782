import type { Urgency } from "~/features/deployments/reported-servers";
import { causeSentence } from "../incidents/cause-words";
import type { ServerView } from "./server-view";

/** What one server wants of somebody, or is about. */
export type ServerNeed = {
  /** The least is first in every list. */
  rank: number;
  /** Undefined where nothing is wrong. */
  urgency: Urgency | undefined;
  /** The sentence for servers of these names. */
  words: (names: string, areSeveral: boolean) => string;
};

const about =
  (cause: Parameters<typeof causeSentence>[0]): ServerNeed["words"] =>
  (names, areSeveral) =>
    causeSentence(cause, names, areSeveral);

const is = (rest: string) => (names: string, areSeveral: boolean) =>
  `${names} ${areSeveral ? "are" : "is"} ${rest}`;

/** Ranks from here on are of servers with which nothing is wrong. */
const wellRank = 10;

/** The place of a server in a list: what is critical comes first. */
export function rankOf(view: ServerView): number {
  if (view.retiredAt !== undefined) return wellRank + 5;
  return serverNeeds(view)[0]?.rank ?? wellRank + (view.state.code === "paused" ? 4 : 3);
}

export function isWrong(view: ServerView): boolean {
  return view.retiredAt === undefined && rankOf(view) < wellRank;
}

/** "sfu-2" before "sfu-10". */
export function byName(
  { name }: Pick<ServerView, "name">,
  other: Pick<ServerView, "name">,
): number {
  return name.localeCompare(other.name, "en", { numeric: true });
}

/** What a connected server needs, the worst first; nothing of one that is healthy. */
export function serverNeeds(view: ServerView): ServerNeed[] {
  const { request, incident } = view;
  const ofState = needOfState(view);
  const isPaging = incident?.severity === "page";
  const isStateWrong = ofState?.urgency !== undefined;
  const needs = [
    ...(ofState ? [ofState] : []),
    // The state does not say it while the server updates or boots, and until five good minutes are over.
    ...(isPaging && !isStateWrong ? [needOfIncident(incident)] : []),
    ...(request
      ? [
          {
            ...{ rank: 3, urgency: "warning" as const },
            words: (names: string) => `Another machine wants to replace ${names}`,
          },
        ]
      : []),
  ];
  return needs.sort((one, other) => one.rank - other.rank);
}

/** Whether the worst that a server is in is a critical finding of its doctor. */
export function isCritical({ state, findings }: Pick<ServerView, "state" | "findings">): boolean {
  return (
    state.code === "degraded" &&
    findings.some(({ code, severity }) => code === state.finding && severity === "critical")
  );
}

function needOfState(view: ServerView): ServerNeed | undefined {
  const { state, ourFault } = view;
  if (ourFault !== undefined) {
    const words = (names: string) => `Reports of ${names} do not reach us`;
    return { rank: wellRank, urgency: undefined, words };
  }
  switch (state.code) {
    case "down": {
      const words = about({ code: "down", subject: "" });
      // The other machines of its cluster carry its calls, or take its recordings.
      const isReplaced =
        (view.role === "media" || view.role === "egress") && view.incident?.severity === "notify";
      return isReplaced
        ? { rank: 2, urgency: "warning", words }
        : { rank: 0, urgency: "critical", words };
    }
    case "silent":
      return {
        ...{ rank: 2, urgency: "warning" },
        words: about({ code: "silent", subject: "" }),
      };
    case "duplicate":
      return {
        ...{ rank: 3, urgency: "warning" },
        words: about({ code: "twice", subject: "" }),
      };
    case "degraded": {
      const { role } = view;
      const words = about({
        ...{ code: state.finding, subject: "" },
        ...(role && { machine: { role } }),
      });
      return isCritical(view)
        ? { rank: 1, urgency: "critical", words }
        : { rank: 4, urgency: "warning", words };
    }
    case "updating":
      return { rank: wellRank, urgency: undefined, words: is("updating") };
    case "booting":
      return { rank: wellRank + 1, urgency: undefined, words: is("booting") };
    case "waiting":
      return {
        ...{ rank: wellRank + 2, urgency: undefined },
        words: (names, several) =>
          several ? `${names} wait for their first report` : `${names} waits for its first report`,
      };
    case "paused":
      return state.isEnding
        ? undefined
        : { rank: wellRank + 4, urgency: undefined, words: is("paused, not watched") };
    case "healthy":
    case "retired":
      return undefined;
  }
}

function needOfIncident({ causes }: NonNullable<ServerView["incident"]>): ServerNeed {
  const lasting = causes.find(({ severity, endedAt }) => severity === "page" && !endedAt);
  if (!lasting) {
    const words = (names: string, several: boolean) =>
      `${names} ${several ? "have" : "has"} an open incident`;
    return { rank: 4, urgency: "warning", words };
  }
  const { code, subject, machine } = lasting;
  const ofRole = machine && { machine: { role: machine.role } };
  return { rank: 1, urgency: "critical", words: about({ code, subject, ...ofRole }) };
}
