import type { IncomingMessage } from "node:http";
import { serveOnLoopback } from "../../../../fakes/loopback-server.ts";
import type { ProjectKeys } from "./project-keys.ts";

/** Where a browser or a mail program arrives without a key. */
const open =
  /^\/auth\/v1\/(authorize|callback|verify|health|sso\/saml\/(acs|metadata)|\.well-known\/.+)$/;

export type AuthRequest = { method: string; path: string; status: number };

/**
 * What Supabase has in front of its services, at one address. It asks for an API key and puts a short
 * token of the key's role in its place; it believes `Sb-Forwarded-For` only with the secret key, and
 * refuses that key to a browser. Where the auth server leads to Google, it leads to the fake of Google.
 */
export async function startGateway(options: {
  port: number;
  authUrl: string;
  rest: (request: Request) => Promise<Response>;
  publishableKey: string;
  secretKey: string;
  keys: ProjectKeys;
  googleUrl: string;
}) {
  const { publishableKey, secretKey, keys } = options;
  const authRequests: AuthRequest[] = [];

  async function askAuth(request: Request, incoming: IncomingMessage): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice("/auth/v1".length) + search;
    const apikey = request.headers.get("apikey");
    const headers = new Headers(request.headers);
    for (const name of ["host", "connection", "content-length", "transfer-encoding"]) {
      headers.delete(name);
    }
    if (apikey !== secretKey) headers.delete("sb-forwarded-for");
    headers.set("x-forwarded-for", incoming.socket.remoteAddress ?? "127.0.0.1");
    const authorization = headers.get("authorization");
    if (apikey && (!authorization || authorization === `Bearer ${apikey}`)) {
      const role = apikey === secretKey ? "service_role" : "anon";
      headers.set("authorization", `Bearer ${keys.ofRole(role)}`);
    }
    const answer = await fetch(options.authUrl + path, {
      method: request.method,
      headers,
      body: /GET|HEAD/.test(request.method) ? null : await request.arrayBuffer(),
      redirect: "manual",
    });
    authRequests.push({ method: request.method, path, status: answer.status });
    return toBrowser(answer, options.googleUrl);
  }

  const server = await serveOnLoopback(options.port, async (request, incoming) => {
    const { pathname } = new URL(request.url);
    const apikey = request.headers.get("apikey");
    if (!open.test(pathname)) {
      if (apikey !== publishableKey && apikey !== secretKey) {
        return Response.json({ message: "Invalid API key" }, { status: 401 });
      }
      const isBrowser = request.headers.get("user-agent")?.startsWith("Mozilla/");
      if (apikey === secretKey && isBrowser) {
        return Response.json(
          { message: "Forbidden use of secret API key in browser" },
          { status: 401 },
        );
      }
    }
    if (pathname.startsWith("/auth/v1/")) return askAuth(request, incoming);
    if (pathname.startsWith("/rest/v1/")) return options.rest(request);
    return Response.json({ message: "no Route matched with those values" }, { status: 404 });
  });
  return {
    url: server.url,
    /** Every request that reached the auth server, oldest first. */
    requests: authRequests,
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function toBrowser(answer: Response, googleUrl: string): Response {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"]) {
    headers.delete(name);
  }
  const location = headers.get("location");
  const realGoogle = "https://accounts.google.com/";
  if (location?.startsWith(realGoogle)) {
    headers.set("location", `${googleUrl}/${location.slice(realGoogle.length)}`);
  }
  const isEmpty = answer.status === 204 || answer.status === 304;
  return new Response(isEmpty ? null : answer.body, { status: answer.status, headers });
}
