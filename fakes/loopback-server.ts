import type { IncomingMessage } from "node:http";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";

export interface LoopbackServer {
  url: string;
  close(): Promise<void>;
}

/**
 * How long an idle connection is kept: longer than workerd keeps one (5 seconds). A request on a connection that this
 * side closes at the same moment would be lost, and the site would take that for an outage.
 */
const keepAliveTimeout = 60_000;

/** Serves `handle` on 127.0.0.1 only, and ends open connections when it closes. */
export function serveOnLoopback(
  port: number,
  handle: (request: Request, incoming: IncomingMessage) => Response | Promise<Response>,
): Promise<LoopbackServer> {
  return new Promise((resolve, reject) => {
    const server = serve(
      {
        port,
        hostname: "127.0.0.1",
        overrideGlobalObjects: false,
        serverOptions: { keepAliveTimeout },
        fetch: (request, bindings: HttpBindings | Http2Bindings) =>
          handle(request, bindings.incoming as IncomingMessage),
      },
      (address) => {
        server.off("error", reject);
        resolve({
          url: `http://127.0.0.1:${address.port}`,
          close: () =>
            new Promise((closed) => {
              server.close(() => closed());
              if ("closeAllConnections" in server) server.closeAllConnections();
            }),
        });
      },
    );
    server.once("error", reject);
  });
}
