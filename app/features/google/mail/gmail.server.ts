import * as z from "zod/mini";
import type { Google, GoogleAnswer } from "../tools/google-api.server";
import type { OperationResult } from "../tools/operation";
import { success } from "../tools/operation";
import { refused, wrongFields } from "../tools/refusals.server";
import { decodeWords } from "./encoded-words";
import { type Mailbox, readMailboxes } from "./mailboxes";
import { buildMessage, rawOf } from "./mime";

const messages = "/gmail/v1/users/me/messages";
const header = z.object({ name: z.string(), value: z.string() });

const sentAnswer = z.object({ id: z.string(), threadId: z.optional(z.string()) });
const listAnswer = z.object({
  messages: z.optional(z.array(z.object({ id: z.string(), threadId: z.string() }))),
});
export const messageAnswer = z.object({
  id: z.string(),
  threadId: z.string(),
  internalDate: z.optional(z.string()),
  payload: z.optional(z.object({ headers: z.optional(z.array(header)) })),
});

export type MessageFacts = {
  id: string;
  threadId: string;
  /** Milliseconds since 1970, as Gmail orders by it. */
  at: number;
  /** The decoded value of a header field, whatever the case of its name; "" if there is none. */
  field(name: string): string;
  /** The value as it was sent, with encoded words. */
  raw(name: string): string;
};

/** Reads the header fields of one of Gmail's messages (users.messages, format metadata). */
export function factsOf(message: z.output<typeof messageAnswer>): MessageFacts {
  const { id, threadId, internalDate, payload } = message;
  const fields = new Map(payload?.headers?.map(({ name, value }) => [name.toLowerCase(), value]));
  const raw = (name: string) => fields.get(name.toLowerCase()) ?? "";
  return {
    id,
    threadId,
    at: Number(internalDate ?? 0),
    field: (name) => decodeWords(raw(name)),
    raw,
  };
}

/** The address of a message or a conversation in Gmail, opened in the connected account. */
export function mailAddress({ email }: Google, label: "sent" | "all", id: string): string {
  return `https://mail.google.com/mail/?authuser=${encodeURIComponent(email)}#${label}/${id}`;
}

const parallelCalls = 10;

/**
 * The newest messages under a label with some of their header fields, newest first. The permission
 * for metadata reads no bodies and does not search.
 */
export async function listMessages(
  google: Google,
  { labelId, maxResults, fields }: { labelId: string; maxResults: number; fields: string[] },
): Promise<GoogleAnswer<MessageFacts[]>> {
  const list = await google.call({
    method: "GET",
    path: messages,
    query: { labelIds: labelId, maxResults },
    answer: listAnswer,
  });
  if (!list.ok) return list;
  const ids = (list.body.messages ?? []).map(({ id }) => id);
  const found: MessageFacts[] = [];
  for (let from = 0; from < ids.length; from += parallelCalls) {
    const answers = await Promise.all(
      ids.slice(from, from + parallelCalls).map((id) =>
        google.call({
          method: "GET",
          path: `${messages}/${encodeURIComponent(id)}`,
          query: { format: "metadata", metadataHeaders: fields },
          answer: messageAnswer,
        }),
      ),
    );
    for (const answer of answers) {
      if (answer.ok) found.push(factsOf(answer.body));
      // Deleted since it was listed.
      else if (answer.kind !== "not-found") return answer;
    }
  }
  return { ok: true, body: found };
}

const maxSubject = 998;
const maxBody = 500_000;

export type Letter = {
  to: readonly Mailbox[];
  subject: string;
  body: string;
  headers?: Record<string, string>;
  threadId?: string;
};

/** Reads `to`, `subject` and `body` of a form; answers a refusal at the fields where they are wrong. */
export function readLetter(
  form: URLSearchParams,
  readTo = readMailboxes,
): Letter | ReturnType<typeof wrongFields> {
  const to = readTo(form.get("to") ?? "");
  const subject = (form.get("subject") ?? "").trim();
  const body = form.get("body") ?? "";
  const wrong = {
    ...(!to.ok && { to: to.message }),
    ...subjectProblem(subject),
    ...bodyProblem(body),
  };
  if (!to.ok || Object.keys(wrong).length > 0) return wrongFields(wrong);
  return { to: to.mailboxes, subject, body };
}

function subjectProblem(subject: string) {
  if (subject === "") return { subject: "Type a subject." };
  if (/\p{Cc}/u.test(subject)) return { subject: "The subject must be on one line." };
  if (subject.length > maxSubject) {
    return { subject: `The subject has ${maxSubject} characters at most.` };
  }
}

/** What is wrong with a message's text, by field; undefined for 1 to 500,000 UTF-16 units. */
export function bodyProblem(body: string) {
  if (body.trim() === "") return { body: "Type a message." };
  if (body.length > maxBody) {
    return { body: `The message has ${maxBody.toLocaleString("en")} characters at most.` };
  }
}

/** Sends a message, as text and as HTML. Gmail adds who sends it and when. */
export async function sendLetter(google: Google, letter: Letter): Promise<OperationResult> {
  const { to, subject, body, headers = {}, threadId } = letter;
  const message = buildMessage({ to, subject, text: body, headers });
  if (message === undefined) return wrongFields({ subject: "The subject must be on one line." });
  const sent = await google.call({
    method: "POST",
    path: `${messages}/send`,
    body: { raw: rawOf(message), ...(threadId && { threadId }) },
    answer: sentAnswer,
  });
  if (!sent.ok) {
    return sent.kind === "unavailable"
      ? refused(
          sent,
          "Google did not answer, so the message may have left or not. Look into your Sent folder before you send it again.",
        )
      : refused(sent);
  }
  const href = mailAddress(google, "sent", sent.body.id);
  return { ok: true, message: success, link: { href, words: "Open it in Gmail" } };
}
