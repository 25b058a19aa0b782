import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";

export type ConsoleRequest = { path: string; credential: string; body: string };
/** `page`: what somebody else answers in the console's place. */
type Answer =
  | { status: number; lines: readonly string[] }
  | { page: string | Uint8Array; status?: number }
  | "breaks-off";

/** The console as a machine sees it. Each request is answered by `answer`, and kept. `at` is its own address. */
export async function startConsole(
  answer: (request: ConsoleRequest) => Answer,
  at: "127.0.0.1" | "::1" = "127.0.0.1",
) {
  const requests: ConsoleRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const isPacked = request.headers["content-encoding"] === "gzip";
    const received = {
      // A proxy is asked for the whole address.
      path: request.url ?? "",
      credential: (request.headers.authorization ?? "").replace(/^Bearer /, ""),
      body: (isPacked ? gunzipSync(bytes) : bytes).toString("latin1"),
    };
    requests.push(received);
    const reply = answer(received);
    if (reply === "breaks-off") return void request.socket.destroy();
    if ("page" in reply) return void response.writeHead(reply.status ?? 200).end(reply.page);
    response.writeHead(reply.status, { "content-type": "text/plain" });
    response.end(["livekit-deploy 1", ...reply.lines, ""].join("\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, at, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  return {
    url: `http://${at === "::1" ? "[::1]" : at}:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
