import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { PlainFailure } from "../lib/terminal.mjs";
import { readNode, runNode } from "./program.ts";

const wrangler = "node_modules/wrangler/bin/wrangler.js";
/** Cloudflare's error code for a Worker that does not exist. */
const noSuchWorker = "[code: 10007]";

const deployment = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
});
const report = z.object({
  type: z.string(),
  version_id: z.string().nullish(),
  preview_alias_url: z.string().nullish(),
});
/** What wrangler says of an upload: the id of the version, and where its alias is. */
export type Upload = { versionId: string | undefined; aliasUrl: string | undefined };

/**
 * The id of the version that visitors get now, or undefined before the first deploy. Throws one
 * sentence when Cloudflare does not say, and when visitors are divided among several versions.
 */
export async function servingVersion(config: string): Promise<string | undefined> {
  const { code, output, complaint } = await readNode(wrangler, [
    "deployments",
    "status",
    "--json",
    `--config=${config}`,
  ]);
  if (code !== 0) {
    const text = `${output}\n${complaint}`;
    if (text.includes(noSuchWorker) || text.includes("has no deployments")) return;
    throw new PlainFailure(`Cloudflare did not tell which version runs:\n${text.trim()}`);
  }
  const { versions } = deployment.parse(JSON.parse(output));
  const [only, another] = versions;
  if (!another) return only?.version_id;
  const shares = versions.map(({ version_id, percentage }) => `${percentage}% ${version_id}`);
  throw new PlainFailure(
    `Visitors are divided among several versions: ${shares.join(", ")}. ` +
      "Decide for one with npx wrangler versions deploy, then deploy.",
  );
}

/** Uploads with `wrangler deploy` or `versions upload`. Throws when wrangler fails. */
export async function upload(parameters: readonly string[], onFailure = ""): Promise<Upload> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "livekit-deploy-"));
  const reports = join(folder.path, "reports");
  const code = await runNode(wrangler, parameters, {
    environment: { WRANGLER_OUTPUT_FILE_PATH: reports },
  });
  if (code !== 0) {
    const command = parameters.filter((each) => !each.startsWith("-")).join(" ");
    const config = parameters.find((each) => each.startsWith("--config="))?.slice(9);
    throw new PlainFailure(
      `wrangler ${command} ended with code ${code} (${config}). ${onFailure}`.trim(),
    );
  }
  const lines = await readFile(reports, "utf8").catch(() => "");
  const uploaded = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => report.parse(JSON.parse(line)))
    .find(({ type }) => type === "deploy" || type === "version-upload");
  return {
    versionId: uploaded?.version_id ?? undefined,
    aliasUrl: uploaded?.preview_alias_url ?? undefined,
  };
}

/** Gives all visitors the named version again. The database stays as it is. */
export async function rollBack(config: string, version: string, reason: string): Promise<void> {
  const code = await runNode(
    wrangler,
    ["rollback", version, `--message=${reason}`, "--yes", `--config=${config}`],
    // Without a terminal wrangler answers its own questions, such as about changed secrets, with "yes".
    { mayAsk: false },
  );
  if (code === 0) return;
  throw new PlainFailure(
    `wrangler rollback of ${config} ended with code ${code}. The faulty version still runs. ` +
      `Go back by hand: npx wrangler rollback ${version} --config=${config}`,
  );
}
