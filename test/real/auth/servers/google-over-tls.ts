import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTls } from "node:https";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerTextProvider, type SendText, textProviders } from "./text-providers.ts";

const googles = ["accounts.google.com", "oauth2.googleapis.com", "www.googleapis.com"];

/**
 * Leads the auth server's requests to Google's fake, and those to providers of texts to `sendText`: Google's addresses are
 * fixed in its code, and it asks them over TLS. So it gets this proxy, and an authority to trust that was made for this run.
 * `documents` are what further hosts answer to everything, such as an identity provider's metadata. The proxy leads to
 * nowhere else: whatever the server asks of the internet fails.
 */
export async function startGoogleOverTls(
  port: number,
  googleUrl: string,
  sendText: SendText,
  documents: Readonly<Record<string, string>> = {},
) {
  const hosts = [...googles, ...textProviders, ...Object.keys(documents)];
  const folder = mkdtempSync(join(tmpdir(), "real-google-"));
  const { key, cert } = certificate(folder, hosts);
  const tls = createTls({ key, cert }, (request, response) => {
    const { host = "" } = request.headers;
    const document = documents[host];
    if (document !== undefined) return response.end(document);
    const answered = textProviders.includes(host)
      ? answerTextProvider(request, response, sendText)
      : answer(request, response, googleUrl);
    answered.catch(() => response.destroy());
  });
  const proxy = createHttp((_, response) => response.writeHead(403).end());
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => undefined);
    const [host = ""] = (request.url ?? "").split(":");
    if (!hosts.includes(host)) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    tls.emit("connection", socket);
  });
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  return {
    /** What the auth server's environment needs. */
    environment: {
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      SSL_CERT_FILE: join(folder, "cert.pem"),
    },
    folder,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function certificate(folder: string, hosts: readonly string[]): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = hosts.map((host) => `DNS:${host}`).join(",");
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=Google's fake"],
    ...["-addext", `subjectAltName=${names}`],
  ]);
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`);
  // The server in a container is another user. The key is readable to ours alone.
  chmodSync(folder, 0o755);
  chmodSync(cert, 0o644);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  googleUrl: string,
): Promise<void> {
  if (request.url === "/.well-known/openid-configuration") {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(discovery));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { "content-type": type, authorization } = request.headers;
  // Google's own name for what the fake serves under another.
  const path = (request.url ?? "/").replace("/userinfo/v2/me", "/oauth2/v2/userinfo");
  const answer = await fetch(googleUrl + path, {
    method: request.method ?? "GET",
    headers: { ...(type && { "content-type": type }), ...(authorization && { authorization }) },
    body: chunks.length > 0 ? Buffer.concat(chunks) : null,
  });
  response.writeHead(answer.status, {
    "content-type": answer.headers.get("content-type") ?? "application/json",
  });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** https://accounts.google.com/.well-known/openid-configuration, as far as the auth server reads it. */
const discovery = {
  issuer: "https://accounts.google.com",
  authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
  token_endpoint: "https://oauth2.googleapis.com/token",
  userinfo_endpoint: "https://www.googleapis.com/oauth2/v2/userinfo",
  jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
};
