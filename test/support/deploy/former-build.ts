import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The version that ran when migrations began anew (docs/decisions/0062): later ones must suit it. */
const commit = "9c080d5e34fcfcf867a615303bf4175645d5d4a5";

/**
 * The configuration of that version's site, built from its commit with the packages of today. It is built once, into
 * `.local`.
 */
export function formerWorker(): string {
  const folder = resolve(".local/former-version");
  const build = join(folder, commit);
  const configuration = join(build, "server/wrangler.json");
  if (existsSync(configuration)) return configuration;
  if (spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status !== 0) {
    throw new Error(
      `This clone has no commit ${commit}, whose Worker is to serve while its database is migrated. ` +
        "A shallow clone gets it by: git fetch --unshallow",
    );
  }
  mkdirSync(folder, { recursive: true });
  const source = mkdtempSync(join(folder, "source-"));
  try {
    run("git", ["archive", `--output=${source}/source.tar`, commit]);
    run("tar", ["-xf", "source.tar"], source);
    waitLonger(join(source, "app/platform/fetch-with-timeout.server.ts"));
    symlinkSync(resolve("node_modules"), join(source, "node_modules"));
    run(process.execPath, ["node_modules/@react-router/dev/bin.cjs", "build"], source);
    liftRateLimits(join(source, "build/server/wrangler.json"));
    try {
      renameSync(join(source, "build"), build);
    } catch (error) {
      // Another test file that runs beside this one has built it meanwhile.
      if (!existsSync(configuration)) throw error;
    }
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  return configuration;
}

/** The configuration of that version's servers Worker, which is built beside its site. */
export const formerServers = (): string => resolve(formerWorker(), "../../servers/wrangler.json");

/**
 * A deploy holds the locks of a migration for milliseconds, a proof until all requests have met them. The Worker's
 * patience must not end before that on a slow machine.
 */
function waitLonger(file: string): void {
  const text = readFileSync(file, "utf8");
  const longer = text.replace("timeoutMs = 8_000", "timeoutMs = 300_000");
  if (longer === text) throw new Error(`${file} does not say how long it waits.`);
  writeFileSync(file, longer);
}

/** A copy of this Worker's configuration, beside it, by which one caller stands for many and is refused nothing for it. */
export function withoutRateLimits(configuration: string): string {
  const copy = join(dirname(configuration), "wrangler.without-limits.json");
  copyFileSync(configuration, copy);
  liftRateLimits(copy);
  return copy;
}

/** One person stands for many, and is refused nothing for it. */
function liftRateLimits(configuration: string): void {
  const { ratelimits, ...rest } = JSON.parse(readFileSync(configuration, "utf8")) as {
    ratelimits: { simple: { limit: number } }[];
  };
  for (const { simple } of ratelimits) simple.limit = 1_000_000;
  writeFileSync(configuration, JSON.stringify({ ...rest, ratelimits }));
}

function run(program: string, parameters: string[], cwd = "."): void {
  // What the build reads of its environment is the test's own: this is no test.
  const { VITEST: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    cwd,
    encoding: "utf8",
    env: { ...inherited, NODE_ENV: "production", NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}:\n${stdout}${stderr}`);
}
