import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

const run = promisify(execFile);
const calls = codeBlocks("docs/api").filter(({ label }) => label === "With a token");

let team: ApiTeam;
let token: string;

beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  token = await team.token(scopes);
});

/** The page of the command line has those by which a rollout is requested and read. */
const rolloutCalls = codeBlocks("docs/command-line").filter(
  ({ label }) => label === "With a token",
);

/** Runs a block of the page as it stands there, at this site. */
async function runBlock(text = ""): Promise<unknown> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "api-"));
  const here = text.replaceAll("https://the-address-of-this-site", siteUrl);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", here], {
    cwd: folder.path,
    env: {
      ...process.env,
      LIVEKIT_DEPLOY_TOKEN: token,
      DEPLOYMENT: team.deployment,
      SERVER: team.server,
    },
  });
  return JSON.parse(stdout);
}

test("every call that the page shows does what it says, by curl", async () => {
  expect(calls).toHaveLength(4);
  const [servers, incidents, made, saved] = calls.map(({ text }) => text);
  expect(await runBlock(servers)).toMatchObject({ items: [{ id: team.server }] });
  expect(await runBlock(incidents)).toMatchObject({ items: [{ id: team.incident }] });
  expect(await runBlock(made)).toMatchObject({
    ...{ name: "Production", version: 1, options: { domain: "livekit.example.com" } },
  });
  const twice = [await runBlock(saved), await runBlock(saved)];
  // The second run of CI changes nothing.
  expect(twice).toMatchObject([
    { version: 3, options: { rooms: { maxParticipants: 50 } } },
    { version: 3 },
  ]);
});

test("the calls that request a rollout and read how far it is do so, and the same again request none", async () => {
  const [rollout] = rolloutCalls.map(({ text }) => text);
  for (const _ of ["once", "again"])
    expect(await runBlock(rollout)).toMatchObject({ id: team.rollout, state: "requested" });
});
