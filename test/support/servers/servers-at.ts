import { request } from "node:http";
import type { Servers } from "./machine.ts";

/** The servers Worker behind a running site, which passes on what is for the hostname of SERVERS_URL. */
export function serversAt(siteUrl: string): Servers {
  const { hostname, port } = new URL(siteUrl);
  return {
    askServers: (path, { method, headers, body }) =>
      new Promise((resolve, reject) => {
        const host = `servers.localhost:${port}`;
        // Each has a connection of its own: workerd closes an idle one after five seconds, as a request may arrive.
        const sent = request({
          ...{ hostname, port, path, method, agent: false },
          headers: { ...headers, host },
        });
        sent.on("error", reject);
        sent.on("response", async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
        });
        sent.end(body);
      }),
  };
}
