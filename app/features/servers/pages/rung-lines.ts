import type { Rung, RungResult } from "~/features/deployments/checks/check";
import type { RungLine } from "~/features/deployments/checks/rung-line";
import { causeWords, helpPath } from "../incidents/cause-words";

const titles: Record<Rung, string> = {
  dns: "DNS",
  tcp: "Port 443",
  tls: "Certificate",
  https: "LiveKit over HTTPS",
  turn: "TURN over TLS",
  ice: "Port 7881, for calls over TCP",
};

const badges: Record<RungResult["outcome"], RungLine["badge"]> = {
  ok: { words: "Right", variant: "success" },
  failed: { words: "Does not work", variant: "warning" },
  skipped: { words: "Not tried", variant: "neutral" },
  unknown: { words: "Not known", variant: "neutral" },
};

/** The steps of a check, as pages show them. */
export function rungLines(results: readonly RungResult[]): RungLine[] {
  return results.map(({ rung, outcome, code, subject = "", wanted, sentence }) => {
    const words = code && causeWords({ code, subject, ...(wanted ? { wanted } : {}) });
    return {
      ...{ rung, sentence, title: titles[rung], badge: badges[outcome] },
      next: words?.next,
      help: code && helpPath(code),
    };
  });
}

/** How long somebody waits who asked for too many checks. */
export function tooManyChecks(waitMs: number): string {
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
  return `Ten checks of one deployment are run in an hour, and thirty of a workspace. The next is possible in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
}
