import { createEmulator } from "emulate";
import { escapeHtml, standInPage } from "../html.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { consentPage } from "./consent-page.ts";
import { googleCertificates, readClaims, signIdToken } from "./id-token.ts";
import { googlePeople, googleSubject } from "./people.ts";

export interface GoogleStandIn {
  url: string;
  /** Forgets every grant and everything written to Gmail, Calendar and Drive. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

interface TokenAnswer {
  access_token?: string;
  id_token?: string;
}

/**
 * Google's sign-in, Gmail, Calendar and Drive on one loopback address. The APIs are emulate's;
 * around them are our own consent page, ids that stay the same between runs, and Google's 401
 * for a token that it did not issue.
 */
export async function startGoogleStandIn(options: {
  port: number;
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
}): Promise<GoogleStandIn> {
  refuseInProduction("Google");
  const emulator = await createEmulator({
    service: "google",
    port: 0,
    seed: {
      tokens: {},
      google: {
        users: googlePeople.map((person) => ({
          email: person.email,
          name: person.name,
          email_verified: person.emailVerified,
        })),
        oauth_clients: [
          {
            client_id: options.clientId,
            client_secret: options.clientSecret,
            name: "LiveKit Deploy",
            redirect_uris: options.redirectUris,
          },
        ],
      },
    },
  });
  const emulatorOrigin = `http://127.0.0.1:${new URL(emulator.url).port}`;
  const issuedTokens = new Set<string>();
  let ownUrl = "";

  async function forward(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const answer = await fetch(emulatorOrigin + pathname + search, {
      method: request.method,
      headers: request.headers,
      body: request.method === "GET" || request.method === "HEAD" ? null : request.body,
      redirect: "manual",
      duplex: "half",
    } as RequestInit);
    const headers = new Headers(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) {
      headers.delete(name);
    }
    const location = headers.get("location");
    if (location?.startsWith(emulator.url)) {
      headers.set("location", ownUrl + location.slice(emulator.url.length));
    }
    return new Response(answer.body, { status: answer.status, headers });
  }

  async function exchangeToken(request: Request): Promise<Response> {
    const answer = await forward(request);
    if (!answer.ok) return answer;
    const granted = (await answer.json()) as TokenAnswer;
    if (granted.access_token) issuedTokens.add(granted.access_token);
    if (granted.id_token) {
      const claims = readClaims(granted.id_token);
      granted.id_token = signIdToken({
        ...claims,
        iss: "https://accounts.google.com",
        sub: googleSubject(String(claims.email)),
      });
    }
    return Response.json(granted);
  }

  async function readUserInfo(request: Request): Promise<Response> {
    const answer = await forward(request);
    if (!answer.ok) return answer;
    const person = (await answer.json()) as { email: string; email_verified: boolean };
    const id = googleSubject(person.email);
    return Response.json({ ...person, sub: id, id, verified_email: person.email_verified });
  }

  function askConsent(query: URLSearchParams): Promise<Response> | Response {
    const redirectUri = query.get("redirect_uri") ?? "";
    const problem =
      query.get("client_id") !== options.clientId
        ? "The client_id is not registered."
        : !options.redirectUris.includes(redirectUri)
          ? "The redirect_uri is not registered for this client."
          : undefined;
    if (!problem) return consentPage(query);
    const page = standInPage({
      title: "Access blocked: this request is invalid",
      body: `<p>${escapeHtml(problem)}</p>`,
    });
    return new Response(page.body, { status: 400, headers: page.headers });
  }

  function isIssued(request: Request): boolean {
    const [scheme, token] = (request.headers.get("authorization") ?? "").split(" ");
    return scheme?.toLowerCase() === "bearer" && issuedTokens.has(token ?? "");
  }

  async function reset(): Promise<void> {
    issuedTokens.clear();
    emulator.reset();
  }

  const server = await serveOnLoopback(options.port, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === "POST" && pathname === "/_local/reset") {
      await reset();
      return Response.json({ reset: true });
    }
    switch (pathname) {
      case "/":
        return standInPage({
          title: "Google stand-in",
          body: `<p>Accounts that can sign in: ${googlePeople.map((person) => escapeHtml(person.email)).join(", ")}.</p>`,
        });
      case "/o/oauth2/v2/auth":
        return askConsent(searchParams);
      case "/oauth2/token":
      case "/token":
        return exchangeToken(new Request(new URL("/oauth2/token", request.url), request));
      case "/oauth2/v3/certs":
        return Response.json(googleCertificates());
      case "/o/oauth2/v2/auth/callback":
      case "/oauth2/revoke":
        return forward(request);
    }
    if (!isIssued(request)) {
      return Response.json(
        {
          error: {
            code: 401,
            message: "Request had invalid authentication credentials.",
            status: "UNAUTHENTICATED",
          },
        },
        { status: 401 },
      );
    }
    return pathname === "/oauth2/v2/userinfo" ? readUserInfo(request) : forward(request);
  }).catch(async (error) => {
    await emulator.close();
    throw error;
  });
  ownUrl = server.url;

  return {
    url: server.url,
    reset,
    async close() {
      await server.close();
      await emulator.close();
    },
  };
}
