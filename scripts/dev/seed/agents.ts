import type { Browser } from "../../lib/browser.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

const dayMs = 24 * 60 * 60 * 1_000;
const weeks = 8;
const identities = ["reception", "support", "sales"];

const instructions = [
  "Greet the caller.",
  "Greet the caller and ask how you can help.",
  "Greet the caller by name and ask how you can help. Keep answers short.",
  "Greet the caller by name and ask how you can help. Keep answers short. Offer a person after two misunderstandings.",
];

/** Saves a model configuration four times, each over the one before. */
export async function saveConfigurations(browser: Browser): Promise<void> {
  for (const [version, text] of instructions.entries()) {
    await change(browser, {
      intent: "save",
      version: String(version),
      model: "gpt-realtime",
      instructions: text,
      voice: "nova",
      "inputAudioTranscription.model": "whisper-1",
    });
  }
}

/** Makes two tokens, and reports with the first what three identities used on each day of eight weeks. */
export async function reportUsage(browser: Browser): Promise<void> {
  const { token } = await change(browser, { intent: "create-token", name: "Reception" });
  await change(browser, { intent: "create-token", name: "Night shift" });
  const response = await fetch(`${browser.siteUrl}/api/token-usage`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(reports(Date.now())),
  });
  if (!response.ok) throw new PlainFailure(`The usage was not taken: ${await response.text()}`);
}

type ChangeResult = { ok: boolean; message: string; token?: string };

async function change(browser: Browser, fields: Record<string, string>): Promise<ChangeResult> {
  const outcome = (await (await browser.post("/openai-config/own", fields)).json()) as ChangeResult;
  if (!outcome.ok) throw new PlainFailure(`${fields.intent}: ${outcome.message}`);
  return outcome;
}

/** More from week to week, little at weekends, and never the same twice; the same in every run of a day. */
function reports(now: number) {
  const days = Array.from({ length: weeks * 7 }, (_, ago) => new Date(now - (ago + 1) * dayMs));
  return days.flatMap((day, ago) => {
    const isWeekend = [0, 6].includes(day.getUTCDay());
    const growth = 1 + (weeks * 7 - ago) / 20;
    return identities.flatMap((identity, place) => {
      const calls = isWeekend ? 1 : 2 + ((ago * 7 + place * 3) % 4);
      return Array.from({ length: calls }, (_, call) => ({
        event_id: `seed-${day.toISOString().slice(0, 10)}-${identity}-${call}`,
        identity,
        timestamp: day.toISOString(),
        usage: usageOf(Math.round(growth * (300 + ((ago * 37 + place * 91 + call * 53) % 400)))),
      }));
    });
  });
}

/** Usage of a spoken call: most of it is audio, and a fifth of the input was cached. */
function usageOf(input: number) {
  const output = Math.round(input * 0.6);
  const [inputText, outputText, cached] = [input, output, input].map((sum) => Math.round(sum / 5));
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: inputText,
      audio_tokens: input - (inputText ?? 0),
      cached_tokens: cached,
    },
    output_token_details: { text_tokens: outputText, audio_tokens: output - (outputText ?? 0) },
  };
}
