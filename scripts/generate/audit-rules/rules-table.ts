import { faultWords, severityWords } from "../../../app/features/audit/finding-words.ts";
import { rules } from "../../../app/features/audit/rules/rules.ts";

const caption = "Table: What the audit finds, by code";

/** The page with the list of all rules, as the table of rules has them. */
export function withRulesTable(page: string): string {
  const [before = "", after = ""] = page.split(caption);
  const rest = after.replace(/^\n\n(\|.*\n)+/, "");
  const rows = rules
    .toSorted((one, other) => one.code.localeCompare(other.code))
    .map(
      ({ code, title, fault, severity, source }) =>
        `| \`${code}\` | ${title} | ${faultWords[fault]}, ${severityWords[severity].toLowerCase()} | [Source](${source}) |`,
    );
  const head = "| Code | What is so | Kind | Rests on |\n| --- | --- | --- | --- |";
  return `${before}${caption}\n\n${head}\n${rows.join("\n")}\n${rest}`;
}
