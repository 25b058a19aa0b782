import { spawnSync } from "node:child_process";

/**
 * Ends the process with 2 where Vitest has no such option: before a build, a type check or a test begins. Vitest itself
 * says so with a stack, and only when the command that started it has begun its own work.
 */
export function refuseUnknown(given: readonly string[]): void {
  const names = given.flatMap((word) => /^--(?:no-)?([\w-]+)/.exec(word)?.[1] ?? []);
  if (names.length === 0) return;
  const help = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--help"], {
    encoding: "utf8",
  }).stdout;
  const known = new Set([...help.matchAll(/--(?:no-)?([\w-]+)/g)].map(([, name]) => name));
  const unknown = names.find((name) => !known.has(camelCase(name)) && !known.has(name));
  if (unknown === undefined) return;
  console.error(`Unknown option '--${unknown}'. It is none of Vitest's either.`);
  process.exit(2);
}

const camelCase = (name: string) =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
