import type { Grants } from "./grants.ts";
import { readClaims, signIdToken } from "./id-token.ts";
import { googleSubject } from "./people.ts";
import { parsed } from "./request-log.ts";

interface TokenAnswer {
  access_token?: string;
  refresh_token?: string;
  id_token?: string;
  scope?: string;
}

type Forward = (request: Request) => Promise<Response>;

/** Handles the form of the consent page: redirects back with a code for the scopes that the person allowed. */
export async function acceptConsent(
  request: Request,
  grants: Grants,
  forward: Forward,
): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  const scopes = grants.consent(
    form.get("email") ?? "",
    (form.get("scope") ?? "").split(" ").filter(Boolean),
    form.get("include_granted_scopes") === "true",
  );
  form.set("scope", scopes.join(" "));
  return forward(new Request(request.url, { method: "POST", body: form }));
}

/** Exchanges a code or a refresh token for a token, and records the scopes of the new one. */
export async function exchangeToken(
  request: Request,
  grants: Grants,
  forward: Forward,
): Promise<Response> {
  const text = await request.text();
  const { headers } = request;
  const answer = await forward(new Request(request.url, { method: "POST", headers, body: text }));
  if (!answer.ok) return answer;
  const granted = (await answer.json()) as TokenAnswer;
  const claims = granted.id_token ? readClaims(granted.id_token) : {};
  const refreshed = grants.refreshable(new URLSearchParams(text).get("refresh_token") ?? "");
  const email = refreshed?.email ?? String(claims.email ?? "");
  const scopes = refreshed?.scopes ?? (granted.scope ?? "").split(" ").filter(Boolean);
  const expires_in = granted.access_token
    ? grants.issue(granted.access_token, { email, scopes }, granted.refresh_token)
    : 0;
  const id_token =
    granted.id_token &&
    signIdToken({ ...claims, iss: "https://accounts.google.com", sub: googleSubject(email) });
  return Response.json({ ...granted, expires_in, ...(id_token ? { id_token } : {}) });
}

/** Revokes everything that the person of a token has granted, as Google's /revoke does. */
export async function revokeToken(request: Request, grants: Grants): Promise<Response> {
  const text = await request.text();
  const fromQuery = new URL(request.url).searchParams.get("token");
  const token = fromQuery ?? new URLSearchParams(text).get("token") ?? tokenOfJson(text);
  if (grants.revoke(token)) return Response.json({});
  return Response.json(
    { error: "invalid_token", error_description: "Token expired or revoked" },
    { status: 400 },
  );
}

function tokenOfJson(text: string): string {
  const body = parsed(text);
  return typeof body === "object" && body !== null && "token" in body ? String(body.token) : "";
}

/** The scopes of a token and how long it is valid, as Google's tokeninfo answers. */
export async function describeToken(
  request: Request,
  clientId: string,
  grants: Grants,
): Promise<Response> {
  const fromQuery = new URL(request.url).searchParams.get("access_token");
  const fromBody = new URLSearchParams(await request.text()).get("access_token");
  const issued = grants.read(fromQuery ?? fromBody);
  if (!issued) {
    return Response.json(
      { error: "invalid_token", error_description: "Invalid Value" },
      { status: 400 },
    );
  }
  return Response.json({
    azp: clientId,
    aud: clientId,
    sub: googleSubject(issued.email),
    scope: issued.scopes.join(" "),
    exp: String(Math.floor(issued.expiresAt / 1000)),
    expires_in: String(Math.floor((issued.expiresAt - Date.now()) / 1000)),
    email: issued.email,
    email_verified: "true",
    access_type: "offline",
  });
}

/** Who the token belongs to. */
export async function readUserInfo(request: Request, forward: Forward): Promise<Response> {
  const answer = await forward(request);
  if (!answer.ok) return answer;
  const person = (await answer.json()) as { email: string; email_verified: boolean };
  const id = googleSubject(person.email);
  return Response.json({ ...person, sub: id, id, verified_email: person.email_verified });
}
