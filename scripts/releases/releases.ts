// npm run releases [-- --pin]: reads what the publishers of a bundle's programs list, and writes it into the table of
// releases. --pin also moves each pin to its newest sound release. Ends with 1 where a pin that the table had before may
// not stay as it is, or where no publisher of a program answers.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { advisories } from "../../app/features/deployments/bundle/advisories.ts";
import { catalogue, type Program } from "../../app/features/deployments/bundle/releases.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { nextTable } from "./current-table.ts";
import type { Table } from "./judge.ts";
import type { Fetch } from "./sources.ts";

const { values } = readCommandLine({
  usage: "npm run releases [-- --pin]",
  about: `Reads releases and advisories of what bundles install, from their publishers, and writes them into their table. It
fails while a pin may not stay. GITHUB_TOKEN lets it ask more often. It takes a minute: docs/operations.md.`,
  options: {
    pin: {
      type: "boolean",
      default: false,
      help: "moves each pin to its newest sound release too",
    },
  },
});

const folder = "app/features/deployments/bundle";

/** GitHub answers 60 requests an hour without a token. */
const token = process.env.GITHUB_TOKEN;
const patient: Fetch = (url, init) =>
  fetch(url, {
    ...init,
    headers: {
      "user-agent": "livekit-deploy-releases",
      ...(token && url.startsWith("https://api.github.com/")
        ? { authorization: `Bearer ${token}` }
        : {}),
    },
    signal: AbortSignal.timeout(30_000),
  });

const stored: Table = Object.fromEntries(
  (Object.keys(catalogue) as Program[]).map((program) => [
    program,
    { ...catalogue[program], advisories: advisories[program] },
  ]),
);

const { table, missing, problems } = await nextTable(stored, patient, {
  movesPins: values.pin,
  today: new Date().toISOString().slice(0, 10),
});
write("releases.ts", "export const catalogue = ", withoutAdvisories, " as const satisfies");
write("advisories.ts", ">> = ", advisoriesOf, ";\n");
for (const [program, { pinned, releases, advisories: all }] of Object.entries(table)) {
  const newest = Object.keys(releases).at(-1);
  console.log(`${program}: ${pinned}${newest === pinned ? "" : `, newest ${newest}`}`);
  for (const { ids, source } of all.filter((each) => !stored[program]?.advisories.includes(each)))
    console.log(`  new advisory, to be judged: ${ids.join(", ")} ${source}`);
}
for (const each of missing) console.log(`? Not read: ${each}`);
for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log("✓ Every pin may stay as it is.");

function withoutAdvisories(from: Table) {
  return Object.fromEntries(
    Object.entries(from).map(([program, { advisories: _, ...entry }]) => [program, entry]),
  );
}

function advisoriesOf(from: Table) {
  return Object.fromEntries(
    Object.entries(from).map(([program, entry]) => [program, entry.advisories]),
  );
}

/** Exchanges the data in a file, which begins after `before` and ends at `after`, where the table has other data now. */
function write(file: string, before: string, dataOf: (from: Table) => object, after: string): void {
  const data = JSON.stringify(dataOf(table));
  if (data === JSON.stringify(dataOf(stored))) return;
  const path = `${folder}/${file}`;
  const text = readFileSync(path, "utf8");
  const begin = text.indexOf(before) + before.length;
  const end = text.lastIndexOf(after);
  writeFileSync(path, text.slice(0, begin) + data + text.slice(end));
  const { status } = spawnSync("node_modules/.bin/biome", ["format", "--write", path]);
  if (status !== 0) throw new Error(`${path} could not be formatted.`);
}
