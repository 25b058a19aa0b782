import { findingsOf } from "./findings";
import { shownPause } from "./pauses";
import { isHostName, type Pause, type ServerRecord } from "./server-record";
import { isExcused, type Outage, silentAt } from "./silence";
import { stages } from "./stages";

/** What a server is like now. `since` is in milliseconds since 1970, like every time here. */
export type ServerState =
  | { code: "waiting" }
  /** `stage`: the first stage of the first boot that is not reached. */
  | { code: "booting"; stage: string }
  | { code: "healthy" }
  /** `finding`: the code of the worst one. */
  | { code: "degraded"; finding: string }
  | { code: "updating"; since: number }
  /** It does not report, but its LiveKit answers, or we have not asked yet. */
  | { code: "silent"; since: number }
  /** It neither reports nor answers. */
  | { code: "down"; since: number }
  | { code: "twice" }
  /** `isEnding`: the next report counts again. */
  | ({ code: "paused"; isEnding: boolean } & Pick<Pause, "why" | "allowed">)
  | { code: "retired"; since: number };

const twiceForMs = 60 * 60_000;
/** For so long after its enrolment, or after another machine took its place, a first boot excuses a server. */
const longestBootMs = 2 * 60 * 60_000;

/**
 * The first stage of the first boot that is not reached; undefined where that is over, or takes too long. A machine that
 * was connected later has no stages: its first boot was before.
 */
export function nextStage(
  { report, enrolledAt, changes }: ServerRecord,
  now: number,
): string | undefined {
  const reached = new Set(report?.stages.map(({ code }) => code));
  if (reached.size === 0 || reached.has("ready")) return;
  const begun = changes.find(({ code }) => code === "machine")?.at ?? enrolledAt;
  return now - begun < longestBootMs
    ? Object.keys(stages).find((each) => !reached.has(each))
    : undefined;
}

/** What a server is like at a moment. */
export function stateOf(record: ServerRecord, now: number, outage?: Outage): ServerState {
  const { report, reportAt, retiredAt, twiceAt, silence, domain } = record;
  if (retiredAt !== undefined) return { code: "retired", since: retiredAt };
  const pause = shownPause(record, now);
  if (pause) {
    const { why, allowed, until } = pause;
    return { code: "paused", why, allowed, isEnding: until !== undefined };
  }
  if (!report || reportAt === undefined) return { code: "waiting" };
  if (isExcused(record, now, outage)) return { code: "silent", since: reportAt };
  if (now >= (silentAt(record, outage) ?? now)) {
    // Until we have asked there once, nobody knows which of the two it is.
    const answers = silence?.probe ? silence.probe.answers : isHostName(domain);
    return { code: answers ? "silent" : "down", since: reportAt };
  }
  if (twiceAt !== undefined && now - twiceAt < twiceForMs) return { code: "twice" };
  if (report.going === "update") {
    return { code: "updating", since: record.updatingAt ?? reportAt };
  }
  const stage = nextStage(record, now);
  if (stage) return { code: "booting", stage };
  const findings = findingsOf(record);
  const worst = findings.find(({ severity }) => severity === "critical");
  const finding = worst ?? findings[0];
  return finding ? { code: "degraded", finding: finding.code } : { code: "healthy" };
}
