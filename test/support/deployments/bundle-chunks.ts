import { globSync, readFileSync } from "node:fs";
import { bundle } from "./bundle.ts";
import { fullOptions } from "./deployments.ts";

/** Paths of the browser's scripts that hold these words, whatever their files are called. */
export function chunksWith(words: string): string[] {
  const chunks = globSync("build/client/assets/*.js").filter((file) =>
    readFileSync(file, "utf8").includes(words),
  );
  if (chunks.length === 0) throw new Error(`No script holds: ${words}`);
  return chunks.map((file) => file.replace("build/client", ""));
}

/** A line that only the generator writes: it stands in a script of every bundle. */
export function generatorWords(): string {
  const script = bundle(fullOptions()).files.find(({ path }) => path === "doctor.sh");
  const line = script?.content.split("\n").find((each) => /^# [\w ,.]{25,}$/.test(each));
  if (!line) throw new Error("doctor.sh has no comment to know it by");
  return line;
}
