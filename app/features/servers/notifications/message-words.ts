import { causeSentence, causeWords, helpPath } from "../incidents/cause-words";
import type { Cause } from "../incidents/incident";
import { channelKinds, type Message, type MessageIncident } from "./channel";

/** Where the pages are of what a message is about: the server of a single incident, or all of the workspace. */
export function messageAddress({ event, incidents, server, workspace }: Message): string {
  const [first, ...others] = incidents;
  if (server) return serverAddress(workspace.address, { server });
  if (first && others.length === 0) return serverAddress(workspace.address, first);
  return first || event === "digest" || event === "paused"
    ? workspace.address
    : `${workspace.address}/alerts`;
}

export const serverAddress = (base: string, { server }: Pick<MessageIncident, "server">): string =>
  server.isCluster ? `${base}/deployments/${server.id}#cluster` : `${base}/servers/${server.id}`;

/** What a message is about, in one line. */
export function messageTitle(message: Message): string {
  const { event, incidents, failed } = message;
  const [first, ...others] = incidents;
  const name = first?.server.name ?? "";
  const wrong = worst(first);
  switch (event) {
    case "opened":
      return sentenceOf(first);
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
    case "paused":
      return notWatched(message.paused?.names ?? []);
    case "connection-test":
      return "A connection test in a page of yours";
    case "channel-failed":
      return failed?.ended
        ? `A channel of your alerts has ended: ${channelKinds[failed.kind]}`
        : `Alerts do not arrive by ${failed ? channelKinds[failed.kind] : "one of the ways"}`;
  }
}

const notWatched = (names: readonly string[]): string =>
  `${names.length === 1 ? names[0] : `${names.length} servers`} ${names.length === 1 ? "is" : "are"} not watched any more`;

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
export const worstCause = (incident: MessageIncident | undefined): Cause | undefined =>
  incident?.causes.find(({ endedAt }) => endedAt === undefined) ?? incident?.causes[0];

export function worst(incident: MessageIncident | undefined): string {
  const cause = worstCause(incident);
  return cause ? causeWords(cause).title : "something is wrong";
}

/** The sentence that the pages have of the server. */
function sentenceOf(incident: MessageIncident | undefined): string {
  const { server: { name } = { name: "A server" } } = incident ?? {};
  const cause = worstCause(incident);
  return cause ? causeSentence(cause, name) : `${name}: ${worst(incident)}`;
}

/** A server with what tells it from others of its name. */
export function placedName({ server, place }: MessageIncident): string {
  const where = [place?.deployment, place?.domain].filter(Boolean).join(", ");
  return where ? `${server.name} (${where})` : server.name;
}

/** The page of the documentation about a cause; undefined where none is about it. */
export function helpAddress({ code }: Pick<Cause, "code">, base: string): string | undefined {
  const path = helpPath(code);
  return path && `${new URL(base).origin}${path}`;
}

export const times = (count = 1) => (count === 1 ? "once" : `${count} times`);
