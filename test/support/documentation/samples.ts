import { readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export type Sample = { language: string; label: string; code: string };

export const pageText = (page: string) => readFileSync(`app/content/docs/${page}.md`, "utf8");

/** The code blocks of a page of the documentation. A block's label is mostly the name of its file. */
export function samplesOf(page: string): Sample[] {
  return [...pageText(page).matchAll(/^```([a-z]+) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", label = "", code = ""]) => ({ language, label, code }),
  );
}

/** The one code block of a page with this label. */
export function sampleCode(page: string, label: string): string {
  const [sample, ...others] = samplesOf(page).filter((each) => each.label === label);
  if (!sample || others.length > 0) throw new Error(`${page} has no single sample "${label}"`);
  return sample.code;
}

/** A folder with these files in which Node finds our packages. Somebody who copies a sample has such a one. */
export async function sampleFolder(files: Record<string, string>) {
  const path = await mkdtemp(join(tmpdir(), "samples-"));
  await symlink(resolve("node_modules"), join(path, "node_modules"));
  const all = { "package.json": '{"type":"module"}', ...files };
  for (const [name, content] of Object.entries(all)) await writeFile(join(path, name), content);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
