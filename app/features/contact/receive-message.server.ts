import { refuseMachines } from "~/features/auth/challenge/challenge.server";
import type { AppContext } from "~/http/app-context";
import { readBody } from "~/http/body/body.server";
import { withinLimit } from "~/http/limits/rate-limit.server";
import { mailMessage } from "./mail-message.server";
import {
  checkMessage,
  type MessageErrors,
  type TypedMessage,
  typedMessage,
} from "./message-form.server";
import type { Receipt } from "./receipt.server";
import { senderOf } from "./sender.server";
import { storeMessage } from "./store-message.server";
import { trapField } from "./trap";

export type Outcome =
  /** Without a receipt: what a machine sent. It reads the same success and nothing is kept. */
  | { status: 303; receipt?: Receipt }
  | { status: 400; typed: TypedMessage; errors: MessageErrors }
  | { status: 413 }
  /** Beyond a limit: of posts in a minute, before anything was read, or of messages in a minute or a day. */
  | { status: 429; limit: "posts" }
  | { status: 429; limit: "minute" | "sender" | "all"; typed: TypedMessage }
  | { status: 503; typed: TypedMessage }
  /** What the challenge says, where one is set up. */
  | { status: 403 | 503; typed: TypedMessage; message: string };

/** Far more than a valid message: one that is too long is shown again instead of being lost. */
const largestForm = 512 * 1024;

/** Takes a posted contact form: counts it, checks it, counts the message, stores it, and has it mailed. */
export async function receiveMessage(context: AppContext, request: Request): Promise<Outcome> {
  if (!(await withinLimit(context, "CONTACT_READ_LIMIT", request))) {
    return { status: 429, limit: "posts" };
  }
  const body = await readBody(request, largestForm);
  if (body === undefined) return { status: 413 };
  const form = new URLSearchParams(body);
  if (form.get(trapField)) return { status: 303 };
  const typed = typedMessage(form);
  const check = checkMessage(typed);
  if (!check.ok) return { status: 400, typed, errors: check.errors };
  if (!(await withinLimit(context, "CONTACT_LIMIT", request))) {
    return { status: 429, limit: "minute", typed };
  }

  const refusal = await refuseMachines(context, request, form, "contact");
  if (refusal) return { ...refusal, typed };

  const id = crypto.randomUUID();
  const { message } = check;
  const stored = await storeMessage(context, {
    id,
    message,
    sender: await senderOf(request, context.configuration, new Date()),
  });
  if (stored === "failed") return { status: 503, typed };
  if (stored !== "kept") return { status: 429, limit: stored, typed };
  context.waitUntil(mailMessage(context, id, message));
  return { status: 303, receipt: { id, email: message.email, topic: message.topic } };
}
