import * as z from "zod/mini";
import { log } from "./log.server";

/** What a browser says when a page broke its content policy, in the words of the Reporting API. */
const violation = z.object({
  documentURL: z.optional(z.string()),
  effectiveDirective: z.optional(z.string()),
  blockedURL: z.optional(z.string()),
});
const reports = z.array(z.object({ type: z.string(), body: z.unknown() }));
/** The older form, which browsers send to `report-uri`. */
const olderReport = z.object({
  "csp-report": z.object({
    "document-uri": z.optional(z.string()),
    "effective-directive": z.optional(z.string()),
    "violated-directive": z.optional(z.string()),
    "blocked-uri": z.optional(z.string()),
  }),
});

export type Violation = { directive: string; blocked: string; page: string };

const maxOfOneBody = 10;

/** The violations in a body of a type that browsers send; undefined for what is no report. */
export function violationsIn(type: string, text: string): Violation[] | undefined {
  if (/^application\/csp-report\b/i.test(type)) {
    const read = olderReport.safeParse(parsed(text));
    if (!read.success) return;
    const reported = read.data["csp-report"];
    const directive = reported["effective-directive"] ?? reported["violated-directive"];
    return [coarse(directive, reported["blocked-uri"], reported["document-uri"])];
  }
  const read = reports.safeParse(parsed(text));
  if (!read.success) return;
  return read.data.slice(0, maxOfOneBody).flatMap((report) => {
    const reported = violation.safeParse(report.body);
    if (report.type !== "csp-violation" || !reported.success) return [];
    const { effectiveDirective, blockedURL, documentURL } = reported.data;
    return [coarse(effectiveDirective, blockedURL, documentURL)];
  });
}

/**
 * Keeps only words of a known kind. Anybody can send a report, and a true one may contain personal data, such as a
 * URL with a token or a part of the page.
 */
function coarse(directive = "", blocked = "", page = ""): Violation {
  return {
    directive: /^[a-z]{3,12}(-[a-z]{2,8}){0,4}(?= |$)/.exec(directive)?.[0] ?? "unknown",
    blocked: kindOf(blocked),
    page:
      /^(?:\/[a-z-]{1,24}){1,2}(?=\/|$)|^\/$/.exec(URL.parse(page)?.pathname ?? "")?.[0] ??
      "unknown",
  };
}

function kindOf(blocked: string): string {
  if (/^(inline|eval|wasm-eval|trusted-types-policy|trusted-types-sink)$/.test(blocked))
    return blocked;
  const scheme = /^(https?|wss?|data|blob|about|[a-z]+-extension)(?=:|$)/.exec(blocked)?.[0];
  return scheme?.endsWith("-extension") ? "extension" : (scheme ?? "unknown");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const linesInAMinute = 10;
let counted = { minute: 0, lines: 0, others: 0 };

/**
 * Logs the first ten violations of a minute, and only counts the others, so that reports do not bury the other log
 * lines of this isolate.
 */
export function noteViolations(violations: readonly Violation[], now = Date.now()): void {
  const minute = Math.floor(now / 60_000);
  if (minute !== counted.minute) {
    if (counted.others > 0) {
      log.warn("More pages broke their content policy", { times: counted.others });
    }
    counted = { minute, lines: 0, others: 0 };
  }
  for (const each of violations) {
    if (counted.lines >= linesInAMinute) {
      counted.others += 1;
      continue;
    }
    counted.lines += 1;
    log.warn("A page broke its content policy", each);
  }
}
