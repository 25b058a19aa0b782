import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openApi } from "~/features/api/openapi";
import { operations } from "~/features/api/operations/operations";
import { scopes } from "~/features/api/scopes";
import official from "../../support/schemas/openapi-3.1.json" with { type: "json" };

type Operation = { operationId: string; security: Record<string, string[]>[]; responses: object };
const description = openApi() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, object> };
};

test("the description is OpenAPI 3.1 by the schema that the OpenAPI Initiative publishes", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.validate(official, description);
  expect(ajv.errorsText()).toBe("No errors");
});

test("each schema of it is a JSON Schema of 2020-12", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    expect([name, ajv.validateSchema(schema)]).toEqual([name, true]);
  }
});

test("every address of the API is in it, with the agents' two, and none else", () => {
  const described = Object.entries(description.paths).flatMap(([path, all]) =>
    Object.keys(all).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const routed = operations.map(({ method, path }) => `${method} /api/v1${path}`);
  const agents = ["GET /api/model-config", "POST /api/token-usage"];
  expect(described.toSorted()).toEqual([...routed, ...agents].toSorted());
  expect(new Set(routed).size).toBe(routed.length);
});

test("every reference in it leads somewhere", () => {
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, reference = ""]) => reference,
  );
  expect(references.length).toBeGreaterThan(20);
  for (const reference of new Set(references)) {
    let value: unknown = description;
    for (const part of reference.replace("#/", "").split("/")) value = Object(value)[part];
    expect([reference, typeof value]).toEqual([reference, "object"]);
  }
});

test("every operation has an id of its own, and each scope is asked for by one at least", () => {
  const all = Object.values(description.paths).flatMap((each) => Object.values(each));
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  const wanted = new Set(operations.flatMap(({ scope }) => scope ?? []));
  expect([...wanted].toSorted()).toEqual([...scopes].toSorted());
});

test("the page of the documentation has every scope, and every code of a problem", () => {
  const page = readFileSync("app/content/docs/api.md", "utf8");
  for (const scope of scopes) expect(page).toContain(`\`${scope}\``);
  const codes = [
    ...JSON.stringify(description.paths).matchAll(/"code":\{[^}]*"enum":\[([^\]]*)\]/g),
  ];
  const named = new Set(codes.flatMap(([, list = ""]) => JSON.parse(`[${list}]`) as string[]));
  expect(named.size).toBeGreaterThan(10);
  for (const code of named) expect(page).toContain(`\`${code}\``);
});
