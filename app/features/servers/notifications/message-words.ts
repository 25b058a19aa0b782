import { causeWords } from "../incidents/cause-words";
import { channelKinds, type Message, type MessageIncident } from "./channel";

/** Where the pages are of what a message is about: the server of a single incident, or all of the workspace. */
export function messageAddress({ event, incidents, server, workspace }: Message): string {
  const [first, ...others] = incidents;
  if (server) return serverAddress(workspace.address, { server });
  if (first && others.length === 0) return serverAddress(workspace.address, first);
  return first || event === "digest" ? workspace.address : `${workspace.address}/alerts`;
}

export const serverAddress = (base: string, { server }: Pick<MessageIncident, "server">): string =>
  `${base}/servers/${server.id}`;

/** What a message is about, in one line. */
export function messageTitle(message: Message): string {
  const { event, incidents, failed } = message;
  const [first, ...others] = incidents;
  const name = first?.server.name ?? "";
  const wrong = worst(first);
  switch (event) {
    case "opened":
      return `${name}: ${wrong}`;
    case "worse":
      return `${name} got worse: ${wrong}`;
    case "reopened":
      return `${name} is not well again: ${wrong}`;
    case "repeated":
      return `${name} is still not well: ${wrong}`;
    case "acknowledged":
      return `${name} was acknowledged${first?.acknowledged?.who ? ` by ${first.acknowledged.who}` : ""}`;
    case "closed":
      return `${name} ${first ? endOf(first, ", and nobody watches it any more") : "is well again"}`;
    case "rollup":
      return first && others.length === 0 ? changesOf(first) : serversOf(incidents);
    case "digest":
      return incidents.length === 1
        ? `Look at ${name} when you have time: ${wrong}`
        : `Look at ${incidents.length} servers when you have time`;
    case "test":
      return "A test of your alerts: nothing is wrong";
    case "disconnected":
      return `${message.server?.name ?? "A server"} was disconnected on its machine`;
    case "channel-failed":
      return `Alerts do not arrive by ${failed ? channelKinds[failed.kind] : "one of the ways"}`;
  }
}

function changesOf(incident: MessageIncident): string {
  const { server, changes, closedAt } = incident;
  const now = closedAt === undefined ? `: ${worst(incident)}` : `, and ${endOf(incident)}`;
  return `${server.name} changed ${times(changes)} since the last message${now}`;
}

/** What a sum of several servers says first is what somebody must act upon. */
function serversOf(incidents: readonly MessageIncident[]): string {
  const over = incidents.filter(({ closedAt }) => closedAt !== undefined);
  const unwatched = over.filter((each) => each.unwatched !== undefined).length;
  const counts: [count: number, words: string][] = [
    [incidents.length - over.length, "not well"],
    [over.length - unwatched, "well again"],
    [unwatched, "not watched any more"],
  ];
  const [first, ...others] = counts.filter(([count]) => count > 0);
  const [count, words] = first ?? [0, "not well"];
  const rest = others.map(([more, is]) => `, ${more} ${is}`).join("");
  return `${count === 1 ? "1 server is" : `${count} servers are`} ${words}${rest}`;
}

export const unwatchedWords = { disconnected: "was disconnected", paused: "was paused" } as const;

/** How an incident ended, said of its server; `more`: what follows where nobody watches that any more. */
const endOf = ({ unwatched }: MessageIncident, more = ""): string =>
  unwatched === undefined ? "is well again" : `${unwatchedWords[unwatched]}${more}`;

/** What is worst of an incident, of what lasts where something does. */
export function worst(incident: MessageIncident | undefined): string {
  const cause =
    incident?.causes.find(({ endedAt }) => endedAt === undefined) ?? incident?.causes[0];
  return cause ? causeWords(cause).title : "something is wrong";
}

export const times = (count = 1) => (count === 1 ? "once" : `${count} times`);
