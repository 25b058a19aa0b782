import { once } from "node:events";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { serve } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { closeHttpServer, createEmulator, defineEmulator, filePersistence } from "emulate";
import type { Account } from "./account.ts";
import { openAccount } from "./account-start.ts";
import { answerApi, refusedConnection } from "./api/answer.ts";
import { byClockOf } from "./clock.ts";
import { answerControl } from "./control.ts";
import type { SeededPrices } from "./objects/catalogue.ts";
import { answerPage } from "./pages/routes.ts";
import { emptyState } from "./state.ts";

refuseProduction();

export type StripeFakeOptions = {
  port: number;
  /** The only secret key that the API accepts. */
  secretKey: string;
  /** The site's webhook endpoint and its signing secret. */
  webhook: { url: string; secret: string };
  /** The price ids to put into the catalogue. */
  prices: SeededPrices;
  /** A JSON file that keeps the account between runs. */
  persistTo?: string;
};

/**
 * Starts a local Stripe: API, hosted checkout, billing portal, webhooks and, under `/_local`,
 * the controls. It binds the IPv4 loopback only and never starts in production.
 */
export async function startStripeFake(
  options: StripeFakeOptions,
): Promise<{ url: string; reset(): Promise<void>; close(): Promise<void> }> {
  refuseProduction();
  const { port, secretKey, webhook, prices, persistTo } = options;
  const url = `http://127.0.0.1:${port}`;

  const definition = defineEmulator({
    name: "stripe",
    state: emptyState,
    cors: false,
    setup({ app, state, baseUrl, signal, onDispose }) {
      const account = byClockOf(state, () =>
        openAccount(state, { webhook, prices }, { baseUrl, secretKey, signal }),
      );
      onDispose(() => account.deliveries.stop());
      app.use(({ req: { raw: request } }) => byClockOf(state, () => answer(account, request)));
    },
  });
  const emulator = await createEmulator({
    service: definition,
    listen: false,
    baseUrl: url,
    ...(persistTo ? { persistence: filePersistence(persistTo) } : {}),
  });

  const server = serve({
    port,
    hostname: "127.0.0.1",
    async fetch(request: Request, connection: HttpBindings | Http2Bindings) {
      const response = await emulator.fetch(request);
      if (!response.headers.has(refusedConnection)) return withoutKeepAlive(response);
      connection.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    },
  });
  try {
    if (!server.listening) await once(server, "listening");
  } catch (error) {
    await emulator.close();
    throw error;
  }

  return {
    url,
    async reset() {
      const response = await emulator.request("/_local/reset", { method: "POST" });
      if (!response.ok) throw new Error(`The Stripe fake could not reset: ${response.status}`);
      await response.body?.cancel();
    },
    async close() {
      const closed = closeHttpServer(server as Parameters<typeof closeHttpServer>[0]);
      await emulator.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(account: Account, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/v1/")) return answerApi(account, request);
  if (pathname === "/") return Response.redirect(`${account.baseUrl}/_local`, 302);
  if (pathname === "/_local" || pathname.startsWith("/_local/"))
    return answerControl(account, request);
  return answerPage(account, request);
}

/**
 * Closes the connection after each answer: a client that used one again after a restart of the fake would get an
 * error.
 */
function withoutKeepAlive(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set("connection", "close");
  return new Response(response.body, { status: response.status, headers });
}

function refuseProduction(): void {
  if (process.env.NODE_ENV === "production")
    throw new Error("The Stripe fake is for development and tests; it refuses production.");
}
