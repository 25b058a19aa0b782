import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { runCommand } from "../../support/commands/run-command.ts";
import { startOnFaultyKv } from "../../support/faults/faulty-kv.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { portBase, siteUrl, startOwnWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { Visitor } from "../../support/site/visitor.ts";

const site = siteWithFaults();
const folder = mkdtempSync(join(tmpdir(), "request-ids-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Where a text stands in our source, as a stack names it: `file:line:`. */
function placeOf(file: string, text: string): string {
  const before = readFileSync(file, "utf8").split(text)[0] ?? "";
  return `${file}:${before.split("\n").length}:`;
}

/** What `npm run logs` prints about an id, from these log lines. */
async function logsOf(requestId: string, lines: readonly object[]) {
  const file = join(folder, `${requestId}.log`);
  const time = "2026-11-22T10:00:00.000Z";
  writeFileSync(file, lines.map((line) => `${JSON.stringify({ time, ...line })}\n`).join(""));
  return runCommand("scripts/logs/logs.ts", ["--file", file, requestId]);
}

/** The id that a person reads on an error page. */
async function quotedId(response: Response): Promise<string> {
  const text = await response.text();
  expect(text).toContain("Quote this id when you write to us");
  const [, id = ""] = /Quote this id when you write to us: ([\w-]{8,64})<\/p>/.exec(text) ?? [];
  return id;
}

test("a page that broke shows an id, and by that id the log names the file and line of our source", async () => {
  const visitor = new Visitor(site().url);
  await visitor.signInWithGoogle("customer.one@example.com");
  await visitor.request("/dashboard");
  site().supabaseProxy.behave(async ({ path }, forward) => {
    const answer = await forward();
    return path.startsWith("/rest/v1/rpc/sessions_of")
      ? { ...answer, body: '[{"id":"ada@example.com"}]' }
      : answer;
  });
  const response = await visitor.request("/dashboard/account");
  expect(response.status).toBe(500);
  const requestId = await quotedId(response);
  expect(requestId).toBe(response.headers.get("x-request-id"));

  const lines = await site().logged({ requestId });
  const { code, output } = await logsOf(requestId, lines);
  expect(code).toBe(0);
  expect(output).toContain("2026-11-22T10:00:00.000Z  error  A request failed");
  expect(output).toContain(
    placeOf("app/features/account/settings/sessions.server.ts", "rows.parse(data)"),
  );
  expect(output).not.toContain("ada@example.com");
});

testInProof(
  "a file that broke while it was made is answered with the id, and the log names the line",
  async () => {
    const visitor = new Visitor(site().url);
    await visitor.signInWithGoogle("customer.one@example.com");
    await visitor.request("/dashboard");
    site().supabaseProxy.behave(async ({ path }, forward) => {
      const answer = await forward();
      return /^\/rest\/v1\/.*token_usage/.test(path) ? { ...answer, body: "[null]" } : answer;
    });
    const response = await visitor.request("/openai-config/usage?format=csv");
    const requestId = response.headers.get("x-request-id");
    expect([response.status, await response.text()]).toEqual([
      500,
      "Something went wrong on our side. Please try again in a moment.\n" +
        `Quote this id when you write to us: ${requestId}\n`,
    ]);
    const { output } = await logsOf(requestId ?? "", await site().logged({ requestId }));
    expect(output).toContain("error  A request failed");
    expect(output).toContain(
      placeOf("app/features/agents/usage/statistics.server.ts", "row[column]"),
    );
  },
);

testInProof(
  "what breaks before any page is answered with the id, and the log names the line",
  async () => {
    const build = join(folder, "build");
    cpSync("build", build, { recursive: true });
    const configPath = join(build, "server/wrangler.json");
    const { version_metadata: _, ...config } = JSON.parse(readFileSync(configPath, "utf8"));
    writeFileSync(configPath, JSON.stringify(config));
    await using worker = await startOwnWorker(
      (url) => exampleVariables({ siteUrl: url, portBase }),
      configPath,
    );
    const response = await fetch(`${worker.url}/pricing`);
    const requestId = response.headers.get("x-request-id") ?? "";
    expect([response.status, await response.text()]).toEqual([
      500,
      "Something went wrong on our side. Please try again in a moment.\n" +
        `Quote this id when you write to us: ${requestId}\n`,
    ]);
    const lines: Record<string, unknown>[] = [];
    await pollUntil(
      () => lines.push(...worker.takeLogs()),
      () => lines.some((line) => line.requestId === requestId),
    );
    const { output } = await logsOf(requestId, lines);
    expect(output).toContain("error  The Worker failed");
    expect(output).toContain(placeOf("workers/app.ts", "env.VERSION.id"));
  },
);

test("each answer from the page cache has an id of its own, and the kept page has none", async () => {
  const first = await fetch(`${siteUrl}/pricing`);
  const text = await first.text();
  const second = await fetch(`${siteUrl}/pricing`);
  const unchanged = await fetch(`${siteUrl}/pricing`, {
    headers: { "if-none-match": second.headers.get("etag") ?? "" },
  });
  expect([second.status, second.headers.get("cache-status"), unchanged.status]).toEqual([
    200,
    expect.stringContaining("hit"),
    304,
  ]);
  const ids = [first, second, unchanged].map(({ headers }) => headers.get("x-request-id") ?? "");
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) {
    expect(id).toMatch(/^[\w-]{8,64}$/);
    expect(text).not.toContain(id);
  }
  expect(await second.text()).toBe(text);
});

test("Cloudflare's id of a request is taken over, and nothing else that a visitor sends", async () => {
  const idFor = async (ray: string) =>
    (await fetch(`${siteUrl}/pricing`, { headers: { "cf-ray": ray } })).headers.get("x-request-id");
  expect(await idFor("8f1e2d3c4b5a6978-FRA")).toBe("8f1e2d3c4b5a6978-FRA");
  expect(await idFor("<script>")).toMatch(/^[\w-]{36}$/);
});

testInProof("a line about a public page has the id that its visitor got", async () => {
  await using worker = await startOnFaultyKv();
  const response = await fetch(`${worker.url}/faq`, { headers: { "x-kv": "throws" } });
  expect(response.status).toBe(200);
  const lines: Record<string, unknown>[] = [];
  await pollUntil(
    () => lines.push(...worker.takeLogs()),
    () => lines.some(({ message }) => message === "KV did not answer"),
  );
  expect(lines.map(({ requestId }) => requestId)).toEqual(
    lines.map(() => response.headers.get("x-request-id")),
  );
});

testInProof("a Worker without its variables answers with the id, too", async () => {
  await using worker = await startOwnWorker(() => ({}));
  const response = await fetch(worker.url);
  const requestId = response.headers.get("x-request-id");
  expect(await response.text()).toContain(`Request id: ${requestId}`);
  const lines: Record<string, unknown>[] = [];
  await pollUntil(
    () => lines.push(...worker.takeLogs()),
    () => lines.length > 0,
  );
  expect(lines).toMatchObject([{ message: "The Worker is not configured", requestId }]);
});

/** Cloudflare's API as far as `npm run logs` asks it, with these events for a caller with the token. */
async function startCloudflare(events: readonly object[]) {
  const requests: { url: string | undefined; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    requests.push({ url: request.url, body: JSON.parse(text) });
    const known = request.headers.authorization === "Bearer a-token";
    response.writeHead(known ? 200 : 403, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        known
          ? { success: true, errors: [], result: { events: { events } } }
          : { success: false, errors: [{ code: 10000, message: "Authentication error" }] },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  const environment = (token: string) => ({
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
    CLOUDFLARE_ACCOUNT_ID: "an-account",
    CLOUDFLARE_API_TOKEN: token,
  });
  return { asked: requests, environment };
}

testInProof("npm run logs asks Cloudflare for the lines of the id, oldest first", async () => {
  const event = (timestamp: number, source: unknown) => ({
    timestamp,
    source,
    dataset: "cloudflare-workers",
    $metadata: { id: String(timestamp), level: "error", message: "as Cloudflare shows it" },
    $workers: { scriptVersion: { id: "version-1" } },
  });
  const { asked: requests, environment } = await startCloudflare([
    event(2_000, {
      level: "error",
      message: "A request failed",
      requestId: "ray-12345",
      code: "X1",
    }),
    event(1_000, JSON.stringify({ level: "warn", message: "KV did not answer" })),
    event(3_000, "GET /dashboard"),
  ]);
  const { code, output } = await runCommand("scripts/logs/logs.ts", ["ray-12345"], {
    environment: environment("a-token"),
  });
  expect(code).toBe(0);
  expect(output.trim().split("\n")).toEqual([
    "1970-01-01T00:00:01.000Z  warn  KV did not answer",
    "  version=version-1",
    "1970-01-01T00:00:02.000Z  error  A request failed",
    "  code=X1  version=version-1",
    "1970-01-01T00:00:03.000Z  error  as Cloudflare shows it",
    "  version=version-1",
  ]);
  expect(requests).toMatchObject([
    {
      url: "/accounts/an-account/workers/observability/telemetry/query",
      body: { view: "events", parameters: { needle: { value: "ray-12345" } } },
    },
  ]);
});

testInProof("npm run logs says in a sentence what is missing", async () => {
  const { environment } = await startCloudflare([]);
  const refused = await runCommand("scripts/logs/logs.ts", ["ray-12345"], {
    environment: environment("another"),
  });
  expect([refused.code, refused.complaint]).toEqual([
    1,
    expect.stringContaining("The token needs Workers Observability: Read."),
  ]);
  const nothing = await runCommand("scripts/logs/logs.ts", ["ray-12345"], {
    environment: environment("a-token"),
  });
  expect([nothing.code, nothing.complaint]).toEqual([
    1,
    "✗ Nothing about ray-12345 in the last seven days of Cloudflare's log.\n",
  ]);
  const without = await runCommand("scripts/logs/logs.ts", []);
  expect([without.code, without.complaint]).toEqual([
    2,
    expect.stringContaining("Name one request id."),
  ]);
});
