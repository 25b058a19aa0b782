import * as z from "zod/mini";
import type { Fault } from "~/features/agents/api/problem";
import { maxIdentityBytes } from "~/platform/database/quotas";
import { dayMs } from "~/ui/dates";

/** In bytes. 1,000 reports, the most in one call, are about half of it. */
export const largestReport = 1024 * 1024;
const maxReports = 1_000;
const maxFaults = 20;

const count = z
  .int("Must be a whole number.")
  .check(z.gte(0, "Must be 0 or more."), z.lte(1e9, "Must be 1000000000 or less."));
const kinds = { text_tokens: count, audio_tokens: count };
const details = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, "Must be an object.");

const usage = details({
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  input_token_details: details({
    ...kinds,
    cached_tokens: count,
    cached_tokens_details: z.optional(details(kinds)),
  }),
  output_token_details: details(kinds),
});

/** Whether the database takes an identity: its limit is in bytes of UTF-8, not in characters. */
export function fits(identity: string): boolean {
  return new TextEncoder().encode(identity).length <= maxIdentityBytes;
}

const report = details({
  event_id: z
    .string("Must be text.")
    .check(z.regex(/^[\x21-\x7e]{1,200}$/, "Must be 1 to 200 letters, digits and signs of ASCII.")),
  identity: z.string("Must be text.").check(
    z.refine((identity) => /^[^\p{Cc}\p{Cs}]+$/u.test(identity) && fits(identity), {
      error: `Must be 1 to ${maxIdentityBytes} bytes of UTF-8, none of them control characters.`,
    }),
  ),
  timestamp: z.optional(
    z
      .string("Must be text.")
      .check(
        z.regex(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/,
          "Must be a time of RFC 3339, such as 2026-11-21T10:00:00Z.",
        ),
      ),
  ),
  usage,
});

/** One report in the form that the database function takes. */
export type Report = {
  event_id: string;
  identity: string;
  happened_at: string;
  usage: z.output<typeof usage>;
};

type Reading =
  | { ok: true; value: Report[]; pointerTo: (index: number) => string }
  | { ok: false; status: 400 | 422; detail: string; errors?: Fault[] };

/** Reads a body that is one report or a list of reports. Each fault has a JSON pointer to what is wrong. */
export function reportsIn(body: string, now: Date): Reading {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return { ok: false, status: 400, detail: "The body is not JSON." };
  }
  const list = Array.isArray(sent) ? sent : [sent];
  if (list.length === 0 || list.length > maxReports) {
    return { ok: false, status: 422, detail: "Send 1 to 1,000 reports." };
  }
  const pointerTo = (index: number) => (Array.isArray(sent) ? `#/${index}` : "#");
  const faults: Fault[] = [];
  const reports: Report[] = [];
  for (const [index, each] of list.entries()) {
    const at = pointerTo(index);
    const result = report.safeParse(each);
    if (!result.success) {
      for (const { path, message } of result.error.issues) {
        faults.push({ pointer: [at, ...path.map(String)].join("/"), detail: message });
      }
      continue;
    }
    const { timestamp, ...rest } = result.data;
    const time = timestamp === undefined ? now : new Date(timestamp);
    const age = now.getTime() - time.getTime();
    if (!(age > -dayMs && age < 400 * dayMs)) {
      const detail = "Must be within the last 400 days, and at most a day ahead.";
      faults.push({ pointer: `${at}/timestamp`, detail });
      continue;
    }
    reports.push({ ...rest, happened_at: time.toISOString() });
  }
  if (faults.length === 0) return { ok: true, value: reports, pointerTo };
  const detail = "Nothing was recorded: what is wrong is in `errors`.";
  return { ok: false, status: 422, detail, errors: faults.slice(0, maxFaults) };
}
