import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** `source` is one of our own files by its path, or a package by its name. */
export type Import = { file: string; source: string };

/** What files import. Types count like values. */
export function importsOf(pattern: string): Import[] {
  return globSync(pattern).flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /(?:^(?:import|export|\}) (?:[^"\n]*\bfrom )?|\bimport\()"([^"]+)"/gm,
      ),
    ].map(([, source = ""]) => ({ file, source: resolved(source, file) })),
  );
}

function resolved(source: string, file: string): string {
  const path = source.startsWith("~/")
    ? source.replace("~/", "app/")
    : source.startsWith(".")
      ? normalize(join(dirname(file), source))
      : source;
  return (
    ["", ".ts", ".tsx"].map((ending) => path + ending).find((each) => existsSync(each)) ?? path
  );
}
