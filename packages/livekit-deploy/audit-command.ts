import { readFileSync, statSync } from "node:fs";
import { type AuditReport, audit } from "../../app/features/audit/audit.ts";
import { maxFileCharacters } from "../../app/features/audit/files/audited-file.ts";
import { kindWords } from "../../app/features/audit/files/kind.ts";
import { headlineOf, summaryOf } from "../../app/features/audit/finding-words.ts";
import { type Command, exitCodes, readLine, UsageError } from "./command.ts";
import { jsonText, whyUnreadable } from "./text.ts";

const help = `Usage: livekit-deploy audit [--json] FILE...

Reads the configuration of a LiveKit server and says what is wrong, insecure,
outdated or slow in it, why, and the lines that mend it: livekit.yaml,
egress.yaml, ingress.yaml, sip.yaml, docker-compose.yaml, Helm values,
caddy.yaml, a Caddyfile, nginx.conf, Traefik's files, redis.conf, sysctl.

Give all files of one server at once: many faults are between two of them.
Nothing is sent anywhere, and no file is changed. Secrets are not printed.

  --json   prints the findings as JSON
  --help   prints this

Ends with 0 when nothing is found, with 2 when something is, and with 1 when
a file cannot be read or the line is wrong.
`;

export const auditCommand: Command = {
  about: "says what is wrong in the configuration of a LiveKit server",
  help,
  whenInterrupted: "No file was changed.",
  run(line, { print, complain }) {
    const { values, positionals } = readLine(line, { json: { type: "boolean" } });
    if (positionals.length === 0) throw new UsageError("Name the files of your server.");
    const given = positionals.map(fileAt);
    const unreadable = given.flatMap((each) => ("message" in each ? [each] : []));
    const report = audit(given.flatMap((each) => ("text" in each ? [each] : [])));
    const refused = [...unreadable, ...report.refused];
    print(values.json ? jsonText({ ...report, refused }) : textOf(report));
    for (const { name, line, message } of refused) complain(`${name}:${line}: ${message}.\n`);
    if (refused.length > 0) return exitCodes.failed;
    return report.findings.length > 0 ? exitCodes.no : exitCodes.done;
  },
};

function fileAt(
  name: string,
): { name: string; text: string } | { name: string; line: number; message: string } {
  try {
    // A character has four bytes at most.
    if (statSync(name).size > maxFileCharacters * 4)
      return { name, line: 1, message: `It has more than ${maxFileCharacters / 1_000} kB` };
    return { name, text: readFileSync(name, "utf8") };
  } catch (error) {
    return { name, line: 1, message: whyUnreadable(error) };
  }
}

function textOf(report: AuditReport): string {
  const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);
  const findings = report.findings.map((finding) =>
    [
      `${finding.file}:${finding.line}: ${finding.severity}, ${finding.fault} (${finding.code})`,
      `  ${headlineOf(finding)}`,
      ...(finding.text ? [`  > ${finding.text}`] : []),
      `  ${finding.reason}`,
      `  Put there:\n${indented(finding.mend, "      ")}`,
      `  ${finding.source}\n`,
    ].join("\n"),
  );
  const files = report.files.map(({ name, kind }) => `${name} (${kindWords[kind]})`).join(", ");
  return [...(files ? [`Read: ${files}\n`] : []), ...findings, `${summaryOf(report)}\n`].join("\n");
}
