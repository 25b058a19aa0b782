import * as z from "zod/mini";
import { probeServer } from "~/features/deployments/progress/server-probe.server";
import {
  isHostName,
  isSameMachine,
  type ServerRecord,
} from "~/features/servers/state/server-record";
import { lastingSuspension } from "~/features/servers/state/suspension.server";

const minute = 60_000;
const everyMs = 15 * minute;
/** A server that is silent for longer is not probed any more. */
const endsAfterMs = 24 * 60 * minute;
/** So many domains are probed at once; the others at the next alarm, which comes at once. */
const maxAtOnce = 40;

const variables = z.object({ SERVER_PROBE_URL: z.optional(z.string()) });

/** When a silent server's domain is to be probed; infinite where it has no domain or was silent for a day. */
export function probeDue({ silence, domain }: ServerRecord, now: number): number {
  if (!silence || !isHostName(domain) || now - silence.foundAt > endsAfterMs) {
    return Number.POSITIVE_INFINITY;
  }
  return silence.probe ? silence.probe.at + everyMs : now;
}

/**
 * Whether an answer at a silent server's domain may be that of another node there, and so says nothing of this server:
 * others report for the same domain, and all were connected while this server still reported. Where one is the same
 * machine, connected again, or was connected after this server's last report, it most likely took the place. Then the
 * answer counts, so that nobody is paged for a machine that was replaced.
 */
export function mayBeAnotherNode(silent: ServerRecord, records: readonly ServerRecord[]): boolean {
  const { domain, reportAt = 0 } = silent;
  const others = records.filter(
    (record) => reports(record) && record.domain?.toLowerCase() === domain?.toLowerCase(),
  );
  const isBeside = (other: ServerRecord) =>
    other.enrolledAt <= reportAt && !isSameMachine(other, silent);
  return others.length > 0 && others.every(isBeside);
}

function reports(record: ServerRecord): boolean {
  const { retiredAt, reportAt, silence } = record;
  return (
    retiredAt === undefined && reportAt !== undefined && !silence && !lastingSuspension(record)
  );
}

/** Asks each domain once whether LiveKit answers there; at most 40 of them. Never throws. */
export async function probeDomains(
  env: object,
  domains: ReadonlySet<string>,
): Promise<Map<string, boolean>> {
  const { data } = variables.safeParse(env);
  const due = [...domains].filter(isHostName).slice(0, maxAtOnce);
  const answers = await Promise.all(
    due.map(async (domain) => {
      const answer = await probeServer({ SERVER_PROBE_URL: data?.SERVER_PROBE_URL }, domain);
      return [domain, answer === "livekit" || answer === "starting"] as const;
    }),
  );
  return new Map(answers);
}
