import { readFile } from "node:fs/promises";
import * as z from "zod";
import { PlainFailure } from "../lib/terminal.mjs";

/** One line of the Worker's log, as it was written, and when. */
export type LogLine = {
  time: Date | undefined;
  /** The version of the Worker that wrote it. */
  version: string | undefined;
  fields: Record<string, unknown>;
};

const line = z.record(z.string(), z.unknown());
const savedTime = z.object({ time: z.iso.datetime() });

/** The lines of a request in a saved log, which has one JSON object in each line. */
export async function savedLines(file: string, requestId: string): Promise<LogLine[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new PlainFailure(`There is no log in ${file}. npm start writes one.`);
  });
  return text.split("\n").flatMap((each) => {
    const fields = asFields(each);
    if (!fields || fields.requestId !== requestId) return [];
    const { time, ...others } = fields;
    const read = savedTime.safeParse({ time });
    return {
      time: read.success ? new Date(read.data.time) : undefined,
      version: undefined,
      fields: others,
    };
  });
}

export type CloudflareAccount = { apiUrl: string; accountId: string; token: string };

const events = z.object({
  result: z.object({
    events: z
      .object({
        events: z
          .array(
            z.object({
              timestamp: z.number(),
              source: z.unknown(),
              $metadata: z.looseObject({}),
              $workers: z
                .looseObject({
                  scriptVersion: z.looseObject({ id: z.string().optional() }).optional(),
                })
                .optional(),
            }),
          )
          .optional(),
      })
      .optional(),
  }),
});

/** Cloudflare keeps lines for three days on its free plan and for seven on the paid one. */
const retentionMs = 7 * 24 * 3_600_000;
const maxLines = 200;

/**
 * The lines of a request in Workers Logs, oldest first, by Cloudflare's Telemetry API:
 * https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query/
 */
export async function cloudflareLines(
  { apiUrl, accountId, token }: CloudflareAccount,
  requestId: string,
  now = Date.now(),
): Promise<LogLine[]> {
  const response = await fetch(
    `${apiUrl}/accounts/${accountId}/workers/observability/telemetry/query`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        queryId: "lines-of-a-request",
        // A dry run is not saved among the account's queries.
        dry: true,
        view: "events",
        limit: maxLines,
        timeframe: { from: now - retentionMs, to: now },
        parameters: {
          datasets: ["cloudflare-workers"],
          needle: { value: requestId, isRegex: false, matchCase: true },
        },
      }),
    },
  );
  const body = await response.text();
  if (!response.ok) {
    throw new PlainFailure(
      `Cloudflare answered ${response.status}. The token needs Workers Observability: Read.\n${body.slice(0, 500)}`,
    );
  }
  const { result } = events.parse(JSON.parse(body));
  return (result.events?.events ?? [])
    .map(({ timestamp, source, $metadata, $workers }) => ({
      time: new Date(timestamp),
      version: $workers?.scriptVersion?.id,
      fields: asFields(source) ?? { level: $metadata.level, message: $metadata.message },
    }))
    .toSorted((a, b) => a.time.getTime() - b.time.getTime());
}

/** Cloudflare has parsed the JSON of a line already; a saved log has it as text. */
function asFields(source: unknown): Record<string, unknown> | undefined {
  const read = line.safeParse(typeof source === "string" ? parsed(source) : source);
  return read.success && typeof read.data.message === "string" ? read.data : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
