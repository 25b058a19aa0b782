import { createEmulator } from "emulate";
import { escapeHtml, fakePage } from "../html.ts";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { Accounts } from "./account-data.ts";
import { unauthenticated } from "./api.ts";
import { answerApis } from "./apis.ts";
import { consentPage } from "./consent-page.ts";
import { answerControl } from "./control.ts";
import { Faults } from "./faults.ts";
import { Grants } from "./grants.ts";
import { googleCertificates } from "./id-token.ts";
import { acceptConsent, describeToken, exchangeToken, readUserInfo, revokeToken } from "./oauth.ts";
import { installOneTap, oneTapFrame } from "./one-tap.ts";
import { googlePeople } from "./people.ts";
import { RequestLog } from "./request-log.ts";

export interface GoogleFake {
  url: string;
  /** Forgets every grant, everything written to the APIs, and every fault. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Google's sign-in, Gmail, Calendar, Tasks, Docs and Drive on one loopback address. Sign-in and
 * Gmail are emulate's; the other APIs, the consent page, scopes, faults, the log of requests and
 * ids that stay the same between runs are our own.
 */
export async function startGoogleFake(options: {
  port: number;
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
}): Promise<GoogleFake> {
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
  const held = {
    accounts: new Accounts(),
    faults: new Faults(),
    grants: new Grants(),
    requests: new RequestLog(),
  };
  const { accounts, faults, grants, requests } = held;
  let fakeUrl = "";

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
      headers.set("location", fakeUrl + location.slice(emulator.url.length));
    }
    return new Response(answer.body, { status: answer.status, headers });
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
    const page = fakePage({
      title: "Access blocked: this request is invalid",
      body: `<p>${escapeHtml(problem)}</p>`,
    });
    return new Response(page.body, { status: 400, headers: page.headers });
  }

  async function reset(): Promise<void> {
    for (const each of [accounts, faults, requests]) each.clear();
    grants.reset();
    emulator.reset();
  }

  const server = await serveOnLoopback(options.port, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith("/_local/")) return answerControl({ ...held, reset }, request);
    switch (pathname) {
      case "/":
        return fakePage({
          title: "Google fake",
          body: `<p>Accounts that can sign in: ${googlePeople.map((person) => escapeHtml(person.email)).join(", ")}.</p>`,
        });
      case "/o/oauth2/v2/auth":
        return askConsent(searchParams);
      case "/o/oauth2/v2/auth/callback":
        return acceptConsent(request, grants, forward);
      case "/oauth2/token":
      case "/token":
        return exchangeToken(
          new Request(new URL("/oauth2/token", request.url), request),
          grants,
          forward,
        );
      case "/gsi/client":
        return new Response(`(${installOneTap})(${JSON.stringify(new URL(request.url).origin)});`, {
          headers: { "content-type": "text/javascript; charset=utf-8" },
        });
      case "/gsi/iframe/select":
        return oneTapFrame(searchParams);
      case "/oauth2/v3/certs":
        return Response.json(googleCertificates());
      case "/oauth2/revoke":
      case "/revoke":
        return revokeToken(request, grants);
      case "/oauth2/v3/tokeninfo":
      case "/tokeninfo":
        return describeToken(request, options.clientId, grants);
      case "/oauth2/v2/userinfo":
        return grants.read(bearer(request)) ? readUserInfo(request, forward) : unauthenticated();
      default:
        return answerApis(held, request, forward);
    }
  }).catch(async (error) => {
    await emulator.close();
    throw error;
  });
  fakeUrl = server.url;

  return {
    url: server.url,
    reset,
    async close() {
      await server.close();
      await emulator.close();
    },
  };
}

function bearer(request: Request): string | undefined {
  return request.headers.get("authorization")?.split(" ")[1];
}
