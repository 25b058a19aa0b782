import { createHmac, verify } from "node:crypto";
import type { App } from "@supabase/lite";
import { claimsOf } from "../../../../fakes/supabase/access-token.ts";
import { keepPrivileges } from "../../../../fakes/supabase/database/privileges.ts";
import type { ProjectKeys } from "./project-keys.ts";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * PostgREST's part of the platform: the same implementation that the fake has, on the real database. It
 * logs in as "authenticator" and takes the role of the token for each request, so that row-level security
 * and grants are PostgreSQL's own. docs/decisions/0021-the-real-auth-server.md says why this one.
 */
export async function startRestSide(options: {
  databaseUrl: string;
  publicUrl: string;
  publishableKey: string;
  secretKey: string;
  keys: ProjectKeys;
}) {
  process.env.LITE_TELEMETRY = "0";
  process.env.DO_NOT_TRACK = "1";
  const { emitWarning, exitCode } = process;
  const [{ App: Lite }, { createPostgresConnection }] = await Promise.all([
    import("@supabase/lite"),
    import("@supabase/lite/postgres"),
  ]);
  process.emitWarning = emitWarning;
  const connection = createPostgresConnection({
    url: options.databaseUrl,
    postgresOptions: { types: { json: jsonOf(114), jsonb: jsonOf(3802) } },
  });
  keepPrivileges(connection);
  const app: App = new Lite({
    connection,
    api: { external_url: options.publicUrl },
    auth: {
      enabled: true,
      jwt_secret: options.keys.secret,
      publishable_key: options.publishableKey,
      secret_key: options.secretKey,
    },
    options: { server: { admin: false, disableStudio: true } },
  });
  await app.init();
  process.exitCode = exitCode;
  return {
    async answer(request: Request): Promise<Response> {
      return app.fetch(readable(request, options.keys), { peerAddress: "127.0.0.1" });
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      process.exitCode = exitCode;
    },
  };
}

/** It hands over the JSON of an argument as text, which its driver would put into JSON once more. */
function jsonOf(type: number) {
  return {
    to: type,
    from: [type],
    serialize: (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)),
    parse: (text: string): unknown => JSON.parse(text),
  };
}

/** It reads tokens of a shared secret alone, so one of the key pair is checked here and signed anew. */
function readable(request: Request, keys: ProjectKeys): Request {
  const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  const [header = "", payload = "", signature = ""] = token.split(".");
  const claims = claimsOf(token);
  const key = { key: keys.publicKey, dsaEncoding: "ieee-p1363" } as const;
  const isOurs =
    claims !== undefined &&
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"));
  if (!isOurs) return request;
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${payload}`;
  const anew = createHmac("sha256", keys.secret).update(text).digest("base64url");
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${text}.${anew}`);
  return new Request(request, { headers });
}
