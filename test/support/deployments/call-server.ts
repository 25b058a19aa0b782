import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";

export const callKey = "APIabcdefghijkl";
export const callSecret = "s".repeat(44);

/** What a browser needs to have, so that `domain` is at `port` of this machine, and a microphone is there. */
export function callFlags(domain: string, port: number, ...more: string[]): string[] {
  return [`--host-resolver-rules=MAP ${domain}:443 127.0.0.1:${port}`, ...more];
}

/** A microphone that beeps, and a person who allows it. */
export const fakeMicrophone = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

type Listening = AsyncDisposable & { port: number };

/** TLS in front of a LiveKit server at a port, as Caddy has it. */
export async function startTls(target: number): Promise<Listening> {
  const folder = mkdtempSync(join(tmpdir(), "call-server-"));
  const { status, stderr } = spawnSync(
    "openssl",
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -keyout key.pem -out certificate.pem -subj /CN=call".split(
      " ",
    ),
    { cwd: folder, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  const [key, cert] = ["key.pem", "certificate.pem"].map((file) =>
    readFileSync(join(folder, file)),
  );
  rmSync(folder, { recursive: true });
  const open = new Set<Socket>();
  const server = createTlsServer({ key, cert, ALPNProtocols: ["http/1.1"] }, (browser) => {
    const livekit = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [browser, livekit],
      [livekit, browser],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => open.delete(from));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

type Signed = { exp?: number; video: Record<string, unknown> };

/** What a token says that LiveKit v1.13 takes; for any other why it refuses it, in its words. */
export function claimsIfSigned(
  token: string,
  { key, secret }: { key: string; secret: string },
): Signed | string {
  const [head = "", body = "", signature] = token.split(".");
  if (!signature) return "invalid authorization token";
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  if (claims.iss !== key) return `invalid API key: ${claims.iss}`;
  const expected = createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url");
  if (signature !== expected) {
    return `invalid token: ${token}, error: token signature is invalid: signature is invalid`;
  }
  if (claims.exp * 1_000 > Date.now()) return claims;
  return "invalid authorization token: token has invalid claims: token is expired";
}

/**
 * What a LiveKit server answers before it lets somebody join: it refuses tokens as `npm run proof:real call` sees a
 * real one refuse them. Nobody can join: to whom it would let in it answers as a server behind a proxy that lost it.
 */
export async function startRefusingServer(): Promise<Listening> {
  const tokenOf = ({ url = "" }: IncomingMessage) =>
    new URL(url, "http://livekit").searchParams.get("access_token") ?? "";
  const answerTo = (request: IncomingMessage) => {
    const refusal = claimsIfSigned(tokenOf(request), { key: callKey, secret: callSecret });
    if (typeof refusal === "string") return { status: 401, body: refusal };
    return { status: 502, body: "Bad Gateway" };
  };
  const server = createServer((request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    // Our browsers send a header of the tests' own with each request, so they ask before.
    if (request.method === "OPTIONS") return response.writeHead(204, cors).end();
    const { status, body } = answerTo(request);
    response.writeHead(status, cors).end(body);
  });
  server.on("upgrade", (request, socket) => {
    const { status, body } = answerTo(request);
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tls = await startTls((server.address() as AddressInfo).port);
  return {
    port: tls.port,
    async [Symbol.asyncDispose]() {
      await tls[Symbol.asyncDispose]();
      server.close();
      await once(server, "close");
    },
  };
}
