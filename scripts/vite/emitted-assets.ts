import { createHash } from "node:crypto";

/** A static file that a build of ours writes beside those of Vite. */
export type Asset = { fileName: string; source: string };

/** Named by its content, so that it may be cached for ever. */
export function namedByContent(name: string, source: string): Asset {
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 12);
  return { fileName: `assets/${name}-${hash}.json`, source };
}
