import { build, type Plugin } from "vite";

const entry = "packages/livekit-deploy/livekit-deploy.ts";
const commandLineFile = "livekit-deploy.mjs";

/** Puts the command line beside the static assets, so that it can be downloaded from the site. */
export function commandLine(): Plugin {
  return {
    name: "command-line",
    async buildStart() {
      if (this.environment.name !== "client" || this.environment.mode !== "build") return;
      this.emitFile({
        type: "asset",
        fileName: commandLineFile,
        source: await compiledCommandLine(),
      });
    },
    /** Development answers with what a build would have written. */
    configureServer({ middlewares }) {
      middlewares.use(async (request, response, next) => {
        if (request.url?.split("?")[0] !== `/${commandLineFile}`) return next();
        response.setHeader("content-type", "text/javascript");
        response.end(await compiledCommandLine());
      });
    },
  };
}

/** The command line as one file for Node 20 and later, without dependencies. */
export async function compiledCommandLine(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    ssr: { noExternal: true, target: "node" },
    build: {
      write: false,
      ssr: entry,
      target: "node20",
      minify: true,
      rolldownOptions: {
        output: { banner: "#!/usr/bin/env node", codeSplitting: false },
      },
    },
  });
  const [file, ...more] = [result]
    .flat()
    .flatMap((each) => ("output" in each ? each.output : []))
    .filter((each) => each.type === "chunk");
  if (!file || more.length > 0) throw new Error(`${entry} was not made into one file.`);
  return file.code;
}
