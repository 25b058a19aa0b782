import type { NextWords } from "./next-words";

const tones = {
  critical: "font-strong text-failure",
  warning: "font-strong text-warning",
  none: "text-ink-soft",
} as const;

/** What a deployment and its servers want next, in one line. */
export function NextLine({ next: { words, urgency } }: { next: NextWords }) {
  return <span className={`wrap-anywhere ${tones[urgency ?? "none"]}`}>{words}</span>;
}
