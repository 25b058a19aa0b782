import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { startNodeProgram } from "./child.ts";
import { PlainFailure } from "./terminal.mjs";

const inputs = [
  "app/**/*",
  "workers/**/*",
  "public/**/*",
  "*.config.ts",
  "wrangler.toml",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const outputs = ["build/server/wrangler.json", "build/servers/wrangler.json"];
const record = "build/.inputs";

/** Everything the build is made of, as one hash. */
function hashInputs(): string {
  const hash = createHash("sha256");
  for (const file of globSync(inputs).sort()) {
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** Whether the last build was made of the same files. */
export function isBuildCurrent(): boolean {
  return (
    [...outputs, record].every((file) => existsSync(file)) &&
    readFileSync(record, "utf8") === hashInputs()
  );
}

/** Builds both Workers with a program that `startProgram` can end. */
export async function buildSite(startProgram: typeof startNodeProgram): Promise<void> {
  const hashes = hashInputs();
  const build = startProgram("node_modules/@react-router/dev/bin.cjs", {
    arguments: ["build"],
    environment: { NODE_ENV: "production", NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const code = await build.exited;
  if (code !== 0) {
    throw new PlainFailure(`The build failed:\n${build.lastLines().join("\n")}`);
  }
  writeFileSync(record, hashes);
}
