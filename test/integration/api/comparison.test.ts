import { beforeAll, beforeEach, expect, test } from "vitest";
import { ApiClient } from "../../support/api/api-client.ts";
import { type ApiTeam, apiTeam } from "../../support/api/api-team.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";

let api: DescribedApi;
let team: ApiTeam;
let client: ApiClient;
let path: string;

beforeAll(async () => {
  api = await DescribedApi.served();
});
beforeEach(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  client = new ApiClient(api, await team.token(["deployments:read"]));
  path = `/deployments/${team.deployment}`;
});

const compare = (options: object) =>
  client.call("POST", `${path}/comparison`, { body: { options }, key: "" });

test("what would change is said by option, by file and for a running server, as the saved version says it after", async () => {
  const options = { ...team.options, monitoring: "advanced", domain: "other.example.com" };
  const { status, value } = await compare(options);
  expect(status).toBe(200);
  expect(value).toMatchObject({
    ...{ version: 2, changes_machine: true, tasks: ["dns", "other-domain", "apply"] },
    options: expect.arrayContaining([
      { path: "monitoring", before: "basic", after: "advanced", effect: "restart" },
      expect.objectContaining({ path: "domain", before: "okapi.example.com" }),
    ]),
  });
  // The read token saved nothing; who saves the same reads the same difference between the versions.
  const writer = new ApiClient(api, await team.token(["deployments:write"], "Writer"));
  const before = await writer.get(path);
  expect(before.value).toMatchObject({ version: 2 });
  const saved = await writer.call("PUT", path, {
    ...{ body: { name: "Production", options } },
    headers: { "if-match": before.headers.get("etag") ?? "" },
  });
  expect(saved.value).toMatchObject({ version: 3 });
  const difference = await writer.get(`${path}/versions/3/diff`);
  const { files } = value as { files: unknown[] };
  expect(files.length).toBeGreaterThan(1);
  expect((difference.value as { files: unknown[] }).files).toEqual(files);
});

test("options that are saved differ in nothing, and an option that is left out counts as its default", async () => {
  const { value: saved } = await client.get(path);
  const { options } = saved as { options: object };
  expect((await compare(options)).value).toEqual({
    ...{ version: 2, options: [], tasks: [], changes_machine: false, files: [] },
  });
  const { domain, email } = team.options;
  expect((await compare({ domain, email })).value).toMatchObject({
    options: expect.arrayContaining([
      { path: "recording.kind", before: "local", after: "none", effect: "restart" },
    ]),
  });
});

test("it needs no key and leaves none, and options that make no server are 422", async () => {
  const stored = () => runSql("select r::text from public.api_requests r");
  const before = await stored();
  await compare(team.options);
  expect(await stored()).toEqual(before);
  const { status, value } = await compare({ ...team.options, domain: "no domain" });
  expect([status, value]).toEqual([
    422,
    expect.objectContaining({ errors: [expect.objectContaining({ pointer: "#/options/domain" })] }),
  ]);
});

test("what an older release saved and makes no server any more cannot be compared, and may be saved over", async () => {
  await runSql("update public.deployments set options = '{\"version\":1}' where id = $1", [
    team.deployment,
  ]);
  const { status, value } = await compare(team.options);
  expect([status, value]).toEqual([409, expect.objectContaining({ code: "not-comparable" })]);
  const writer = new ApiClient(api, await team.token(["deployments:write"], "Writer"));
  const saved = await writer.call("PUT", path, {
    ...{ body: { name: "Production", options: team.options }, headers: { "if-match": "*" } },
  });
  expect([saved.status, saved.value]).toEqual([200, expect.objectContaining({ version: 3 })]);
});
