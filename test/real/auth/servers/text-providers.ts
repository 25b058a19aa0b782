import type { IncomingMessage, ServerResponse } from "node:http";

/** Sends a text to a number with its plus sign. */
export type SendText = (to: string, text: string) => void;

/** The hosts of the two providers of texts that supabase/config.toml names. */
export const textProviders = ["api.twilio.com", "rest.nexmo.com"];

/**
 * Answers what the auth server sends to Twilio (https://www.twilio.com/docs/messaging/api/message-resource) and to Vonage
 * (https://developer.vonage.com/en/api/sms), read in November 2026. Numbers that end in 9 are taken by neither.
 */
export async function answerTextProvider(
  request: IncomingMessage,
  response: ServerResponse,
  sendText: SendText,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const isTwilio = request.headers.host === "api.twilio.com";
  const to = isTwilio ? (form.get("To") ?? "") : `+${form.get("to")}`;
  const taken = !to.endsWith("9");
  if (taken) sendText(to, form.get(isTwilio ? "Body" : "text") ?? "");
  const refusedByTwilio = { code: 21211, message: "The 'To' number is not valid", status: 400 };
  const answer = isTwilio
    ? taken
      ? { sid: "SM0", status: "queued" }
      : refusedByTwilio
    : { messages: [{ "message-id": "0", status: taken ? "0" : "3", "error-text": "Invalid" }] };
  const status = isTwilio ? (taken ? 201 : 400) : 200;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
}
