import type { Severity } from "../deployments/bundle/findings.ts";
import type { AuditFinding, AuditReport } from "./audit.ts";
import type { Fault } from "./rule.ts";

/** What a finding says, as a heading. */
export function headlineOf({ title, subject }: Pick<AuditFinding, "title" | "subject">): string {
  return subject ? `${title}: ${subject}` : title;
}

export const faultWords: Readonly<Record<Fault, string>> = {
  wrong: "Wrong",
  insecure: "Insecure",
  outdated: "Outdated",
  slow: "Slow",
};

export const severityWords: Readonly<Record<Severity, string>> = {
  critical: "Critical",
  warning: "Warning",
};

/** What was found, in a sentence. */
export function summaryOf({ files, findings }: Pick<AuditReport, "files" | "findings">): string {
  const read = files.length === 1 ? "1 file" : `${files.length} files`;
  if (files.length === 0) return "No file was read.";
  if (findings.length === 0) return `Nothing found in ${read}.`;
  const critical = findings.filter(({ severity }) => severity === "critical").length;
  const warnings = findings.length - critical;
  const parts = [
    ...(critical > 0 ? [`${critical} critical`] : []),
    ...(warnings > 0 ? [warnings === 1 ? "1 warning" : `${warnings} warnings`] : []),
  ];
  return `Found in ${read}: ${parts.join(" and ")}.`;
}
