import { createHash } from "node:crypto";
import { build, type Plugin } from "vite";

const entry = "app/ui/reading/page-script.ts";
const virtualId = "virtual:page-script";

/** The files that the client's build has written. The one that the server's build names must be among them. */
const emitted = new Set<string>();

/**
 * Makes one small file of the script of the pages that only read, beside the other static assets, and says where it
 * is to whoever imports `virtual:page-script` on the server. It is a build of its own: the build of the pages with
 * React puts the same modules into files that they share, where they would bring React along.
 */
export function pageScript(): Plugin {
  return {
    name: "page-script",
    async buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      const source = await compiled();
      this.emitFile({ type: "asset", fileName: assetOf(source), source });
      emitted.add(assetOf(source));
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
        const asset = assetOf(await compiled());
        if (!emitted.has(asset)) {
          this.error("The client's build did not put the page script among its assets.");
        }
        return `export default "/${asset}";`;
      },
    },
  };
}

async function compiled(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: { tsconfigPaths: true },
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: entry },
    },
  });
  const [output, ...others] = Array.isArray(result) || !("output" in result) ? [] : result.output;
  if (output?.type !== "chunk" || others.length > 0) throw new Error(`${entry} is not one file.`);
  return output.code;
}

/** Named by its content, so that it may be cached for ever. */
function assetOf(source: string): string {
  return `assets/page-script-${createHash("sha256").update(source).digest("hex").slice(0, 12)}.js`;
}
