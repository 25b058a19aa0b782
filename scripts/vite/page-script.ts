import { build, type Plugin } from "vite";

const entry = "app/page-script.ts";
const virtualId = "virtual:page-script";

/** The files that the client's build has written. The one that the server's build names must be among them. */
const emitted = new Set<string>();

/**
 * Makes the script of the pages that only read, beside the other static assets. Importing `virtual:page-script` on the
 * server gives its address. It is a build of its own: the build of the pages with
 * React puts the same modules into files that they share, where they would bring React along.
 */
export function pageScript(): Plugin {
  return {
    name: "page-script",
    async buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      for (const { fileName, code } of (await compiled()).files) {
        this.emitFile({ type: "asset", fileName, source: code });
        emitted.add(fileName);
      }
    },
    resolveId: {
      filter: { id: /^virtual:page-script$/ },
      handler: () => `\0${virtualId}`,
    },
    load: {
      filter: { id: /^\0virtual:page-script$/ },
      async handler() {
        // A page with React has the script within its own files.
        if (this.environment.name === "client") return "export default undefined;";
        if (this.environment.mode === "dev") return `export default "/${entry}";`;
        const { entry: asset } = await compiled();
        if (!emitted.has(asset)) {
          this.error("The client's build did not put the page script among its assets.");
        }
        return `export default "/${asset}";`;
      },
    },
  };
}

/** The script's file, and those that it loads later: what is imported with `import()` there is a file of its own. */
async function compiled(): Promise<{ entry: string; files: { fileName: string; code: string }[] }> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: { tsconfigPaths: true },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2022",
      // A library's files load what they import themselves, without Vite's helper for preloads.
      lib: { entry, formats: ["es"] },
      rolldownOptions: {
        // Named by their content, so that they may be cached for ever.
        output: {
          minify: true,
          entryFileNames: "assets/page-script-[hash].js",
          chunkFileNames: "assets/page-script-[name]-[hash].js",
        },
      },
    },
  });
  const files = [result]
    .flat()
    .flatMap((each) => ("output" in each ? each.output : []))
    .filter((file) => file.type === "chunk");
  const start = files.find(({ isEntry }) => isEntry);
  if (!start) throw new Error(`${entry} was not made into a file.`);
  return { entry: start.fileName, files };
}
