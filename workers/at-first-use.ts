import type { Plugin } from "vite";

/** What the generator of bundles asks of fflate. The build says so when it asks for more. */
const used = ["strToU8", "zipSync"];

/**
 * Runs fflate when somebody first compresses. It fills its tables as soon as it is loaded, which was a
 * twelfth of what a Worker's start costs, and few requests compress.
 */
export function fflateAtFirstUse(): Plugin {
  let isFound = false;
  return {
    name: "fflate-at-first-use",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    transform(code, id) {
      if (!/\/node_modules\/fflate\/esm\/browser\.js$/.test(id)) return undefined;
      isFound = true;
      const body = code.replace(/^export \{.*\};$/gm, "").replace(/^export /gm, "");
      const exported = used.map(
        (name) => `export const ${name} = (...given) => fflate().${name}(...given);`,
      );
      return {
        code: `let made;
const fflate = () => (made ??= (() => { ${body}\nreturn { ${used.join(", ")} }; })());
${exported.join("\n")}`,
        map: null,
      };
    },
    buildEnd(error) {
      if (!error && !isFound) throw new Error("fflate's files have other names now");
    },
  };
}
