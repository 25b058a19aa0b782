// Writes the list of the audit's rules into the documentation.
import { readFileSync, writeFileSync } from "node:fs";
import { readCommandLine } from "../lib/command-line.ts";
import { withRulesTable } from "./audit-rules/rules-table.ts";

readCommandLine({
  usage: "npm run audit:rules",
  about: "Writes the list of the audit's rules into app/content/docs/audit.md. It takes a second.",
});

const page = "app/content/docs/audit.md";
writeFileSync(page, withRulesTable(readFileSync(page, "utf8")));
console.log(`Wrote the table of ${page}`);
