import type { SeenSteps } from "~/features/deployments/progress/ticks";
import type { ServerView } from "../fleet/server-view";

type SeenOf = SeenSteps extends ReadonlyMap<string, infer Steps> ? Steps : never;

/**
 * Which steps of each deployment its servers show to be done, those that were disconnected since too: that it introduced
 * itself, that its doctor, who looks at DNS too, found nothing critical, and that somebody was in a call.
 */
export function seenSteps(servers: readonly ServerView[]): SeenSteps {
  const seen = new Map<string, SeenOf>();
  // The newest come first, so that the oldest has the last word.
  for (const view of servers) {
    const {
      deployment,
      enrolledAt,
      doctorAt,
      findings,
      day,
      lastReportAt,
      participants = 0,
    } = view;
    const isWell = !findings.some(({ severity }) => severity === "critical");
    const hadCall = participants > 0 || day.some((most) => (most ?? 0) > 0);
    seen.set(deployment, {
      ...seen.get(deployment),
      files: iso(enrolledAt),
      machine: iso(enrolledAt),
      ...(doctorAt !== undefined && isWell ? stepsOfDoctor(iso(doctorAt)) : {}),
      ...(hadCall && lastReportAt !== undefined ? { connect: iso(lastReportAt) } : {}),
    });
  }
  return seen;
}

const stepsOfDoctor = (at: string) => ({ dns: at, answer: at, doctor: at });

const iso = (time: number) => new Date(time).toISOString();
