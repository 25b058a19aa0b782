import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** One import: of our own files by their path, of packages by their name. */
export type Import = { file: string; source: string };

/** What the files that match the pattern import, from the project's root: with types, or values alone. */
export function importsOf(pattern: string, { withTypes } = { withTypes: true }): Import[] {
  const types = /^(?:import|export) type [^"]*"[^"]+";$/gm;
  const textOf = (file: string) => {
    const text = readFileSync(file, "utf8");
    return withTypes ? text : text.replace(types, "");
  };
  return globSync(pattern).flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /(?:^(?:import|export|\}) (?:[^"\n]*\bfrom )?|\bimport\()"([^"]+)"/gm,
      ),
    ].map(([, source = ""]) => ({ file, source: resolved(source, file) })),
  );
}

function resolved(source: string, file: string): string {
  const [module = "", query] = source.split("?");
  const path = module.startsWith("~/")
    ? module.replace("~/", "app/")
    : module.startsWith(".")
      ? normalize(join(dirname(file), module))
      : module;
  const found = ["", ".ts", ".tsx"].map((ending) => path + ending).find((each) => existsSync(each));
  return found ?? (query === undefined ? path : `${path}?${query}`);
}

/** These files, and every file that imports one of them, directly or by way of others. */
export function importersOf(files: Iterable<string>, imports: readonly Import[]): Set<string> {
  const importers = Map.groupBy(imports, ({ source }) => source);
  const reached = new Set(files);
  for (const each of reached) {
    for (const { file } of importers.get(each) ?? []) reached.add(file);
  }
  return reached;
}
