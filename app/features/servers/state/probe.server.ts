import * as z from "zod/mini";
import { probeServer } from "~/features/deployments/checks/server-probe.server";
import { targetOf } from "~/features/deployments/public-name.server";
import {
  isHostName,
  isSameMachine,
  type Probe,
  type ServerRecord,
} from "~/features/servers/state/server-record";
import { lastingSuspension } from "~/features/servers/state/suspension.server";

import { senderSettings } from "../sender-settings.server";

const minute = 60_000;
const everyMs = 15 * minute;
/** A server that is silent for longer is not probed any more. */
const endsAfterMs = 24 * 60 * minute;
/** So many domains are probed at once; the others at the next alarm, which comes at once. */
const maxAtOnce = 40;
const timeoutMs = 5_000;

const variables = z.object({ SERVER_PROBE_URL: z.optional(z.string()) });

/**
 * When a silent server's domain is to be probed; infinite where it has no domain, was silent for a day, or is simulated.
 */
export function probeDue({ silence, domain, isSimulated }: ServerRecord, now: number): number {
  if (!silence || !isHostName(domain) || isSimulated || now - silence.foundAt > endsAfterMs) {
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
  const { domain, reportAt = 0, report } = silent;
  // Whatever answers for a cluster does so through its edge.
  if (report?.role === "edge") return false;
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

/**
 * Asks each domain once whether LiveKit answers there; at most 40 of them. A name that leads to us or into a private network
 * is not asked. Where one does not answer, somebody else is asked too: whether we reach the internet at all. Never throws.
 */
export async function probeDomains(
  env: object,
  domains: ReadonlySet<string>,
): Promise<Map<string, Omit<Probe, "at">>> {
  const { data } = variables.safeParse(env);
  const settings = senderSettings(env);
  const due = [...domains].filter(isHostName).slice(0, maxAtOnce);
  const probes = await Promise.all(
    due.map(async (domain) => {
      const target = settings ? await targetOf(settings, domain) : "unknown";
      const answer = target === "public" ? await probeServer(data ?? {}, domain) : undefined;
      const answers = answer === "livekit" || answer === "starting";
      return { domain, answers, isOfInternet: target === "public" || target === "none" };
    }),
  );
  const reachesInternet =
    settings !== undefined &&
    probes.some(({ answers, isOfInternet }) => !answers && isOfInternet) &&
    (await isReached(settings.PAGERDUTY_API_URL));
  return new Map(
    probes.map(({ domain, answers, isOfInternet }) => [
      domain,
      { answers, isCertain: answers || (isOfInternet && reachesInternet) },
    ]),
  );
}

/** Whether anything answers at an address of another provider's. At Cloudflare 520 to 530 say that nobody did. */
export async function isReached(url: string): Promise<boolean> {
  try {
    const { status, body } = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body?.cancel();
    return status < 520;
  } catch {
    return false;
  }
}
