import { brand } from "~/content/chrome";
import { layOut, type MailWords } from "~/features/mail/mail-layout";
import { momentOf } from "~/ui/dates";
import { causeWords, plainCauseWords } from "../../incidents/cause-words";
import type { Cause } from "../../incidents/incident";
import type { SenderSettings } from "../../sender-settings.server";
import { peopleWords } from "../../state/server-place";
import type { Channel, Message, MessageIncident, Sent } from "../channel";
import {
  helpAddress,
  messageAddress,
  messageTitle,
  placedName,
  times,
  unwatchedWords,
  worst,
  worstCause,
} from "../message-words";
import { post } from "./post.server";

type Mail = Extract<Channel, { kind: "mail" }>;

/** Sends a message by mail, with a key of this Worker's own at Resend. A message reaches an address once. */
export const sendMail = (
  settings: SenderSettings,
  { id, address }: Mail,
  message: Message,
): Promise<Sent> =>
  postMail(settings, { key: `${message.id}-${id}`, address, words: mailOf(message) });

/** `key`: with the same one Resend delivers nothing again. */
export async function postMail(
  { RESEND_API_URL, ALERT_MAIL_API_KEY, SUPPORT_EMAIL }: SenderSettings,
  { key, address, words }: { key: string; address: string; words: MailWords },
): Promise<Sent> {
  if (!ALERT_MAIL_API_KEY) {
    return { ok: false, retry: false, reason: "Mail is not set up on this site." };
  }
  const answer = await post(
    `${RESEND_API_URL}/emails`,
    { authorization: `Bearer ${ALERT_MAIL_API_KEY}`, "idempotency-key": key },
    JSON.stringify({
      from: `${brand} <${SUPPORT_EMAIL}>`,
      to: [address],
      reply_to: SUPPORT_EMAIL,
      subject: words.subject,
      ...layOut(words),
    }),
  );
  if ("ok" in answer) return answer;
  const { status, text = "" } = answer;
  if (status === 200 && text.includes('"id"')) return { ok: true };
  // An earlier try with this key was taken, when the incident was a different one.
  if (status === 409 && text.includes("invalid_idempotent_request")) return { ok: true };
  if (status === 422) {
    return { ok: false, retry: false, reason: "The mail server does not take this address." };
  }
  return { ok: false, retry: true, reason: `The mail server answered ${status}.` };
}

/** A message says at most so many lines of each kind, and how many it leaves out. */
const maxLines = 12;

const at = (time: number) => momentOf(new Date(time));

/** A message as a mail says it, with the addresses of pages in the console. Times are in UTC. */
export function mailOf(message: Message): MailWords {
  const { event, incidents, workspace, failed, paused } = message;
  const [first, ...others] = incidents;
  const isOne = first !== undefined && others.length === 0;
  const lines = isOne ? incidentLines(first, event, workspace.address) : listLines(incidents);
  const fixedLines = {
    test: ["This is how you are told when a server is not well. You need not do anything."],
    disconnected: [
      "Nobody watches this server any more: somebody disconnected it there, or has its key.",
      "If that was nobody of you, connect it again, and find out who is on that machine.",
    ],
    paused: paused ? pausedLines(paused) : [],
    "connection-test": [],
    "channel-failed": [
      failed?.reason ?? "",
      ...(failed?.ended ? [] : ["Look at it under Alerts, and send a test."]),
    ],
  };
  return {
    subject: messageTitle(message),
    paragraphs: isFixed(event) ? fixedLines[event] : lines,
    ...buttons(message),
    footer: `You get this mail because alerts of ${workspace.name} go to this address. Change that here: ${workspace.address}/alerts`,
  };
}

/** Whoever can acknowledge does that first. */
function buttons(message: Message): Pick<MailWords, "button" | "second"> {
  const { incidents, server, paused, acknowledgeAddress } = message;
  const [first, ...others] = incidents;
  const one = server ?? (others.length === 0 ? first?.server : undefined);
  const label = one ? `Open ${one.name}` : first || paused ? "Open your servers" : "Open Alerts";
  const page = { label, address: messageAddress(message) };
  if (acknowledgeAddress === undefined) return { button: page };
  const waits = incidents.some(
    ({ closedAt, acknowledged }) => closedAt === undefined && !acknowledged,
  );
  return waits
    ? { button: { label: "Acknowledge or snooze", address: acknowledgeAddress }, second: page }
    : { button: page, second: { label: "Who sees to it", address: acknowledgeAddress } };
}

const isFixed = (event: Message["event"]) =>
  event === "test" ||
  event === "disconnected" ||
  event === "paused" ||
  event === "connection-test" ||
  event === "channel-failed";

const pausedWords: Record<NonNullable<Message["paused"]>["why"], string> = {
  "plan-limit": "The plan has fewer servers now",
  "plan-paused": "The plan is paused",
  "plan-ended": "The plan has ended",
  "history-over": "The plan has ended",
};

/** Every server by its name: of those that are well nothing else says it. */
function pausedLines({ why, names, watched }: NonNullable<Message["paused"]>): string[] {
  const because = pausedWords[why];
  return [
    `${because}. The machines run as before, but nobody is told any more when one of these is down: ${names.join(", ")}.`,
    watched.length === 0
      ? "No server is watched now."
      : `Watched as before: ${watched.join(", ")}. On the page of another server you can choose that one instead.`,
  ];
}

function incidentLines(incident: MessageIncident, event: Message["event"], base: string): string[] {
  const { openedAt, closedAt, causes } = incident;
  if (closedAt !== undefined) {
    const end =
      incident.unwatched !== undefined
        ? `It ${unwatchedWords[incident.unwatched]} at ${at(closedAt)}. Nobody watches it any more.`
        : event === "closed"
          ? `It was not well from ${at(openedAt)} until ${at(closedAt)}.`
          : `It is well again since ${at(closedAt)}.`;
    return [end, ...listed(causes, endedLine), whereLine(incident)];
  }
  const lasting = causes.filter(({ endedAt }) => endedAt === undefined);
  return [
    ...listed(lasting.length > 0 ? lasting : causes, causeLine),
    ...placeLines(incident, base),
    ...(event === "digest" ? [] : [answerLine(incident)]),
  ];
}

function answerLine({ acknowledged }: MessageIncident): string {
  if (!acknowledged) {
    return "This is sent again until somebody acknowledges it: eight times every 15 minutes, then once an hour. Acknowledging needs no sign-in.";
  }
  const { who = "Somebody", note } = acknowledged;
  return `${who} acknowledged it at ${at(acknowledged.at)}${note ? `: ${note}` : "."}`;
}

function causeLine(cause: Cause): string {
  const { title } = causeWords(cause);
  const found = cause.found ? ` Found then: ${cause.found}.` : "";
  return `${title}, since ${at(cause.since)}.${found} ${adviceOf(cause)}`;
}

const adviceOf = (cause: Cause) => `What to do: ${plainCauseWords(cause).next}.`;

/** Where the server is, whom its failure is about, and how to get there. */
function placeLines(incident: MessageIncident, base: string): string[] {
  const { people, login, provider } = incident.place ?? {};
  const cause = worstCause(incident);
  const help = cause && helpAddress(cause, base);
  return [
    [whereLine(incident), people === undefined ? "" : peopleWords(people)].join(" ").trim(),
    ...(login ? [`Log in: ${login}`] : []),
    ...(provider ? [`The machine at ${provider.name}: ${provider.console}`] : []),
    ...(help ? [`More about it: ${help}`] : []),
  ];
}

function whereLine({
  server,
  place: { deployment, domain, address } = {},
}: MessageIncident): string {
  const where = [domain, address].filter(Boolean).join(", ");
  if (server.isCluster) return `The cluster: ${[server.name, where].filter(Boolean).join(", ")}.`;
  const of = deployment ? ` of ${deployment}` : "";
  return `The server${of}: ${[server.name, where].filter(Boolean).join(", ")}.`;
}

function endedLine(cause: Cause): string {
  const { title } = causeWords(cause);
  const until = cause.endedAt === undefined ? "" : ` until ${at(cause.endedAt)}`;
  return `${title}, from ${at(cause.since)}${until}.`;
}

/** A line for each server, and what to do once for each cause that is worst of one of them. */
function listLines(incidents: readonly MessageIncident[]): string[] {
  const advice = incidents.slice(0, maxLines).flatMap((incident) => {
    const cause = incident.closedAt === undefined ? worstCause(incident) : undefined;
    return cause ? [`${causeWords(cause).title}. ${adviceOf(cause)}`] : [];
  });
  return [...listed(incidents, shortLine), ...new Set(advice)];
}

function shortLine(incident: MessageIncident): string {
  const { closedAt, changes, openedAt, place } = incident;
  const since = worstCause(incident)?.since ?? openedAt;
  const people = place?.people ? `; in calls at its last report: ${place.people}` : "";
  const state =
    closedAt === undefined
      ? `${worst(incident)}, since ${at(since)}${people}`
      : `${incident.unwatched ?? "well again"} since ${at(closedAt)}`;
  const change = changes === undefined ? "" : `; it changed ${times(changes)}`;
  return `${placedName(incident)}: ${state}${change}.`;
}

function listed<Item>(items: readonly Item[], line: (item: Item) => string): string[] {
  const left = items.length - maxLines;
  return [...items.slice(0, maxLines).map(line), ...(left > 0 ? [`And ${left} more.`] : [])];
}
