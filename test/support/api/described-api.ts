import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";

type Answer = {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: object }>;
};
type Parameter = { name: string; in: string; required: boolean; schema: object };
export type DescribedOperation = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Answer>;
};
export type Description = {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
};

const place = "https://site.invalid/openapi.json";

/** The description as it is served, which every call of the tests and every answer to one is held against. */
export class DescribedApi {
  readonly description: Description;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(description: Description) {
    this.description = description;
    this.#ajv.addSchema({ ...description, $id: place });
  }

  /** As this file's site serves it, or another one; a unit test has no site. */
  static async served(url?: string): Promise<DescribedApi> {
    const site = url ?? (await import("../site/own-site.ts")).siteUrl;
    const response = await fetch(`${site}/api/v1/openapi.json`);
    expect(response.status).toBe(200);
    return new DescribedApi((await response.json()) as Description);
  }

  /** The operation at an address without its query. */
  operationAt(
    method: string,
    path: string,
  ): { template: string; operation: DescribedOperation } | undefined {
    for (const [template, operations] of Object.entries(this.description.paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      const operation = operations[method.toLowerCase()];
      if (operation && pattern.test(path)) return { template, operation };
    }
  }

  /** Fails unless a call is as the description says: each parameter and the body. */
  expectDescribedCall(method: string, target: string, headers: Headers, body: unknown): void {
    const url = new URL(target, "https://site.invalid");
    const found = this.operationAt(method, url.pathname);
    if (!found) throw new Error(`${method} ${url.pathname} is not described`);
    const { template, operation } = found;
    const { parameters = [], requestBody } = operation;
    const values = url.pathname.split("/");
    const names = template.split("/");
    for (const { name, in: where, required, schema } of parameters) {
      const value =
        where === "path"
          ? values[names.indexOf(`{${name}}`)]
          : where === "query"
            ? (url.searchParams.get(name) ?? undefined)
            : (headers.get(name) ?? undefined);
      if (value === undefined) expect([name, required]).toEqual([name, false]);
      else
        expect([name, value, this.#problemsOf(schema, value)]).toEqual([name, value, "No errors"]);
    }
    const known = parameters.filter((each) => each.in === "query").map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining([...url.searchParams.keys()]));
    const schema = requestBody?.content["application/json"]?.schema;
    if (schema) expect(this.#problemsOf(schema, body)).toBe("No errors");
  }

  /** Fails unless the answer is described, in its status, its headers, its type and every field. */
  async expectDescribedAnswer(
    method: string,
    target: string,
    response: Response,
  ): Promise<unknown> {
    const { pathname } = new URL(target, "https://site.invalid");
    const found = this.operationAt(method, pathname);
    if (!found) throw new Error(`${method} ${pathname} is not described`);
    const { status } = response;
    const answer = found.operation.responses[status];
    if (!answer) throw new Error(`${status} of ${method} ${found.template} is not described`);
    for (const [name, { required }] of Object.entries(answer.headers ?? {})) {
      if (!required) continue;
      expect
        .soft([found.template, status, name, response.headers.has(name)])
        .toEqual([found.template, status, name, true]);
    }
    const text = await response.text();
    if (!answer.content) {
      expect([status, text]).toEqual([status, ""]);
      return;
    }
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    expect(Object.keys(answer.content)).toContain(type);
    const value: unknown = type.endsWith("json") ? JSON.parse(text) : text;
    expect([
      found.template,
      status,
      this.#problemsOf(answer.content[type]?.schema ?? {}, value),
    ]).toEqual([found.template, status, "No errors"]);
    return value;
  }

  #problemsOf(schema: object, value: unknown): string {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${place}#/`));
    this.#ajv.validate(absolute, value);
    return this.#ajv.errorsText();
  }
}
