// Makes a deployment's files from options kept in a file. Exit codes: 0 done, 1 failed, 2 called wrongly or bad options.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { bundle } from "../../app/features/deployments/bundle/bundle.ts";
import type { Problem, Secrets } from "../../app/features/deployments/bundle/bundle-types.ts";
import { parseOptions } from "../../app/features/deployments/bundle/options/parse-options.ts";
import { makeSecrets } from "../../app/features/deployments/bundle/secrets.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { UsageError } from "../lib/settings.ts";
import { readScriptFiles } from "./script-files.ts";

const usage = "npm run bundle -- --options FILE.json --out FOLDER";
const { values } = readCommandLine({
  usage,
  about: `Writes the files of a deployment from options in a file, as docs/deployments.md describes them. A file that these
options no longer make is removed from the folder; no other is touched. It takes a second.`,
  options: {
    options: { type: "string", value: "FILE", help: "the answers of the deployment, in JSON" },
    out: {
      type: "string",
      value: "FOLDER",
      help: "where the files go; it is made if it is not there",
    },
  },
});

/** The names of the files that the last run made, one a line: no other file in the folder is ever removed. */
const madeFiles = ".made-files";

try {
  run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function run(): void {
  const { options: file, out } = readCall();
  const { options, problems } = parseOptions(readJson(file));
  if (problems) throw new UsageError(problems.map(line).join("\n"));
  const secrets = options.secrets === "browser" ? secretsIn(out) : undefined;
  const { files, warnings } = bundle(options, readScriptFiles(), secrets);
  mkdirSync(out, { recursive: true });
  for (const { path, content, installed } of files) {
    const secret = secrets !== undefined && content.includes(secrets.apiSecret);
    const mode = secret ? 0o600 : Number.parseInt(installed?.mode ?? "0644", 8);
    const target = join(out, path);
    writeFileSync(target, content, { mode });
    chmodSync(target, mode);
  }
  const made = files.map(({ path }) => path);
  for (const name of madeBefore(out)) {
    if (made.includes(name) || !existsSync(join(out, name))) continue;
    rmSync(join(out, name));
    console.log(`Removed ${name}: these options do not make it.`);
  }
  writeFileSync(join(out, madeFiles), made.map((name) => `${name}\n`).join(""));
  console.log(`Wrote ${files.length} files to ${out}:`);
  for (const { path, purpose } of files) console.log(`  ${path}: ${purpose}`);
  for (const warning of warnings) console.error(`Warning: ${line(warning)}`);
}

function madeBefore(folder: string): string[] {
  const file = join(folder, madeFiles);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((name) => /^[a-z][a-z0-9.-]*$/i.test(name));
}

function readCall(): { options: string; out: string } {
  const { options, out } = values;
  if (!options || !out) throw new UsageError(`Usage: ${usage}`);
  return { options, out };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** One line, whatever a key of the file holds. */
function line({ path, message }: Problem): string {
  const shownPath = /^[\w.$-]*$/.test(path)
    ? path
    : JSON.stringify(path).replace(/[^ -~]/g, escaped);
  return `${shownPath || "options"}: ${message}`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Made once: a second run keeps the secrets of the first, or a running server would lose its keys. */
function secretsIn(folder: string): Secrets {
  const file = join(folder, "secrets.env");
  const fresh = makeSecrets((bytes) => crypto.getRandomValues(bytes));
  if (!existsSync(file)) return fresh;
  const stored = parseEnv(readFileSync(file, "utf8"));
  const { LIVEKIT_API_KEY, LIVEKIT_API_SECRET, REDIS_PASSWORD, WEBHOOK_SECRET } = stored;
  if (!LIVEKIT_API_KEY || !LIVEKIT_API_SECRET || !REDIS_PASSWORD)
    throw new UsageError(`${file}: a secret is missing. Mend the file, or remove it for new ones.`);
  return {
    apiKey: LIVEKIT_API_KEY,
    apiSecret: LIVEKIT_API_SECRET,
    redisPassword: REDIS_PASSWORD,
    // Absent while the options had no webhooks.
    webhookSecret: WEBHOOK_SECRET || fresh.webhookSecret,
  };
}
