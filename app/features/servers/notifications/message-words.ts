import type { MailWords } from "~/features/mail/mail-layout";
import { momentOf } from "~/ui/dates";
import { causeWords, plainCauseWords } from "../incidents/cause-words";
import type { Cause } from "../incidents/incident";
import { channelKinds, type Message, type ToldIncident } from "./channel";

/** A message says at most so many lines of each kind, and how many it leaves out. */
const mostLines = 12;

const at = (time: number) => momentOf(new Date(time));

/** Where the pages are of what a message is about: the server of a single incident, or all of the workspace. */
export function messageAddress({ event, incidents, workspace }: Message): string {
  const [first, ...others] = incidents;
  if (first && others.length === 0) return serverAddress(workspace.address, first);
  return first || event === "digest" ? workspace.address : `${workspace.address}/alerts`;
}

export const serverAddress = (base: string, { server }: ToldIncident): string =>
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
    case "closed":
      return `${name} ${first ? endOf(first, ", and nobody watches it any more") : "is well again"}`;
    case "sum":
      return first && others.length === 0 ? changesOf(first) : serversOf(incidents);
    case "digest":
      return incidents.length === 1
        ? `Look at ${name} when you have time: ${wrong}`
        : `Look at ${incidents.length} servers when you have time`;
    case "test":
      return "A test of your alerts: nothing is wrong";
    case "channel-failed":
      return `Alerts do not arrive by ${failed ? channelKinds[failed.kind] : "one of the ways"}`;
  }
}

function changesOf(incident: ToldIncident): string {
  const { server, changes, closedAt } = incident;
  const now = closedAt === undefined ? `: ${worst(incident)}` : `, and ${endOf(incident)}`;
  return `${server.name} changed ${times(changes)} since the last message${now}`;
}

/** What a sum of several servers says first is what somebody must act upon. */
function serversOf(incidents: readonly ToldIncident[]): string {
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

/** A message as a mail says it, with the addresses of pages in the console. Times are in UTC. */
export function mailOf(message: Message): MailWords {
  const { event, incidents, workspace, failed } = message;
  const [first, ...others] = incidents;
  const isOne = first !== undefined && others.length === 0;
  const lines = isOne ? incidentLines(first, event) : listed(incidents, shortLine);
  const said = {
    test: ["This is how you are told when a server is not well. You need not do anything."],
    "channel-failed": [failed?.reason ?? "", "Look at it under Alerts, and send a test."],
  };
  return {
    subject: messageTitle(message),
    paragraphs: event === "test" || event === "channel-failed" ? said[event] : lines,
    button: {
      label: isOne ? `Open ${first.server.name}` : first ? "Open your servers" : "Open Alerts",
      address: messageAddress(message),
    },
    footer: `You get this mail because alerts of ${workspace.name} go to this address. Change that at ${workspace.address}/alerts.`,
  };
}

function incidentLines(incident: ToldIncident, event: Message["event"]): string[] {
  const { openedAt, closedAt, causes } = incident;
  if (closedAt !== undefined) {
    const end =
      incident.unwatched !== undefined
        ? `It ${unwatchedWords[incident.unwatched]} at ${at(closedAt)}. Nobody watches it any more.`
        : event === "closed"
          ? `It was not well from ${at(openedAt)} until ${at(closedAt)}.`
          : `It is well again since ${at(closedAt)}.`;
    return [end, ...listed(causes, endedLine)];
  }
  const lasting = causes.filter(({ endedAt }) => endedAt === undefined);
  return [
    ...listed(lasting.length > 0 ? lasting : causes, causeLine),
    ...(event === "digest"
      ? []
      : ["On its page you can acknowledge this, so that nobody else is told, or snooze it."]),
  ];
}

function causeLine(cause: Cause): string {
  const { title, next } = plainCauseWords(cause);
  const found = cause.found ? ` Found then: ${cause.found}.` : "";
  return `${title}, since ${at(cause.since)}.${found} What to do: ${next}.`;
}

function endedLine(cause: Cause): string {
  const { title } = causeWords(cause);
  const until = cause.endedAt === undefined ? "" : ` until ${at(cause.endedAt)}`;
  return `${title}, from ${at(cause.since)}${until}.`;
}

const unwatchedWords = { disconnected: "was disconnected", paused: "was paused" } as const;

/** How an incident ended, said of its server; `more`: what follows where nobody watches that any more. */
const endOf = ({ unwatched }: ToldIncident, more = ""): string =>
  unwatched === undefined ? "is well again" : `${unwatchedWords[unwatched]}${more}`;

function shortLine(incident: ToldIncident): string {
  const { server, closedAt, changes, openedAt } = incident;
  const state =
    closedAt === undefined
      ? `${worst(incident)}, since ${at(openedAt)}`
      : `${incident.unwatched ?? "well again"} since ${at(closedAt)}`;
  return `${server.name}: ${state}${changes === undefined ? "" : `; it changed ${times(changes)}`}.`;
}

function listed<Item>(items: readonly Item[], line: (item: Item) => string): string[] {
  const left = items.length - mostLines;
  return [...items.slice(0, mostLines).map(line), ...(left > 0 ? [`And ${left} more.`] : [])];
}

/** What is worst of an incident, of what lasts where something does. */
function worst(incident: ToldIncident | undefined): string {
  const cause =
    incident?.causes.find(({ endedAt }) => endedAt === undefined) ?? incident?.causes[0];
  return cause ? causeWords(cause).title : "something is wrong";
}

const times = (count = 1) => (count === 1 ? "once" : `${count} times`);
