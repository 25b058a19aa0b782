import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative } from "node:path";
import * as z from "zod";

/** A frame as `app/platform/log/log.server.ts` writes it. */
const frame = /^at (?:(?<name>.+) \()?(?<file>[^()\s]+):(?<line>\d+):(?<column>\d+)\)?$/;

const sourceMap = z.looseObject({
  version: z.number(),
  file: z.string().default(""),
  sources: z.array(z.string()),
  sourcesContent: z.array(z.string()).default([]),
  names: z.array(z.string()),
  mappings: z.string(),
  sourceRoot: z.string().default(""),
});

/**
 * A stack of the minified Worker with the files, lines and names of the source. A frame without a
 * source map in `folder`, the Worker's build, stays as it is.
 */
export function mappedStack(stack: string, folder: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(`${join(folder, file)}.map`));
    return maps.get(file);
  };
  return stack
    .split("\n")
    .map((each) => {
      const { file = "", line, column } = frame.exec(each)?.groups ?? {};
      const origin = line && mapOf(file)?.findOrigin(Number(line), Number(column));
      if (!origin || !("fileName" in origin)) return each;
      const source = relative(".", join(dirname(join(folder, file)), origin.fileName));
      const place = `${source}:${origin.lineNumber}:${origin.columnNumber}`;
      return origin.name ? `at ${origin.name} (${place})` : `at ${place}`;
    })
    .join("\n");
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return;
  return new SourceMap(sourceMap.parse(JSON.parse(readFileSync(file, "utf8"))));
}
