import type { AuditFinding } from "../audit";
import { faultWords, headlineOf, severityWords } from "../finding-words";
import { element } from "./element.client";

const looks = {
  critical: "border-failure",
  warning: "border-warning",
} as const;

/** One finding: what is so, where, why, and what mends it. */
export function findingItem(finding: AuditFinding): HTMLLIElement {
  const { severity, fault, file, line, text, reason, mend, source, code } = finding;
  const link = element(
    "a",
    "inline-flex min-h-11 items-center font-strong text-ink hover:text-signal",
    ["What this rests on"],
  );
  link.href = source;
  link.setAttribute("aria-label", `What this rests on: ${finding.title}`);
  const copy = element("button", "min-h-11 px-3 text-sm font-strong hover:bg-well print:hidden", [
    "Copy",
  ]);
  copy.type = "button";
  copy.dataset.copiesCode = "";
  copy.setAttribute("aria-label", `Copy the lines that mend it: ${headlineOf(finding)}`);
  const status = element("span", "sr-only", []);
  status.setAttribute("role", "status");
  return element("li", `min-w-0 rounded-md border-l-2 bg-raised p-5 sm:p-6 ${looks[severity]}`, [
    element("p", "font-mono text-sm text-ink-soft", [
      `${severityWords[severity]}, ${faultWords[fault].toLowerCase()}: ${code}`,
    ]),
    element("h2", "mt-1 break-words text-lg", [headlineOf(finding)]),
    element("p", "mt-2 break-words font-mono text-sm", [`${file}, line ${line}: ${text}`]),
    element("p", "mt-3 text-ink-soft", [reason]),
    element("div", "mt-4 rounded-md border border-line bg-paper", [
      scrolling(mend, headlineOf(finding)),
      copy,
      status,
    ]),
    link,
  ]);
}

/** Long lines are scrolled, also by keyboard. */
function scrolling(mend: string, headline: string): HTMLPreElement {
  const lines = element("pre", "overflow-x-auto p-4 font-mono text-sm", [mend]);
  lines.tabIndex = 0;
  lines.setAttribute("role", "group");
  lines.setAttribute("aria-label", `The lines that mend it: ${headline}`);
  return lines;
}
