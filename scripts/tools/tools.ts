// `npm run lint`, `typecheck`, `types`, `format` and `build`: programs of others, in a row, until one fails.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readCommandLine } from "../lib/command-line.ts";

/** A program of node_modules/.bin, or `node`, with its words. */
type Step = readonly [program: string, ...words: string[]];
type Tool = { about: string; steps: readonly Step[]; takesPaths?: true };

const [site, servers] = ["wrangler.toml", "workers/servers/wrangler.toml"];

const types: readonly Step[] = [
  ["wrangler", "types", `--config=${site}`, `--config=${servers}`],
  [
    ...(["wrangler", "types", "workers/servers/bindings.d.ts", `--config=${servers}`] as const),
    ...["--env-interface=ServersEnv", "--include-runtime=false"],
  ],
  ["react-router", "typegen"],
];

const tools: Readonly<Record<string, Tool>> = {
  types: {
    about: `Makes the types of routes and of both Workers' bindings, and writes worker-configuration.d.ts and
workers/servers/bindings.d.ts anew. It takes some seconds.`,
    steps: types,
  },
  typecheck: {
    about: `Makes the types as npm run types does, and checks those of every file. It takes about a minute.`,
    steps: [...types, ["tsc", "--noEmit"]],
  },
  lint: {
    about: `Finds mistakes and what is not formatted, then what nothing uses, then types that do not fit the database. It writes
nothing, and takes about a minute.`,
    steps: [
      ["biome", "check", "--error-on-warnings"],
      ["knip", "--no-progress"],
      ["node", "--", "scripts/generate/database-types.ts", "--check"],
    ],
  },
  format: {
    about: `Formats every file, or those at the paths, and makes the corrections that are safe. It writes over the files, and takes
some seconds.`,
    steps: [["biome", "check", "--write"]],
    takesPaths: true,
  },
  build: {
    about: `Builds both Workers into build/, in the place of what is there. It takes about half a minute.`,
    steps: [["react-router", "build"]],
  },
};

const [name = "", ...given] = process.argv.slice(2);
const tool = tools[name];
if (!tool) throw new Error(`There is no tool ${name}`);
const { about, steps, takesPaths = false } = tool;
const { words } = readCommandLine(
  { usage: `npm run ${name}${takesPaths ? " [-- PATH…]" : ""}`, about, takesWords: takesPaths },
  given,
);
for (const [program, ...rest] of steps) {
  const path = program === "node" ? process.execPath : join("node_modules", ".bin", program);
  const { status, error } = spawnSync(path, [...rest, ...words], { stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
