import { randomUUID } from "node:crypto";
import * as z from "zod";
import { escapeHtml, fakePage } from "../../html.ts";
import type { Database } from "../database/database.ts";
import { refusal } from "../refusals.ts";
import { allProviders } from "./providers.ts";

const wish = z.object({
  provider_id: z.string().optional(),
  domain: z.string().optional(),
  redirect_to: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.string(),
});
type Relay = { provider: string; redirectTo: string; challenge: string; method: string };

/**
 * Single sign-on by SAML: `POST /sso`, a provider's page, and the assertion that it posts back. As supabase/auth v2.196.0
 * does in internal/api/sso.go and samlacs.go, read in November 2026: whatever address a provider asserts is taken for
 * confirmed, the account is one of this provider alone, and errors end at the site's own address. In place of signed XML
 * the page posts an address; the real server's signatures are not played.
 */
export class SingleSignOn {
  #relays = new Map<string, Relay>();

  reset(): void {
    this.#relays.clear();
  }

  /** Undefined for another request. */
  async answer(
    request: Request,
    database: Database,
    siteUrl: string,
  ): Promise<Response | undefined> {
    const url = new URL(request.url);
    switch (`${request.method} ${url.pathname}`) {
      case "POST /auth/v1/sso":
        return this.#begin(await request.clone().json(), database, url.origin);
      case "GET /_idp":
        return page(url.searchParams.get("RelayState") ?? "");
      case "POST /auth/v1/sso/saml/acs":
        return this.#assert(await request.clone().formData(), database, siteUrl);
    }
  }

  async #begin(body: unknown, database: Database, origin: string): Promise<Response> {
    const named = wish.safeParse(body);
    if (!named.success || Boolean(named.data.provider_id) === Boolean(named.data.domain)) {
      const message = "A provider_id or domain needs to be provided";
      return refusal(400, "validation_failed", message);
    }
    const { provider_id, domain = "", redirect_to, ...challenge } = named.data;
    const provider = (await allProviders(database)).find(
      ({ id, domains }) => id === provider_id || domains.includes(domain),
    );
    if (!provider) {
      const message = provider_id
        ? "No such SSO provider"
        : "No SSO provider assigned for this domain";
      return refusal(404, "sso_provider_not_found", message);
    }
    const relay = randomUUID();
    this.#relays.set(relay, {
      provider: provider.id,
      redirectTo: redirect_to,
      challenge: challenge.code_challenge,
      method: challenge.code_challenge_method,
    });
    const query = new URLSearchParams({ SAMLRequest: "played", RelayState: relay });
    return Response.json({ url: `${origin}/_idp?${query}` });
  }

  async #assert(form: FormData, database: Database, siteUrl: string): Promise<Response> {
    const state = String(form.get("RelayState"));
    const relay = this.#relays.get(state);
    this.#relays.delete(state);
    const fail = (code: string, description: string) => {
      const query = { error: "server_error", error_code: code, error_description: description };
      return leadTo(`${siteUrl}?${new URLSearchParams(query)}`);
    };
    if (!relay) return fail("saml_relay_state_not_found", "SAML RelayState does not exist");
    const email = String(form.get("email") ?? "").toLowerCase();
    if (!email) return fail("saml_assertion_no_email", "SAML Assertion does not contain an email");
    const code = randomUUID();
    try {
      const person = await personOf(database, `sso:${relay.provider}`, email);
      await database.query(
        `insert into auth.flow_state (id, user_id, auth_code, authentication_method,
           code_challenge_method, code_challenge, provider_type, auth_code_issued_at)
         values ($1, $2, $3, 'sso/saml', $4, $5, 'sso/saml', now())`,
        [randomUUID(), person, code, relay.method, relay.challenge],
      );
    } catch {
      return fail("unexpected_failure", "Error creating identity");
    }
    const back = new URL(relay.redirectTo);
    back.searchParams.set("code", code);
    return leadTo(back.href);
  }
}

const leadTo = (location: string) => new Response(null, { status: 302, headers: { location } });

/** The account of this provider for an address. An account that others have with it stays apart. */
async function personOf(database: Database, provider: string, email: string): Promise<string> {
  const identity = JSON.stringify({ sub: email, email, email_verified: true });
  const { rows } = await database.query<{ user_id: string }>(
    `update auth.identities set identity_data = $3, last_sign_in_at = now()
     where provider = $1 and provider_id = $2 returning user_id`,
    [provider, email, identity],
  );
  if (rows[0]) return rows[0].user_id;
  const id = randomUUID();
  const metadata = JSON.stringify({ provider, providers: [provider] });
  // One statement, as in the server's transaction: no account is left without its identity.
  await database.query(
    `with person as (
       insert into auth.users (id, email, email_confirmed_at, is_sso_user, raw_app_meta_data)
       values ($1, $2, now(), true, $3) returning id
     )
     insert into auth.identities (id, provider, provider_id, user_id, identity_data)
     select gen_random_uuid(), $4, $2, id, $5 from person`,
    [id, email, metadata, provider, identity],
  );
  return id;
}

/** An identity provider's page, which asserts whatever address is typed: so a hostile one can be played. */
function page(relay: string): Response {
  return fakePage({
    title: "Identity provider",
    body: `<p class="note">This is the local fake for a company's identity provider: it asserts any address.</p>
<form method="post" action="/auth/v1/sso/saml/acs">
<input type="hidden" name="RelayState" value="${escapeHtml(relay)}">
<label>E-mail address <input name="email" type="email" required></label>
<button type="submit">Sign in</button>
</form>`,
  });
}
