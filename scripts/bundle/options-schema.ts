// Writes the JSON Schema of the options to where the site serves it.
import { writeFileSync } from "node:fs";
import { optionsSchema } from "./options/schema.ts";

writeFileSync(
  "public/schemas/deployment-options.json",
  `${JSON.stringify(optionsSchema(), null, 2)}\n`,
);
console.log("Wrote public/schemas/deployment-options.json");
