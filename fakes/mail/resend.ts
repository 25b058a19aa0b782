import { z } from "zod";
import type { Inbox } from "./inbox.ts";

const addresses = z.union([
  z.string().transform((one) => [one]),
  z.array(z.string()).min(1).max(50),
]);

const resendMail = z
  .object({
    from: z.string().min(1),
    to: addresses,
    subject: z.string().min(1),
    reply_to: addresses.optional(),
    text: z.string().optional(),
    html: z.string().optional(),
  })
  .refine((mail) => mail.text !== undefined || mail.html !== undefined, {
    message: "Missing `html` or `text` field.",
  });

/** The answer to each idempotency key, and the request body that it answered. */
export type KeyedAnswers = Map<string, { request: string; answer: unknown }>;

function problem(statusCode: number, name: string, message: string): Response {
  return Response.json({ statusCode, name, message }, { status: statusCode });
}

/** Resend's answer while it takes nothing: over the limit of requests a second, or broken. */
export function refusedByResend(why: string): Response {
  return why === "limited"
    ? problem(429, "rate_limit_exceeded", "Too many requests. You can only make 2 per second.")
    : problem(500, "internal_server_error", "Something went wrong.");
}

/** Answers `POST /emails` and `POST /emails/batch` as Resend does, and keeps the mail. */
export async function answerResend(
  request: Request,
  inbox: Inbox,
  apiKeys: readonly (string | undefined)[],
  keyed: KeyedAnswers,
): Promise<Response> {
  const authorization = request.headers.get("authorization");
  if (!authorization) return problem(401, "missing_api_key", "Missing API Key");
  if (!apiKeys.some((key) => authorization === `Bearer ${key}`)) {
    return problem(400, "validation_error", "API key is invalid");
  }
  const key = request.headers.get("idempotency-key");
  if (key !== null && (key.length < 1 || key.length > 256)) {
    return problem(400, "invalid_idempotency_key", "The key must be between 1-256 chars.");
  }
  const text = await request.text();
  const earlier = key === null ? undefined : keyed.get(key);
  // Resend remembers a key for 24 hours; this fake, until its reset.
  if (earlier) {
    if (earlier.request === text) return Response.json(earlier.answer);
    const words = "Same idempotency key used with a different request payload.";
    return problem(409, "invalid_idempotent_request", words);
  }
  const body = parsedJson(text);
  const isBatch = new URL(request.url).pathname === "/emails/batch";
  const parsed = z
    .array(resendMail)
    .min(1)
    .max(100)
    .safeParse(isBatch ? body : [body]);
  if (!parsed.success) {
    return problem(422, "validation_error", parsed.error.issues[0]?.message ?? "Invalid body");
  }
  const mails = parsed.data.map((mail) =>
    inbox.add({
      via: "resend",
      from: mail.from,
      to: mail.to,
      replyTo: mail.reply_to ?? [],
      subject: mail.subject,
      text: mail.text ?? "",
      html: mail.html ?? "",
    }),
  );
  const ids = mails.map(({ id }) => ({ id }));
  const answer = isBatch ? { data: ids } : ids[0];
  if (key !== null) keyed.set(key, { request: text, answer });
  return Response.json(answer);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
