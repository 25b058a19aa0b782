import { type CheckFindingCode, findingOf, type Severity } from "../bundle/findings.ts";

/**
 * The steps of a check from outside, in their order: the name, the port, the certificate, LiveKit's answer, TURN over TLS,
 * and the port for calls over TCP. UDP is none of them: nothing at Cloudflare sends any.
 */
export const rungs = ["dns", "tcp", "tls", "https", "turn", "ice"] as const;
export type Rung = (typeof rungs)[number];

/**
 * What one step of a check came to. `skipped`: a step below it failed, or the server does without. `unknown`: it says
 * nothing of the server, because the fault was with us.
 */
export type RungResult = {
  rung: Rung;
  outcome: "ok" | "failed" | "skipped" | "unknown";
  /** The finding that it is, where it failed. */
  code?: CheckFindingCode;
  /** What the finding is about: a name or a port. */
  subject?: string;
  /** What should be there instead, where there is one answer. */
  wanted?: string;
  sentence: string;
  ms: number;
};

/** Which server is checked, by what its owner or its machine says. All names and addresses are looked at before any is used. */
export type CheckTarget = {
  domain: string;
  /** The name of its TURN over TLS: null where that is off, undefined where it is not known. */
  turn?: string | null | undefined;
  /** Its own addresses, one of which the domain must lead to. */
  addresses: readonly string[];
  /** Whether the certificate's end is read too, because nobody else says it. */
  readsCertificate: boolean;
};

/** A rung that fails, since when and in how many scheduled checks in a row. */
type Failing = Required<Pick<RungResult, "code" | "subject" | "sentence">> &
  Pick<RungResult, "wanted"> & { rung: Rung; count: number };

/** The checks of a server: the last one, and what fails. */
export type OutsideCheck = {
  at: number;
  /** When a rung last came to something else than before. */
  changedAt: number;
  results: readonly RungResult[];
  failing: readonly Failing[];
  /** Its name has led to the server once: from then on it is checked by itself, and what fails is a finding. */
  isScheduled: boolean;
};

/** In so many scheduled checks in a row something must fail before it is a finding: one lost packet wakes nobody. */
const countsFrom = 2;

/**
 * The checks of a server after one more. Only a scheduled check counts a failure: whoever presses a button twice wakes
 * nobody. What is `unknown` leaves as it is what failed before.
 */
export function withCheck(
  former: OutsideCheck | undefined,
  results: readonly RungResult[],
  at: number,
  isScheduled: boolean,
): OutsideCheck {
  const failing = results.flatMap((result): Failing[] => {
    const before = former?.failing.find(({ rung }) => rung === result.rung);
    if (result.outcome === "unknown") return before ? [before] : [];
    const { rung, outcome, code, subject, sentence, wanted } = result;
    if (outcome !== "failed" || code === undefined || subject === undefined) return [];
    const isSame = before?.code === code && before.subject === subject;
    const count = (isSame ? before.count : 0) + (isScheduled ? 1 : 0);
    return [{ rung, code, subject, sentence, count, ...(wanted ? { wanted } : {}) }];
  });
  const isLike = former && fingerprint(former.results) === fingerprint(results);
  const leadsThere = results.some(({ rung, outcome }) => rung === "dns" && outcome === "ok");
  return {
    at,
    changedAt: isLike ? former.changedAt : at,
    results,
    failing,
    isScheduled: former?.isScheduled === true || leadsThere,
  };
}

const fingerprint = (results: readonly RungResult[]): string =>
  JSON.stringify(results.map(({ rung, outcome, code }) => [rung, outcome, code]));

type CheckFinding = {
  code: CheckFindingCode;
  severity: Severity;
  subject: string;
  found: string;
  wanted: string;
};

/** What the checks of a server have found. */
export function checkFindings(check: OutsideCheck | undefined): CheckFinding[] {
  if (!check?.isScheduled) return [];
  return check.failing
    .filter(({ count }) => count >= countsFrom)
    .map(({ code, subject, sentence, wanted = "" }) => ({
      ...{ code, subject, wanted, found: sentence },
      severity: findingOf(code)?.severity ?? "warning",
    }));
}
