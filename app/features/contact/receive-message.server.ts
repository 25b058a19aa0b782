import { refuseMachines } from "~/features/auth/challenge/challenge.server";
import type { AppContext } from "~/http/app-context";
import { readBody } from "~/http/body.server";
import { withinLimit } from "~/http/rate-limit.server";
import { mailMessage } from "./mail-message.server";
import {
  checkMessage,
  type MessageErrors,
  type MessageValues,
  messageValues,
} from "./message-form.server";
import type { Receipt } from "./receipt.server";
import { senderOf } from "./sender.server";
import { storeMessage } from "./store-message.server";
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
