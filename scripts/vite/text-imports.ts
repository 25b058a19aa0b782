import type { Plugin } from "vite";

/**
 * Makes a string of each shell script and Python program that is imported `with { type: "text" }`. Node does the same
 * with `--experimental-import-text`; Vite does not know the attribute yet.
 */
export function textImports(): Plugin {
  return {
    name: "text-imports",
    transform: {
      filter: { id: /\.(?:sh|py)$/ },
      handler: (text) => ({
        code: `export default ${JSON.stringify(text)};`,
        map: null,
        moduleType: "js",
      }),
    },
  };
}
