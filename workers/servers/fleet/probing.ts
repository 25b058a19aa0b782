import * as z from "zod/mini";
import { probeServer } from "~/features/deployments/progress/server-probe.server";
import type { ServerRecord } from "~/features/servers/fleet/server-record";

const minute = 60_000;
const everyMs = 15 * minute;
/** Whoever is silent for longer is asked no more. */
const endsAfterMs = 24 * 60 * minute;
/** So many domains are asked at once; the others at the next alarm, which comes at once. */
const mostAtOnce = 40;

const variables = z.object({ SERVER_PROBE_URL: z.optional(z.string()) });
const name = z.string().check(z.maxLength(253), z.regex(/^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i));

/** A name of the internet, as deployments have: no address, no port, nothing local. */
const isAskable = (domain: string | undefined): domain is string => name.safeParse(domain).success;

/** When a silent server's domain is to be asked; infinite where it is not known or was silent for a day. */
export function probeDue({ silence, domain }: ServerRecord, now: number): number {
  if (!silence || !isAskable(domain) || now - silence.foundAt > endsAfterMs) {
    return Number.POSITIVE_INFINITY;
  }
  return silence.probe ? silence.probe.at + everyMs : now;
}

/** Asks each domain once whether LiveKit answers there; at most 40 of them. Never throws. */
export async function askDomains(
  env: object,
  domains: ReadonlySet<string>,
): Promise<Map<string, boolean>> {
  const { data } = variables.safeParse(env);
  const asked = [...domains].filter(isAskable).slice(0, mostAtOnce);
  const answers = await Promise.all(
    asked.map(async (domain) => {
      const answer = await probeServer({ SERVER_PROBE_URL: data?.SERVER_PROBE_URL }, domain);
      return [domain, answer === "livekit" || answer === "starting"] as const;
    }),
  );
  return new Map(answers);
}
