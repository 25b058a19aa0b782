import * as z from "zod/mini";
import type { Google } from "../tools/google-api.server";
import {
  type Operation,
  type OperationResult,
  success,
  type ToolOperations,
} from "../tools/operation";
import { refused, wrongFields } from "../tools/refusals.server";
import {
  bodyProblem,
  factsOf,
  listMessages,
  mailAddress,
  messageAnswer,
  readLetter,
  sendLetter,
} from "./gmail.server";
import type { ConversationList, SentList } from "./mail-results";
import { onOneLine, type ReadMailboxes, readMailboxField } from "./mailboxes";
import { findMerged, sendMerged } from "./merge-operations.server";

async function send(form: URLSearchParams, google: Google): Promise<OperationResult> {
  const letter = readLetter(form);
  return "ok" in letter ? letter : sendLetter(google, letter);
}

const maxListed = 100;
const defaultListed = 10;

async function listSent(form: URLSearchParams, google: Google): Promise<OperationResult> {
  const value = form.get("maxResults")?.trim() || String(defaultListed);
  const maxResults = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (maxResults < 1 || maxResults > maxListed) {
    return wrongFields({ maxResults: `Type a number from 1 to ${maxListed}.` });
  }
  const fields = ["To", "Subject"];
  const list = await listMessages(google, { labelId: "SENT", maxResults, fields });
  if (!list.ok) return refused(list);
  const result: SentList = {
    messages: list.body.map(({ id, at, field }) => ({
      id,
      at,
      to: field("To"),
      subject: field("Subject"),
      href: mailAddress(google, "sent", id),
    })),
  };
  return { ok: true, message: success, result };
}

const maxToAnswer = 25;

/** `step=reply` answers one message; anything else lists the received messages to choose from. */
const respond: Operation = (form, google) =>
  form.get("step") === "reply" ? reply(form, google) : listReceived(google);

async function listReceived(google: Google): Promise<OperationResult> {
  const fields = ["From", "Subject"];
  const list = await listMessages(google, { labelId: "INBOX", maxResults: maxToAnswer, fields });
  if (!list.ok) return refused(list);
  const result: ConversationList = {
    messages: list.body.map(({ id, threadId, at, field }) => ({
      id,
      threadId,
      at,
      from: field("From"),
      subject: field("Subject"),
    })),
  };
  return { ok: true, message: success, result };
}

const threadAnswer = z.object({ messages: z.optional(z.array(messageAnswer)) });
const replyFields = ["From", "Reply-To", "To", "Subject", "Message-ID", "References"];

/** Answers `messageId` in its thread: RFC 5322, 3.6.4 says which fields make it a reply. */
async function reply(form: URLSearchParams, google: Google): Promise<OperationResult> {
  const body = form.get("body") ?? "";
  const wrong = bodyProblem(body);
  if (wrong) return wrongFields(wrong);
  const threadId = form.get("threadId") ?? "";
  const thread = await google.call({
    method: "GET",
    path: `/gmail/v1/users/me/threads/${encodeURIComponent(threadId)}`,
    query: { format: "metadata", metadataHeaders: replyFields },
    answer: threadAnswer,
  });
  if (!thread.ok) return refused(thread);
  const message = thread.body.messages?.find(({ id }) => id === form.get("messageId"));
  if (!message) return { ok: false, status: 404, message: "This message is no longer in Gmail." };
  const { field, raw } = factsOf(message);
  const to = receiversOfReply(raw, google.email);
  if (!to.ok) {
    return { ok: false, status: 400, message: "This message has no address that can be answered." };
  }
  const subject = onOneLine(field("Subject"));
  const answered = onOneLine(field("Message-ID"));
  const references = [onOneLine(field("References")), answered]
    .join(" ")
    .trim()
    .replaceAll(" ", "\r\n ");
  return sendLetter(google, {
    to: to.mailboxes,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    body,
    headers: answered ? { "In-Reply-To": answered, References: references } : {},
    threadId,
  });
}

/** `step=find` looks for messages that may have left; anything else sends one. */
const merge: Operation = (form, google) =>
  form.get("step") === "find" ? findMerged(form, google) : sendMerged(form, google);

/** What the tabs of the Gmail tool do. */
export const gmailOperations: ToolOperations = { send, list: listSent, respond, merge };

/**
 * The receivers of the answer to a message: RFC 5322, 3.6.3. The answer to a message of one's own goes to its
 * receivers. `raw` gives a header field as it was sent; `email` is one's own address, "" when unknown.
 */
export function receiversOfReply(raw: (name: string) => string, email: string): ReadMailboxes {
  const from = readMailboxField(raw("From"));
  const isOwn =
    email !== "" &&
    from.ok &&
    from.mailboxes.some(({ address }) => address.toLowerCase() === email.toLowerCase());
  return readMailboxField(isOwn ? raw("To") : raw("Reply-To") || raw("From"));
}
