import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "../documentation/code-blocks.ts";

const run = promisify(execFile);

/** The calls by curl that a page of the documentation shows. */
export const documentedCalls = (page: "docs/api" | "docs/command-line"): string[] =>
  codeBlocks(page)
    .filter(({ label }) => label === "With a token")
    .map(({ text }) => text);

type CallPlace = { siteUrl: string; token: string; deployment: string; server: string };

/** Runs a call as it stands on its page, at a site; throws what curl says where it is refused. */
export async function runCall(
  text: string | undefined,
  { siteUrl, token, deployment, server }: CallPlace,
): Promise<unknown> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "api-"));
  const here = (text ?? "").replaceAll("https://the-address-of-this-site", siteUrl);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", here], {
    cwd: folder.path,
    env: {
      ...{ ...process.env, LIVEKIT_DEPLOY_TOKEN: token },
      ...{ DEPLOYMENT: deployment, SERVER: server },
    },
  });
  return JSON.parse(stdout);
}
