import { beforeEach, expect, test } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { documentedCalls, runCall } from "../../support/api/documented-calls.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

let team: ApiTeam;
let token: string;

beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  token = await team.token(scopes);
});

const runBlock = (text: string | undefined) =>
  runCall(text, { siteUrl, token, deployment: team.deployment, server: team.server });

test("every call that the page shows does what it says, by curl", async () => {
  const calls = documentedCalls("docs/api");
  expect(calls).toHaveLength(4);
  const [servers, incidents, made, saved] = calls;
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
  const [rollout] = documentedCalls("docs/command-line");
  for (const _ of ["once", "again"])
    expect(await runBlock(rollout)).toMatchObject({ id: team.rollout, state: "requested" });
});
