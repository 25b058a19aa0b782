import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newTokenOf, readConfiguration, report, reportOf } from "../../support/agents/agent.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { faults } from "../../support/faults/fault-proxy.ts";
import { startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

type Answer = {
  headers?: Record<string, { schema: object }>;
  content?: Record<string, { schema: object }>;
};
type Operation = {
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Answer | { $ref: string }>;
};
type Description = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer> };
};

let described: Description;
// The document as it is served; its schemas refer to each other by their place in it.
const ajv = new Ajv2020({ strict: false, validateFormats: false });

beforeAll(async () => {
  const response = await fetch(`${siteUrl}/api/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json\b/);
  described = (await response.json()) as Description;
  ajv.addSchema({ ...described, $id: "https://site.invalid/openapi.json" });
});
beforeEach(resetFakes);

/** What is wrong with a value by a schema of the document. */
function problemsOf(schema: object, value: unknown): string {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/', '"https://site.invalid/openapi.json#/'),
  );
  ajv.validate(absolute, value);
  return ajv.errorsText();
}

function operationAt(path: string, method: string): Operation {
  const operation = described.paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  return operation;
}

/** Fails unless the document describes the answer, in every header and field. */
async function expectDescribed(response: Response, path: string, method: string) {
  const { status } = response;
  const description = operationAt(path, method).responses[status];
  if (!description) throw new Error(`${status} of ${method} ${path} is not described`);
  const answer =
    "$ref" in description
      ? described.components.responses[description.$ref.split("/").at(-1) ?? ""]
      : description;
  for (const [name, { schema }] of Object.entries(answer?.headers ?? {})) {
    expect
      .soft([status, name, problemsOf(schema, response.headers.get(name))])
      .toEqual([status, name, "No errors"]);
  }
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const text = await response.text();
  if (!answer?.content) {
    expect([status, text]).toEqual([status, ""]);
    return;
  }
  expect(Object.keys(answer.content)).toContain(type);
  const schema = answer.content[type]?.schema ?? {};
  expect.soft([status, problemsOf(schema, JSON.parse(text))]).toEqual([status, "No errors"]);
}

test("the running Worker answers as its OpenAPI document says, with every status that it names", async () => {
  const token = await newTokenOf(await customer());
  const seen = new Set<string>();
  const check = async (path: string, method: string, response: Response) => {
    seen.add(`${method} ${path} ${response.status}`);
    await expectDescribed(response, path, method);
  };
  const configured = await readConfiguration(token);
  const etag = configured.headers.get("etag") ?? "";
  await check("/api/model-config", "get", configured);
  const read = [
    readConfiguration(token, { "if-none-match": etag }),
    readConfiguration(`lkd_${"x".repeat(43)}`),
  ];
  for (const response of await Promise.all(read)) await check("/api/model-config", "get", response);

  const single = reportOf("event_1");
  const bodies = [single, [single, reportOf("event_2")]];
  for (const body of bodies) {
    const { schema } = operationAt("/api/token-usage", "post").requestBody?.content[
      "application/json"
    ] ?? { schema: { not: {} } };
    expect(problemsOf(schema, body)).toBe("No errors");
    await check("/api/token-usage", "post", await report(token, body));
  }
  const wrong = [
    report(token, "{"),
    report("nobody's", single),
    report(token, "x".repeat(1_048_577)),
    report(token, single, { "content-type": "text/plain" }),
    report(token, [single, { ...single, identity: 5 }]),
    report(token, []),
    report(
      token,
      Array.from({ length: 11 }, (_, nth) => reportOf(`other_${nth}`, `identity ${nth}`)),
    ),
  ];
  for (const response of await Promise.all(wrong))
    await check("/api/token-usage", "post", response);

  // A minute may end in between: it then takes twice as many calls, and never more.
  const busy = await newTokenOf(await customer());
  let refused: Response | undefined;
  for (let round = 0; round < 13 && !refused; round++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => report(busy, "")));
    refused = answers.find(({ status }) => status === 429);
    if (round < 5) expect(answers.map(({ status }) => status)).toContain(400);
  }
  if (!refused) throw new Error("Nobody was refused");
  await check("/api/token-usage", "post", refused);
  await check("/api/model-config", "get", await readConfiguration(busy));
  expect((await readConfiguration(token)).status).toBe(200);

  await using faultySite = await startSiteWithFaults();
  faultySite.supabaseProxy.behave(faults.error);
  const authorization = `Bearer ${token}`;
  const headers = { authorization, "content-type": "application/json" };
  const down = (path: string, init: RequestInit) =>
    fetch(faultySite.url + path, { ...init, headers });
  await check("/api/model-config", "get", await down("/api/model-config", {}));
  await check(
    "/api/token-usage",
    "post",
    await down("/api/token-usage", { method: "POST", body: JSON.stringify(single) }),
  );

  const named = Object.entries(described.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method} ${path} ${status}`),
    ),
  );
  expect([...seen].toSorted()).toEqual(named.toSorted());
});

test("the document and the reference page name the same statuses", () => {
  const page = readFileSync("app/content/docs/api.md", "utf8");
  const table = /Table: Problems\n([\s\S]*?)\n\n[^|]/.exec(page)?.[1] ?? "";
  const onPage = new Set([...table.matchAll(/^\| (\d{3}) /gm)].map(([, status]) => status));
  const inDocument = new Set(
    Object.values(described.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ responses }) => Object.keys(responses))
      .filter((status) => status >= "400"),
  );
  // No description of an address lists the methods that it does not have.
  onPage.delete("405");
  expect([...inDocument].toSorted()).toEqual([...onPage].toSorted());
});
