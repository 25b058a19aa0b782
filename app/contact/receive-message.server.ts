import { readBody } from "~/request/body.server";
import { withinLimit } from "~/request/rate-limit.server";
import type { RequestContext } from "~/request/request-context";
import { mailMessage } from "./mail-message.server";
import {
  checkMessage,
  type MessageErrors,
  type TypedMessage,
  typedMessage,
} from "./message-form.server";
import type { Receipt } from "./receipt.server";
import { storeMessage } from "./store-message.server";
import { trapField } from "./trap";

export type Outcome =
  /** Without a receipt: what a machine sent. It reads the same success and nothing is kept. */
  | { status: 303; receipt?: Receipt }
  | { status: 400; typed: TypedMessage; errors: MessageErrors }
  | { status: 413 }
  | { status: 429; typed: TypedMessage }
  | { status: 503; typed: TypedMessage };

/** Far more than a valid message: one that is too long is shown again instead of being lost. */
const largestForm = 512 * 1024;

/** Takes a posted contact form: checks it, counts it, stores it, and has it mailed. */
export async function receiveMessage(asked: RequestContext, request: Request): Promise<Outcome> {
  const body = await readBody(request, largestForm);
  if (body === undefined) return { status: 413 };
  const form = new URLSearchParams(body);
  if (form.get(trapField)) return { status: 303 };
  const typed = typedMessage(form);
  const check = checkMessage(typed);
  if (!check.ok) return { status: 400, typed, errors: check.errors };
  if (!(await withinLimit(asked, "CONTACT_LIMIT", request))) return { status: 429, typed };

  const id = crypto.randomUUID();
  const { message } = check;
  if (!(await storeMessage(asked, id, message))) return { status: 503, typed };
  asked.waitUntil(mailMessage(asked, id, message));
  return { status: 303, receipt: { id, email: message.email, topic: message.topic } };
}
