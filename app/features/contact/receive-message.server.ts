import * as z from "zod/mini";
import { refuseMachines } from "~/features/auth/challenge.server";
import type { AppContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { toBase64url } from "~/http/encodings";
import { signingKey } from "~/http/hashes";
import { networkOf } from "~/http/network";
import { withinLimit } from "~/http/rate-limit.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { log } from "~/platform/log/log.server";
import { isoDayOf } from "~/ui/dates";
import { mailMessage } from "./mail-message.server";
import {
  type ContactMessage,
  checkMessage,
  type MessageErrors,
  type MessageValues,
  messageValues,
} from "./message-form.server";
import type { Receipt } from "./receipt.server";
import { trapField } from "./trap";

export type ContactOutcome =
  /** Success. There is no receipt for a machine, whose message is not stored; it gets the same answer. */
  | { status: 303; receipt?: Receipt }
  | { status: 400; values: MessageValues; errors: MessageErrors }
  | { status: 413 }
  /** Over a limit: of posts in a minute, before the form was read, or of messages in a minute or a day. */
  | { status: 429; limit: "posts" }
  | { status: 429; limit: "minute" | "sender" | "all"; values: MessageValues }
  | { status: 503; values: MessageValues }
  /** Refused by the challenge, if one is configured. */
  | { status: 403 | 503; values: MessageValues; message: string };

/** In bytes; far more than a valid message, so that one that is too long can be shown again and is not lost. */
const largestForm = 512 * 1024;

/** Handles a posted contact form: counts the post, checks it, counts the message, stores it and mails it. */
export async function receiveMessage(
  context: AppContext,
  request: Request,
): Promise<ContactOutcome> {
  if (!(await withinLimit(context, "CONTACT_READ_LIMIT", request))) {
    return { status: 429, limit: "posts" };
  }
  const body = await readBody(request, largestForm);
  if (body === undefined) return { status: 413 };
  const form = new URLSearchParams(body);
  if (form.get(trapField)) return { status: 303 };
  const values = messageValues(form);
  const check = checkMessage(values);
  if (!check.ok) return { status: 400, values, errors: check.errors };
  if (!(await withinLimit(context, "CONTACT_LIMIT", request))) {
    return { status: 429, limit: "minute", values };
  }

  const refusal = await refuseMachines(context, request, form, "contact");
  if (refusal) return { ...refusal, values };

  const id = crypto.randomUUID();
  const { message } = check;
  const stored = await storeMessage(context, {
    id,
    message,
    sender: await senderOf(request, context.configuration, new Date()),
  });
  if (stored === "failed") return { status: 503, values };
  if (stored !== "kept") return { status: 429, limit: stored, values };
  context.waitUntil(mailMessage(context, id, message));
  return { status: 303, receipt: { id, email: message.email, topic: message.topic } };
}

/**
 * A key under which the messages of one network on one day (UTC) are counted. It is a keyed hash: the address
 * cannot be found from it without our secret, and it is different on each day.
 */
export async function senderOf(
  request: Request,
  { COOKIE_SECRET }: Pick<Configuration, "COOKIE_SECRET">,
  now: Date,
): Promise<string> {
  const key = await signingKey(COOKIE_SECRET[0] ?? "", "contact senders");
  const network = networkOf(request.headers.get("cf-connecting-ip") ?? "unknown");
  const counted = new TextEncoder().encode(`${isoDayOf(now)} ${network}`);
  return toBase64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, counted), 0, 16));
}

const outcomes = z.enum(["kept", "sender", "all"]);

/**
 * Stores a message, unless its sender, or all senders together, have reached the limit of the day. The log gets
 * the error's code and never the text.
 */
async function storeMessage(
  { configuration }: AppContext,
  { id, message, sender }: { id: string; message: ContactMessage; sender: string },
): Promise<z.output<typeof outcomes> | "failed"> {
  const { data, error } = await serviceClient(configuration).rpc("keep_contact_message", {
    new_id: id,
    new_name: message.name,
    new_email: message.email,
    new_topic: message.topic,
    new_message: message.message,
    new_sender: sender,
  });
  // An error message of the database quotes the refused row, so it is not logged.
  if (error) {
    log.error("A contact message was not stored", { id, code: error.code });
    return "failed";
  }
  const outcome = outcomes.parse(data);
  if (outcome !== "kept") {
    log.warn("A quota was reached", { quota: `contact messages of ${outcome}` });
  }
  return outcome;
}
