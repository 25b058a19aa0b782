import { expect } from "vitest";
import type { TokenUsage } from "../../../app/content/model-configuration.ts";
import type { UserOutcome, UserView } from "../../../app/features/agents/configuration/own-view.ts";
import { database, personalWorkspaceOf } from "../database/database.ts";
import { randomAddress } from "../site/network-address.ts";
import { siteUrl } from "../site/own-site.ts";
import type { Visitor } from "../site/visitor.ts";

/** Posts one of the signed-in forms of /openai-config. */
export async function changeOwn(
  visitor: Visitor,
  fields: Record<string, string>,
): Promise<UserOutcome> {
  const response = await visitor.post("/openai-config/own", fields);
  return (await response.json()) as UserOutcome;
}

/** What the page shows of a customer's own. */
export async function userConfiguration(visitor: Visitor): Promise<UserView> {
  return (await (await visitor.request("/openai-config/own")).json()) as UserView;
}

/** As if a customer had saved so many versions, of the models model-1, model-2 and so on. */
export async function saveVersions(owner: string, count: number): Promise<void> {
  const workspace_id = await personalWorkspaceOf(owner);
  const versions = Array.from({ length: count }, (_, place) => ({
    workspace_id,
    user_id: owner,
    version: place + 1,
    model: `model-${place + 1}`,
    instructions: "",
    voice: "nova",
    transcription_model: "whisper-2",
    saved_by: "customer.one@example.com",
    saved_at: "2026-10-01T12:00:00Z",
  }));
  await database.from("model_configuration_versions").insert(versions).throwOnError();
}

/** Makes a token of this customer's. */
export async function newTokenOf(visitor: Visitor, name = "Agent"): Promise<string> {
  const outcome = await changeOwn(visitor, { intent: "create-token", name });
  if (!outcome.ok || !outcome.token) throw new Error(`No token was made: ${outcome.message}`);
  return outcome.token;
}

/**
 * One call of an agent: with a token, and with nothing that a browser sends. Each has a connection of its own, as the
 * Worker closes an idle one after five seconds, whether or not the next call is on its way.
 */
export function call(path: string, token: string, init: RequestInit = {}): Promise<Response> {
  return fetch(siteUrl + path, {
    ...init,
    headers: {
      connection: "close",
      "cf-connecting-ip": randomAddress(),
      authorization: `Bearer ${token}`,
      ...init.headers,
    },
  });
}

export function readConfiguration(token: string, headers: Record<string, string> = {}) {
  return call("/api/model-config", token, { headers });
}

export function report(token: string, body: unknown, headers: Record<string, string> = {}) {
  return call("/api/token-usage", token, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Usage with these sums: three quarters of the output and of the input are text. */
export function usageOf(input: number, output: number): TokenUsage {
  const audio = (tokens: number) => Math.floor(tokens / 4);
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: input - audio(input),
      audio_tokens: audio(input),
      cached_tokens: Math.floor(input / 10),
      cached_tokens_details: { text_tokens: Math.floor(input / 10), audio_tokens: 0 },
    },
    output_token_details: { text_tokens: output - audio(output), audio_tokens: audio(output) },
  };
}

/** A report as an agent makes it. */
export function reportOf(event: string, identity = "ada", timestamp = "2026-10-05T12:00:00Z") {
  return { event_id: event, identity, timestamp, usage: usageOf(100, 60) };
}

/** A configuration that may be saved as the first version, with some of its fields otherwise. */
export const firstChoices = (fields: Record<string, string> = {}) => ({
  intent: "save",
  version: "0",
  model: "private-model",
  instructions: "Nobody else reads this.",
  voice: "nova",
  "inputAudioTranscription.model": "whisper-2",
  ...fields,
});

export const usagePath = "/openai-config/usage?from=2026-10-01&to=2026-10-31";

/** What the page shows of the visitor's own usage in October. */
export async function statisticsOf(visitor: Visitor) {
  const response = await visitor.request(usagePath);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  return response.json();
}
