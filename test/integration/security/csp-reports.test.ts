import { beforeAll, expect, test } from "vitest";
import { testInProof } from "../../support/run/variants.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";

let worker: Awaited<ReturnType<typeof sharedWorker>>;

beforeAll(async () => {
  worker = await sharedWorker();
});

const older = JSON.stringify({
  "csp-report": {
    "document-uri": "https://www.example.com/auth/confirm?token_hash=secret-of-ada",
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://evil.example/steal.js?of=ada",
    "script-sample": "secret-of-ada",
  },
});

function postReport(body: string, headers: Record<string, string>, method = "POST") {
  const from = { "cf-connecting-ip": crypto.randomUUID(), ...headers };
  return fetch(`${worker.url}/csp-reports`, {
    method,
    headers: from,
    ...(method === "POST" ? { body } : {}),
  });
}

test("a report is taken from any sender, and leaves one line without an address", async () => {
  worker.takeLogs();
  for (const origin of [undefined, "null", worker.url, "https://evil.example"]) {
    const answer = await postReport(older, {
      "content-type": "application/csp-report",
      cookie: "sb-127-auth-token=base64-forged",
      ...(origin === undefined ? {} : { origin }),
    });
    expect([origin, answer.status, await answer.text()]).toEqual([origin, 204, ""]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  }
  const lines: Record<string, unknown>[] = [];
  await pollUntil(
    () => lines.push(...worker.takeLogs()),
    () => lines.length >= 4,
  );
  const line = {
    level: "warn",
    message: "A page broke its content policy",
    directive: "script-src-elem",
    blocked: "https",
    page: "/auth/confirm",
    requestId: expect.stringMatching(/^[\w-]{8,64}$/),
  };
  expect(lines).toEqual([line, line, line, line]);
});

test("what is no report is refused with its reason", async () => {
  const type = { "content-type": "application/reports+json" };
  expect((await postReport("[]", type)).status).toBe(204);
  expect((await postReport("{}", type)).status).toBe(400);
  expect((await postReport(older, { "content-type": "application/json" })).status).toBe(415);
  expect((await postReport(`["${"x".repeat(20_000)}"]`, type)).status).toBe(413);
  const opened = await postReport("", {}, "GET");
  expect([opened.status, opened.headers.get("allow")]).toEqual([405, "POST"]);
});

testInProof("one address may send thirty a minute", async () => {
  const headers = {
    "content-type": "application/reports+json",
    "cf-connecting-ip": "203.0.113.77",
  };
  const statuses: number[] = [];
  // A new minute may begin in between, and with it a new count.
  for (let count = 0; count < 61; count++) statuses.push((await postReport("[]", headers)).status);
  expect(statuses[0]).toBe(204);
  expect(statuses).toContain(429);
});
