import type { SenderSettings } from "../../sender-settings.server";
import type { Message, Sent, ServiceFields } from "../channel";
import { mailOf } from "./mail.server";
import type { Answer } from "./post.server";

// The shape that the module of each service has, and what these modules share.

/** A channel as it is stored. `place`: what lists call it beside the service's name, without a secret. */
export type ServiceTarget = { fields: ServiceFields; place: string };

/** `isFixed`: the address is a constant of the service's, and not what a person gave. */
export type ServiceRequest = {
  url: string;
  isFixed?: true;
  headers?: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
};

/** A service that takes messages. Its module knows the documented form of its requests and answers, and nothing else. */
export type Service = {
  /** What a person typed as it is stored, or a sentence why it cannot be a channel. */
  check(typed: ServiceFields, settings: SenderSettings): ServiceTarget | { refusal: string };
  /** What a message is to it, in order. None where it wants no such message. */
  requests(
    fields: ServiceFields,
    message: Message,
    settings: SenderSettings,
  ): readonly ServiceRequest[] | Promise<readonly ServiceRequest[]>;
  /** What an answer means. */
  outcome(answer: Answer): Sent;
};

/** A service's own address, or where the fake of `npm start` and of tests plays it. */
export const addressOf = (
  { WEBHOOK_TEST_ORIGIN }: SenderSettings,
  address: string,
  fake: string,
): string => (WEBHOOK_TEST_ORIGIN ? `${WEBHOOK_TEST_ORIGIN}/${fake}` : address);

/** What a message says, for services that show text. */
export function textOf(message: Message): { title: string; lines: string[]; links: Link[] } {
  const { subject, paragraphs, button, second } = mailOf(message);
  return { title: subject, lines: [...paragraphs], links: second ? [button, second] : [button] };
}

type Link = { label: string; address: string };

/** What stands below a text: a line for each link. */
export const linkLines = (links: readonly Link[], line: (link: Link) => string): string =>
  links.map((link) => `\n${line(link)}`).join("");

/** Text of at most so many UTF-16 units, which never ends within a character. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Text of at most so many bytes. */
export function clippedToBytes(text: string, max: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= max) return text;
  // A character that was cut becomes the sign of replacement, of three bytes.
  const cut = new TextDecoder().decode(bytes.subarray(0, max - 6)).replace(/\ufffd$/, "");
  return `${cut}…`;
}

/** Whether somebody is to act now: something has the severity page and lasts. */
export const isUrgent = ({ incidents, event }: Message): boolean =>
  event !== "digest" &&
  incidents.some(
    ({ severity, closedAt, acknowledged }) =>
      severity === "page" && closedAt === undefined && !acknowledged,
  );

/**
 * The outcome by status. `over`: the sentence of an answer after which the target takes nothing any more; `refused`: of
 * one that no retry changes. All else is tried again.
 */
export function outcomeOf(
  service: string,
  { status, waitMs }: Answer,
  { over, refused }: { over?: string | false | undefined; refused?: string | false | undefined },
): Sent {
  if (status >= 200 && status < 300) return { ok: true };
  if (over) return { ok: false, retry: false, isOver: true, reason: over };
  if (refused) return { ok: false, retry: false, reason: refused };
  const wait = waitMs === undefined ? {} : { waitMs };
  const reason =
    status === 429 ? `${service} takes no more for now.` : `${service} answered ${status}.`;
  return { ok: false, retry: true, ...wait, reason };
}

/** What a person calls the channel, else this. */
export const placeOf = ({ name = "" }: ServiceFields, other: string): string =>
  name.trim().slice(0, 60) || other;
