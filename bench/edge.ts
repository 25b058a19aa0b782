import { once } from "node:events";
import { createServer, request } from "node:http";
import { createGzip } from "node:zlib";

const text = /^(text\/|application\/(javascript|json|manifest|xml)|image\/svg)/;

/**
 * Stands where Cloudflare's edge does: it compresses texts on their way to a browser, which workerd
 * does not. Loopback only.
 */
export async function startEdge(siteUrl: string, port: number) {
  const server = createServer((incoming, outgoing) => {
    const { method, url = "/", headers } = incoming;
    const forwarded = request(siteUrl + url, {
      method,
      headers: { ...headers, host: new URL(siteUrl).host },
    });
    forwarded.on("response", (answer) => {
      const compress =
        text.test(answer.headers["content-type"] ?? "") &&
        /\bgzip\b/.test(headers["accept-encoding"]?.toString() ?? "") &&
        answer.statusCode === 200;
      const { "content-length": length, "transfer-encoding": _, ...kept } = answer.headers;
      if (compress) {
        outgoing.writeHead(200, { ...kept, "content-encoding": "gzip", vary: "accept-encoding" });
        answer.pipe(createGzip()).pipe(outgoing);
      } else {
        const size = length ? { "content-length": length } : {};
        outgoing.writeHead(answer.statusCode ?? 502, { ...kept, ...size });
        answer.pipe(outgoing);
      }
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
