import type { Plugin } from "vite";
import { readScriptFiles, scriptFiles } from "../bundle/script-files.ts";
import { namedByContent } from "./emitted-assets.ts";

/**
 * Puts the texts of a bundle's scripts into one file beside the other static assets, and says where it is to whoever
 * imports `virtual:bundle-scripts`. In the Worker itself they would be a tenth of the upload.
 */
export function bundleScripts(): Plugin {
  return {
    name: "bundle-scripts",
    buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      this.emitFile({ type: "asset", ...scriptAsset() });
    },
    resolveId: {
      filter: { id: /^virtual:bundle-scripts$/ },
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:bundle-scripts$/ },
      handler() {
        // In development a changed script has another address, so the Worker reads it anew.
        for (const file of scriptFiles) this.addWatchFile(file);
        return `export default ${JSON.stringify(`/${scriptAsset().fileName}`)};`;
      },
    },
    /** Development answers with what a build would have written. */
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (!request.url?.startsWith("/assets/bundle-scripts-")) return next();
        response.setHeader("content-type", "application/json");
        response.end(scriptAsset().source);
      });
    },
  };
}

function scriptAsset() {
  return namedByContent("bundle-scripts", JSON.stringify(readScriptFiles()));
}
