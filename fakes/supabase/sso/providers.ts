import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import { refusal } from "../refusals.ts";

const wish = z.object({
  type: z.string().optional(),
  metadata_url: z.string().default(""),
  domains: z.array(z.string()).default([]),
});

export type Provider = { id: string; metadata_url: string; domains: string[] };

/**
 * The admin API of providers of single sign-on, as supabase/auth v2.196.0 has it in internal/api/ssoadmin.go, read in
 * November 2026. Nobody fetches metadata here: an address stands for its provider. Undefined for another request.
 */
export async function answerSsoAdmin(
  request: Request,
  database: Database,
  secretKey: string,
): Promise<Response | undefined> {
  const match = /^\/auth\/v1\/admin\/sso\/providers(?:\/([0-9a-f-]{36}))?$/.exec(
    new URL(request.url).pathname,
  );
  if (!match) return;
  if (request.headers.get("apikey") !== secretKey) {
    return refusal(401, "no_authorization", "This endpoint requires the secret key");
  }
  const [, id] = match;
  const providers = await allProviders(database);
  if (request.method === "GET" && !id) {
    const items = providers.map(({ id, metadata_url, domains }) => ({
      id,
      saml: { metadata_url },
      domains: domains.map((domain) => ({ domain })),
    }));
    return Response.json({ items });
  }
  if (request.method === "DELETE" && id) {
    const found = providers.find((each) => each.id === id);
    if (!found) return refusal(404, "sso_provider_not_found", "SSO Identity Provider not found");
    await database.query("delete from auth.sso_providers where id = $1", [id]);
    return Response.json(found);
  }
  if (request.method === "PUT" && id) {
    const { domains } = wish.parse(await request.json());
    const other = providers.find(
      (each) => each.id !== id && each.domains.some((domain) => domains.includes(domain)),
    );
    if (other) return taken(domains[0] ?? "");
    await database.query("update auth.sso_providers set domains = $2 where id = $1", [id, domains]);
    return Response.json({ id, domains });
  }
  if (request.method !== "POST" || id) return refusal(405, "bad_request", "Not allowed");
  return create(database, providers, await request.json());
}

async function create(database: Database, providers: Provider[], body: unknown) {
  const { type, metadata_url, domains } = wish.parse(body);
  if (type !== "saml") {
    return refusal(400, "validation_failed", "Only 'saml' supported for SSO provider type");
  }
  if (!metadata_url) {
    return refusal(400, "validation_failed", "Either metadata_xml or metadata_url must be set");
  }
  if (!metadata_url.startsWith("https://")) {
    return refusal(400, "validation_failed", "metadata_url is not a HTTPS URL");
  }
  if (providers.some((each) => each.metadata_url === metadata_url)) {
    const message = `SAML Identity Provider with this EntityID (${metadata_url}) already exists`;
    return refusal(422, "saml_idp_already_exists", message);
  }
  const others = domains.find((domain) => providers.some((each) => each.domains.includes(domain)));
  if (others) return taken(others);
  const id = randomUUID();
  await database.query(
    "insert into auth.sso_providers (id, metadata_url, domains) values ($1, $2, $3)",
    [id, metadata_url, domains],
  );
  return Response.json({ id, saml: { metadata_url }, domains }, { status: 201 });
}

function taken(domain: string): Response {
  const message = `SSO Domain '${domain}' is already assigned to an SSO identity provider`;
  return refusal(400, "sso_domain_already_exists", message);
}

export async function allProviders(database: Database): Promise<Provider[]> {
  const { rows } = await database.query<Provider>(
    "select id, metadata_url, domains from auth.sso_providers order by created_at",
  );
  return rows;
}
