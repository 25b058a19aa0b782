import type { SeenSteps } from "~/features/deployments/progress/ticks";
import { isoOf } from "../iso-of";
import type { ServerView } from "./server-view";

type SeenOf = SeenSteps extends ReadonlyMap<string, infer Steps> ? Steps : never;

/**
 * Which steps of each deployment its servers show to be done, those that were disconnected since too: that it introduced
 * itself, that its doctor, who looks at DNS too, found nothing critical, and that somebody was in a call.
 */
export function seenSteps(servers: readonly ServerView[]): SeenSteps {
  const seen = new Map<string, SeenOf>();
  // Servers come newest first, and each writes over what the ones before said: a step counts from when it was first done.
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
      files: isoOf(enrolledAt),
      machine: isoOf(enrolledAt),
      ...(doctorAt !== undefined && isWell ? stepsOfDoctor(isoOf(doctorAt)) : {}),
      ...(hadCall && lastReportAt !== undefined ? { connect: isoOf(lastReportAt) } : {}),
    });
  }
  return seen;
}

const stepsOfDoctor = (at: string) => ({ dns: at, answer: at, doctor: at });
