import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand } from "../commands/run-command.ts";

export const testNamespace = "0123456789abcdef0123456789abcdef";
export const exampleNamespace = "00000000000000000000000000000000";

/** What wrangler says of the versions of a Worker, and how it ends. */
export type Wrangler = {
  /** The standard output of `wrangler deployments status --json`. */
  serving?: string;
  /** The same after `wrangler deploy`, where it differs. */
  servingAfter?: string;
  /** The id that an upload gets. */
  uploaded?: string;
  /** Exit codes by command for the site, and for the servers Worker; 0 where none is named. */
  codes?: Codes;
  codesOfServers?: Codes;
};

type Codes = Partial<Record<"deploy" | "deployments" | "rollback" | "versions", number>>;

/**
 * A folder with these migrations, whose build and wrangler only write down that they ran and answer
 * as wrangler 4 does: so the real commands can go all the way without a Cloudflare account.
 */
export async function startProject({
  migrations = {} as Record<string, string>,
  config = { kv_namespaces: [{ binding: "PAGE_CACHE", id: testNamespace }] } as object,
  wrangler = {} as Wrangler,
} = {}) {
  const folder = await mkdtempDisposable(join(tmpdir(), "deploy-"));
  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder.path, file)), { recursive: true });
    await writeFile(join(folder.path, file), text);
  };
  await put("package.json", '{ "type": "commonjs" }');
  await put("steps", "");
  for (const [file, sql] of Object.entries(migrations)) {
    await put(`supabase/migrations/${file}`, sql);
  }
  await put(
    "node_modules/@react-router/dev/bin.cjs",
    `const fs = require("node:fs");
     fs.mkdirSync("build/server", { recursive: true });
     fs.writeFileSync("build/server/wrangler.json", ${JSON.stringify(JSON.stringify(config))});
     fs.mkdirSync("build/servers", { recursive: true });
     fs.writeFileSync("build/servers/wrangler.json", '{ "name": "livekit-deploy-servers" }');
     fs.appendFileSync("steps", "build\\n");`,
  );
  await put("node_modules/wrangler/bin/wrangler.js", wranglerFake(wrangler));
  return {
    path: folder.path,
    put,
    /** Runs one of our commands there, such as `scripts/deploy/deploy.ts`. */
    run: (script: string, args: string[], environment: Record<string, string> = {}) =>
      runCommand(script, args, { cwd: folder.path, environment }),
    async steps() {
      return (await readFile(join(folder.path, "steps"), "utf8")).trim().split("\n");
    },
    /** A file that wrangler was given, as it was then. */
    seen: (file: string) => readFile(join(folder.path, "seen", file), "utf8"),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

function wranglerFake(wrangler: Wrangler): string {
  const { serving = "", servingAfter = serving, uploaded = "" } = wrangler;
  const { codes = {}, codesOfServers = { deployments: codes.deployments } } = wrangler;
  return `const fs = require("node:fs");
    const path = require("node:path");
    const [command, ...rest] = process.argv.slice(2);
    fs.appendFileSync("steps", ["wrangler", command, ...rest].join(" ") + "\\n");
    const isOfServers = rest.some((each) => each.startsWith("--config=build/servers/"));
    const codes = isOfServers ? ${JSON.stringify(codesOfServers)} : ${JSON.stringify(codes)};
    const code = codes[command] ?? 0;
    const isAfter = fs.readFileSync("steps", "utf8").includes("wrangler deploy --config=build/server/");
    if (command === "deployments") {
      process.stdout.write(isAfter ? ${JSON.stringify(servingAfter)} : ${JSON.stringify(serving)});
    }
    for (const each of rest) {
      const file = /^--(?:secrets-file|config)=(.*)$/.exec(each)?.[1];
      if (!file || !fs.existsSync(file)) continue;
      fs.mkdirSync("seen", { recursive: true });
      fs.copyFileSync(file, "seen/" + (isOfServers ? "servers." : "") + path.basename(file));
    }
    const reports = process.env.WRANGLER_OUTPUT_FILE_PATH;
    if (code === 0 && reports && ${JSON.stringify(uploaded)}) {
      const alias = rest.find((each) => each.startsWith("--preview-alias="))?.slice(16);
      fs.appendFileSync(reports, [
        { type: "wrangler-session", version: 1 },
        {
          type: command === "deploy" ? "deploy" : "version-upload",
          version_id: ${JSON.stringify(uploaded)},
          preview_alias_url: alias && "https://" + alias + "-livekit-deploy-preview.ours.workers.dev",
        },
      ].map((line) => JSON.stringify(line) + "\\n").join(""));
    }
    process.exit(code);`;
}
