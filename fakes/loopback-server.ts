import type { IncomingMessage } from "node:http";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";

export interface LoopbackServer {
  url: string;
  close(): Promise<void>;
}

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
