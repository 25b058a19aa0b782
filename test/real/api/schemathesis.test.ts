import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { scopes } from "../../../app/features/api/scopes.ts";
import { type ApiTeam, addedWebhook, apiTeam } from "../../support/api/api-team.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { findSchemathesis } from "./requirements.ts";

/** How long schemathesis draws calls. A shorter look: `API_FUZZ_SECONDS=60`. */
const seconds = Number(process.env.API_FUZZ_SECONDS ?? 600);
vi.setConfig({ testTimeout: (seconds + 300) * 1_000 });

/** What a call ended with, by its status. */
const statuses = new Map<number, number>();
let team: ApiTeam;
/** In turn, since each may call 300 times a minute. */
let tokens: string[];
let folder: string;

/**
 * Passes calls on, each from an address of its own and with one token after the other, and lifts the limits of a minute
 * and a day again and again: not they are looked for.
 */
const front = createServer((call, answer) => {
  passOn(call, answer).catch((error) => {
    answer.writeHead(599).end(String(error));
  });
});
let calls = 0;
async function passOn(call: IncomingMessage, answer: ServerResponse): Promise<void> {
  calls += 1;
  if (calls % 60 === 0) {
    await runSql("update public.workspace_tokens set calls = 0");
    await runSql("delete from public.api_requests where began_at < now() - interval '10 seconds'");
  }
  const { host } = new URL(siteUrl);
  const authorization = `Bearer ${tokens[calls % tokens.length]}`;
  const headers = { ...call.headers, host, authorization, "cf-connecting-ip": randomAddress() };
  const passed = request(siteUrl + (call.url ?? "/"), { method: call.method, headers });
  passed.on("response", (response) => {
    const status = response.statusCode ?? 599;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    answer.writeHead(status, response.headers);
    response.pipe(answer);
  });
  passed.on("error", (error) => answer.writeHead(599).end(error.message));
  call.pipe(passed);
}

beforeAll(async () => {
  await resetFakes();
  team = await apiTeam("okapi");
  tokens = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => team.token(scopes, `schemathesis ${nth}`)),
  );
  folder = mkdtempSync(join(tmpdir(), "schemathesis-"));
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
}, 60_000);
afterAll(async () => {
  front.close();
  rmSync(folder, { recursive: true, force: true });
  await resetFakes();
});

test("schemathesis finds no answer by 5xx, and none that the description does not have", async () => {
  const { port } = front.address() as AddressInfo;
  const description = join(folder, "openapi.json");
  writeFileSync(description, await (await fetch(`${siteUrl}/api/v1/openapi.json`)).text());
  const webhook = await addedWebhook(team);
  // Ids of what there is, so that calls come past the first question.
  const ids = { deployment: team.deployment, server: team.server, incident: team.incident };
  const parameters = {
    ...ids,
    session: team.session,
    rollout: team.rollout,
    webhook,
    version: "2",
  };
  writeFileSync(
    join(folder, "schemathesis.toml"),
    [
      "[parameters]",
      ...Object.entries(parameters).map(
        ([name, value]) => `"path.${name}" = ${JSON.stringify(value)}`,
      ),
    ].join("\n"),
  );
  const report = join(folder, "report.xml");
  const checks = [
    ...["not_a_server_error", "status_code_conformance", "content_type_conformance"],
    ...["response_headers_conformance", "response_schema_conformance"],
  ];
  const program = spawn(
    findSchemathesis(),
    [
      ...["--config-file", join(folder, "schemathesis.toml"), "run", description],
      ...["--url", `http://127.0.0.1:${port}`, "--max-time", String(seconds), "--workers", "2"],
      ...["--include-path-regex", "^/api/v1/", "--checks", checks.join(",")],
      ...["--header", "Authorization: Bearer in-its-place", "--continue-on-failure", "--no-color"],
      ...["--report", "junit", "--report-junit-path", report, "--suppress-health-check", "all"],
    ],
    { cwd: folder, env: { ...process.env, HYPOTHESIS_STORAGE_DIRECTORY: folder } },
  );
  let output = "";
  for (const stream of [program.stdout, program.stderr])
    stream.on("data", (part) => {
      output += part;
    });
  const status = await new Promise((ended) => program.on("close", ended));
  console.log(output.slice(-6_000), Object.fromEntries(statuses));
  expect([...statuses.keys()].filter((each) => each >= 500)).toEqual([]);
  expect([status, output.slice(-6_000)]).toEqual([0, expect.any(String)]);
  expect(readFileSync(report, "utf8")).toContain("<testsuite");
  // It came to what operations do, and to each kind of refusal.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 422]));
});
