// Writes what is made from the table of options: the JSON Schema that the site serves, and the table of the documentation.
import { readFileSync, writeFileSync } from "node:fs";
import { readCommandLine } from "../lib/command-line.ts";
import { withDocsTable } from "./options/docs-table.ts";
import { optionsSchema } from "./options/schema.ts";

readCommandLine({
  usage: "npm run options:schema",
  about: `Writes what is made from the table of options: the JSON Schema that the site serves, and the table of
docs/deployments.md. It takes a second.`,
});

const schema = "public/schemas/deployment-options.json";
const page = "docs/deployments.md";
writeFileSync(schema, `${JSON.stringify(optionsSchema(), null, 2)}\n`);
writeFileSync(page, withDocsTable(readFileSync(page, "utf8")));
console.log(`Wrote ${schema} and the table of ${page}`);
