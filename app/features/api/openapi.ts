import * as z from "zod/mini";
import { brand } from "~/content/chrome";
import agents from "../../../public/api/openapi.json";
import { apiSchemas, type Operation } from "./operations/operation";
import { operations } from "./operations/operations";
import { type ProblemCode, problems } from "./problem";
import { scopes } from "./scopes";

type Json = Record<string, unknown>;

const schemaAddress = (id: string) => `#/components/schemas/${id}`;

/** A schema without what is for documents of their own. */
function bare({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}

/** The schemas of bodies and answers, by the names with which the operations refer to them. */
function schemas(): Json {
  const made = z.toJSONSchema(apiSchemas, { uri: schemaAddress });
  const all = Object.entries(made.schemas).map(([id, schema]) => [id, bare(schema as Json)]);
  return Object.fromEntries(all);
}

const problemSchema = (codes: readonly ProblemCode[]) => ({
  description: "A problem (RFC 9457). `code` never changes its meaning.",
  type: "object",
  required: ["title", "status", "code", "detail", "request_id"],
  additionalProperties: false,
  properties: {
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", enum: codes },
    detail: { type: "string" },
    errors: {
      type: "array",
      maxItems: 20,
      items: {
        type: "object",
        required: ["detail"],
        additionalProperties: false,
        properties: {
          pointer: { description: "A JSON pointer into the body.", type: "string" },
          parameter: { description: "A parameter of the query.", type: "string" },
          detail: { type: "string" },
        },
      },
    },
    request_id: { description: "Quote it when you write to support.", type: "string" },
  },
});

const text = { type: "string" };
const limitHeaders = {
  RateLimit: {
    required: true,
    description: 'What is left of this minute: `"token";r=119;t=42`.',
    schema: text,
  },
  "RateLimit-Policy": { required: true, description: '`"token";q=120;w=60`.', schema: text },
};
/** Where a limit was reached before the token was read, nothing is known of its minute. */
const limitHeadersOfRefusal = Object.fromEntries(
  Object.entries(limitHeaders).map(([name, header]) => [name, { ...header, required: false }]),
);
const etag = { ETag: { required: true, description: "Changes with the answer.", schema: text } };

const replayed = {
  "Idempotency-Replayed": {
    description: "`true` where an earlier call with the same key did it.",
    schema: text,
  },
};

/** Problems of every operation, and of one that has a body or is of a scope. */
function problemsOf(operation: Operation): ProblemCode[] {
  const { scope, params, body, changesNothing } = operation;
  const all: ProblemCode[] = [
    "unknown-token",
    "invalid-query",
    ...(scope ? (["missing-scope"] as const) : []),
    ...(Object.keys(params).length > 0 ? (["not-found"] as const) : []),
    ...(body ? (["invalid-json", "invalid-body", "no-json", "too-large"] as const) : []),
    ...(body && !changesNothing
      ? (["invalid-key", "key-reused", "in-progress", "too-many-changes"] as const)
      : []),
    ...operation.problems,
    ...(["too-often", "unavailable"] as const),
  ];
  return [...new Set(all)];
}

function responsesOf(operation: Operation): Json {
  const { status, answer, text: types, method, body, changesNothing } = operation;
  const isRead = method === "GET";
  const done = {
    description: answer || types ? "Done." : "Done, without content.",
    headers: {
      ...limitHeaders,
      ...(isRead || (operation.tag === "Deployments" && !changesNothing) ? etag : {}),
      ...(body && !changesNothing ? replayed : {}),
    },
    ...(answer ? { content: { "application/json": { schema: refOf(answer) } } } : {}),
    ...(types
      ? { content: Object.fromEntries(types.map((type) => [type, { schema: text }])) }
      : {}),
  };
  const byStatus = Map.groupBy(problemsOf(operation), (code) => problems[code].status);
  const refused = [...byStatus].map(([refusal, codes]) => [
    refusal,
    {
      description: codes.map((code) => `\`${code}\``).join(", "),
      ...(refusal === 401 ? {} : { headers: limitHeadersOfRefusal }),
      content: { "application/problem+json": { schema: problemSchema(codes) } },
    },
  ]);
  return Object.fromEntries([
    [status, done],
    ...(isRead
      ? [[304, { description: "Not changed.", headers: { ...limitHeaders, ...etag } }]]
      : []),
    ...refused,
  ]);
}

function refOf(schema: z.ZodMiniType): Json {
  const id = apiSchemas.get(schema)?.id;
  if (id === undefined) throw new Error("A body or an answer of the API has no name");
  return { $ref: schemaAddress(id) };
}

/** Parameters as they are sent: text, with its pattern. */
function parametersOf({ params, query, body, changesNothing, needsIfMatch }: Operation): Json[] {
  const listed = (place: "path" | "query", shape: Operation["query"]) =>
    Object.entries(shape).map(([name, field]) => {
      const { description, ...schema } = bare(
        z.toJSONSchema(field, { io: "input", unrepresentable: "any" }) as Json,
      );
      return {
        ...{ name, in: place, required: place === "path", schema },
        ...(description ? { description } : {}),
      };
    });
  const header = (name: string, description: string) => ({
    ...{ name, in: "header", required: true, description, schema: { type: "string" } },
  });
  return [
    ...listed("path", params),
    ...listed("query", query),
    ...(body && !changesNothing
      ? [
          header(
            "Idempotency-Key",
            "Another one for each change, such as a UUID. The same call with the same key is answered the same for 24 hours.",
          ),
        ]
      : []),
    ...(needsIfMatch ? [header("If-Match", "The ETag with which it was read.")] : []),
  ];
}

function described(operation: Operation): Json {
  const { id, tag, summary, description, scope, orScope, body } = operation;
  return {
    ...{ operationId: id, tags: [tag], summary },
    ...(description ? { description } : {}),
    parameters: parametersOf(operation),
    security: [
      { workspaceToken: scope ? [scope] : [] },
      ...(orScope ? [{ workspaceToken: [orScope] }] : []),
    ],
    ...(body
      ? {
          requestBody: { required: true, content: { "application/json": { schema: refOf(body) } } },
        }
      : {}),
    responses: responsesOf(operation),
  };
}

function pathsOf(): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, all]) => [
      `/api/v1${path}`,
      Object.fromEntries(all.map((each) => [each.method.toLowerCase(), described(each)])),
    ]),
  );
}

/** The agents' two addresses, whose schemas have names of their own beside ours. */
function agentsPart(): { paths: Json; components: Record<string, Json> } {
  const renamed = JSON.stringify({ paths: agents.paths, components: agents.components }).replaceAll(
    '"#/components/schemas/',
    '"#/components/schemas/Agent',
  );
  const { paths, components } = JSON.parse(renamed) as Pick<typeof agents, "paths" | "components">;
  const schemas = Object.entries(components.schemas);
  const secured = Object.entries(paths).map(([path, all]) => [
    path,
    Object.fromEntries(
      Object.entries(all).map(([method, operation]) => [
        method,
        { ...operation, tags: ["Agents"], security: [{ agentToken: [] }] },
      ]),
    ),
  ]);
  return {
    paths: Object.fromEntries(secured),
    components: {
      responses: components.responses,
      securitySchemes: { agentToken: components.securitySchemes.token },
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [`Agent${name}`, schema])),
    },
  };
}

/** The description of the API in OpenAPI 3.1, made of the schemas that read calls and write answers. */
export function openApi(): Json {
  const agent = agentsPart();
  return {
    openapi: "3.1.1",
    info: {
      title: `${brand}: API`,
      version: "1.0.0",
      summary:
        "Deployments, servers, incidents, sessions, alerts and webhooks of a workspace, and what agents read and report.",
      description: `Made of the schemas that the site reads calls and writes answers with. A token of a workspace is made on its page API tokens and sent as \`Authorization: Bearer lkd_w_…\`. Scopes: ${scopes.join(", ")}.`,
    },
    servers: [{ url: "/" }],
    security: [{ workspaceToken: [] }],
    tags: [...new Set([...operations.map(({ tag }) => tag), "Agents"])].map((name) => ({ name })),
    paths: { ...pathsOf(), ...agent.paths },
    components: {
      ...agent.components,
      securitySchemes: {
        workspaceToken: { type: "http", scheme: "bearer", bearerFormat: "lkd_w_…" },
        ...agent.components.securitySchemes,
      },
      schemas: { ...schemas(), ...agent.components.schemas },
    },
  };
}
