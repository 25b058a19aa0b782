import * as z from "zod/mini";
import { probeServer } from "~/features/deployments/progress/server-probe.server";
import { lastingPause } from "~/features/servers/fleet/pauses";
import { isHostName } from "~/features/servers/fleet/report";
import type { ServerRecord } from "~/features/servers/fleet/server-record";

const minute = 60_000;
const everyMs = 15 * minute;
/** Whoever is silent for longer is asked no more. */
const endsAfterMs = 24 * 60 * minute;
/** So many domains are asked at once; the others at the next alarm, which comes at once. */
const mostAtOnce = 40;

const variables = z.object({ SERVER_PROBE_URL: z.optional(z.string()) });

/** When a silent server's domain is to be asked; infinite where it is not known or was silent for a day. */
export function probeDue({ silence, domain }: ServerRecord, now: number): number {
  if (!silence || !isHostName(domain) || now - silence.foundAt > endsAfterMs) {
    return Number.POSITIVE_INFINITY;
  }
  return silence.probe ? silence.probe.at + everyMs : now;
}

/**
 * The domains at which a server answers that still reports. An answer there says nothing of another server that has the
 * same domain and is silent.
 */
export function answeredByOthers(records: readonly ServerRecord[]): ReadonlySet<string> {
  const reporting = records.filter(
    (record) =>
      record.retiredAt === undefined &&
      record.reportAt !== undefined &&
      !record.silence &&
      !lastingPause(record),
  );
  return new Set(reporting.flatMap(({ domain }) => domain?.toLowerCase() ?? []));
}

/** Asks each domain once whether LiveKit answers there; at most 40 of them. Never throws. */
export async function askDomains(
  env: object,
  domains: ReadonlySet<string>,
): Promise<Map<string, boolean>> {
  const { data } = variables.safeParse(env);
  const asked = [...domains].filter(isHostName).slice(0, mostAtOnce);
  const answers = await Promise.all(
    asked.map(async (domain) => {
      const answer = await probeServer({ SERVER_PROBE_URL: data?.SERVER_PROBE_URL }, domain);
      return [domain, answer === "livekit" || answer === "starting"] as const;
    }),
  );
  return new Map(answers);
}
