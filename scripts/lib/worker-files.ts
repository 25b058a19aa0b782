import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Variables } from "../../fakes/dev-vars.ts";

// Quotes keep # and spaces in a value.
function quotedLine(name: string, value: string): string {
  const quote = ["'", '"', "`"].find((each) => !value.includes(each));
  if (!quote) throw new Error(`${name} in .dev.vars holds every kind of quote.`);
  return `${name}=${quote}${value}${quote}\n`;
}

/** Writes the Worker's variables of this run for `wrangler dev --env-file`. */
export function writeEnvFile(folder: string, variables: Variables): string {
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, "variables.env");
  // wrangler expands $NAME inside the values of an --env-file.
  const lines = Object.entries(variables).map(([name, value]) =>
    quotedLine(name, value.replaceAll("$", "\\$")),
  );
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return file;
}

/**
 * Writes a copy of a Worker's wrangler.toml with a .dev.vars beside it. The Vite plugin takes variables only
 * from the folder of its configuration, and the project's own .dev.vars must stay as it is.
 */
export function writeDevelopmentConfig(
  folder: string,
  variables: Variables,
  source = "wrangler.toml",
): string {
  mkdirSync(folder, { recursive: true });
  const entry = /^main = "(.+)"$/m;
  const toml = readFileSync(source, "utf8");
  const main = entry.exec(toml)?.[1];
  if (!main) throw new Error(`${source} has no line main = "…".`);
  const file = resolve(folder, "wrangler.toml");
  writeFileSync(
    file,
    toml.replace(entry, `main = ${JSON.stringify(resolve(dirname(source), main))}`),
  );
  writeDevVars(dirname(file), variables);
  return file;
}

/** Writes a copy of the built servers Worker whose entry is `fleet-controls.js`, for `wrangler dev`. */
export function writeLocalServers(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync("build/servers", folder, { recursive: true });
  const entry = "fleet-controls.js";
  copyFileSync(new URL(`./${entry}`, import.meta.url), join(folder, entry));
  const file = join(folder, "wrangler.json");
  const configuration: object = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...configuration, main: entry }));
}

/** Writes variables where wrangler and the Vite plugin look for those of a configuration: beside it. */
export function writeDevVars(folder: string, variables: Variables): void {
  const lines = Object.entries(variables).map(([name, value]) => quotedLine(name, value));
  writeFileSync(join(folder, ".dev.vars"), lines.join(""), { mode: 0o600 });
}
