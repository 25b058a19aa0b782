// Puts a branch on an address of its own. Exit codes: 0 done, 1 failed, 2 called wrongly.
// Run as `node -- scripts/deploy/preview.ts`, like the other commands here.
import { appendFile, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNodeProgram } from "../lib/child.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { runCommand, UsageError } from "../lib/settings.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { PlainFailure, step } from "../lib/terminal.mjs";
import {
  previewConfig,
  previewConfigFile,
  previewServersConfig,
  previewServersFile,
} from "./preview/config.ts";
import { previewVariables } from "./preview/variables.ts";
import { builtConfig, serversConfig } from "./worker-config.ts";
import { upload } from "./wrangler.ts";

const usage = "npm run preview -- --alias NAME [--first]";
const { values } = readCommandLine({
  usage,
  about: `Puts this tree on an address of its own, as CI does for each pull request. It needs the variables of a preview:
docs/operations.md.`,
  options: {
    alias: { type: "string", value: "NAME", help: "the beginning of the address, such as pr-12" },
    first: {
      type: "boolean",
      default: false,
      help: "makes the Worker of previews, where there is none yet",
    },
  },
});

await runCommand(usage, () => run(readCall()), "✗ ");

/**
 * Uploads this checkout as a version of the preview Worker. That is another Worker than production's,
 * with variables, KV namespaces and a database of its own: a version of production's Worker would
 * have production's secrets, at an address that anybody can open. No migration is applied.
 */
async function run({ alias, isFirst }: { alias: string; isFirst: boolean }): Promise<void> {
  const subdomain = process.env.PREVIEW_SUBDOMAIN;
  if (!subdomain || !/^[a-z0-9-]+$/.test(subdomain)) {
    throw new UsageError("PREVIEW_SUBDOMAIN must be the part before .workers.dev of your account.");
  }
  if (!isBuildCurrent()) await step("Building the site", () => buildSite(startNodeProgram));
  const config = previewConfig(builtConfig);
  const url = `https://${alias}-${config.name}.${subdomain}.workers.dev`;
  const variables = previewVariables(process.env.PREVIEW_VARIABLES, url);

  await using folder = await mkdtempDisposable(join(tmpdir(), "livekit-preview-"));
  const secrets = join(folder.path, "secrets.json");
  await writeFile(secrets, JSON.stringify(variables), { mode: 0o600 });
  await writeFile(previewConfigFile, JSON.stringify(config));
  await writeFile(previewServersFile, JSON.stringify(previewServersConfig(serversConfig)));
  await upload(["deploy", `--config=${previewServersFile}`]);
  const shared = [`--config=${previewConfigFile}`, `--secrets-file=${secrets}`];
  if (isFirst) {
    await upload(["deploy", ...shared]);
    console.log(`✓ ${config.name} is there. From now on leave out --first.`);
    return;
  }
  const { aliasUrl } = await upload(
    ["versions", "upload", `--preview-alias=${alias}`, ...shared],
    "If the preview Worker is not there yet, run this once with --first.",
  );
  if (aliasUrl !== url) {
    throw new PlainFailure(
      `The preview is at ${aliasUrl ?? "no address"} instead of ${url}. Check PREVIEW_SUBDOMAIN.`,
    );
  }
  console.log(`✓ ${url}`);
  await publishUrl(url);
}

/** GitHub shows the address with the pull request. */
async function publishUrl(url: string): Promise<void> {
  const { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary } = process.env;
  if (output) await appendFile(output, `url=${url}\n`);
  if (summary) await appendFile(summary, `The preview is at ${url}\n`);
}

function readCall() {
  const { alias, first } = values;
  // A label of a host name has 63 letters at most; the Worker's name takes its part.
  if (!alias || !/^[a-z][a-z0-9-]{0,29}$/.test(alias)) {
    throw new UsageError("--alias takes small letters, digits and dashes, such as pr-12.");
  }
  return { alias, isFirst: first };
}
