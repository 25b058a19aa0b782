// node outside.ts SETTINGS.json: what a machine asks of the internet, answered inside the proof's own network.
//
// On 443 the certificate authority under the addresses of Let's Encrypt and ZeroSSL, which is pebble's with other paths,
// a registry that can only be read, and a DNS provider. What is posted to hooks.example.com is printed as a line with its token. What is for
// console.example.com is passed on to the socket of the test's servers Worker. With "stun" it also answers LiveKit's
// question for its own address.

import { createSocket } from "node:dgram";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { request as askLocally, type IncomingMessage, type ServerResponse } from "node:http";
import { request as ask, createServer } from "node:https";
import { join } from "node:path";
import { externalAccount } from "./authority.ts";
import { answerZones, digitalOcean } from "./dns-provider.ts";

export interface OutsideSettings {
  keyFile: string;
  certificateFile: string;
  authority: string;
  images: string;
  /** The socket of the program that answers for the console. */
  console: string;
  stun: boolean;
  /** A folder: a file with the name of an authority has the words with which that one limits its certificates. */
  limits: string;
}

const settings: OutsideSettings = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const manifestType = "application/vnd.docker.distribution.manifest.v2+json";

const server = createServer(
  { key: readFileSync(settings.keyFile), cert: readFileSync(settings.certificateFile) },
  (request, response) => {
    const host = request.headers.host ?? "";
    if (host.startsWith("registry-1.docker.io")) registry(request, response);
    else if (host.startsWith("hooks.example.com")) hook(request, response);
    else if (host.startsWith("console.example.com")) passOn(request, response);
    else if (host.startsWith("api.zerossl.com"))
      response.end(JSON.stringify({ success: true, ...externalAccount }));
    else if (host.startsWith("api.digitalocean.com")) digitalOcean(request, response);
    else authority(request, response);
  },
);
server.listen(443, "::", () => console.log("ready"));

/** Pebble makes the addresses in its answers from the name by which it was asked. */
function authority(request: IncomingMessage, response: ServerResponse): void {
  const directories = ["/directory", "/v2/DV90"];
  const path = directories.includes(request.url ?? "") ? "/dir" : request.url;
  const limit = join(settings.limits, request.headers.host ?? "");
  if (path === "/order-plz" && existsSync(limit)) {
    const detail = readFileSync(limit, "utf8");
    response
      .writeHead(429, { "content-type": "application/problem+json" })
      .end(JSON.stringify({ type: "urn:ietf:params:acme:error:rateLimited", detail, status: 429 }));
    return;
  }
  const passed = ask(
    {
      host: "127.0.0.1",
      port: 14000,
      path,
      method: request.method,
      headers: request.headers,
      ca: settings.authority,
      servername: "localhost",
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  passed.on("error", (error) => response.writeHead(502).end(String(error)));
  request.pipe(passed);
}

/** Sockets in the file system lead out of the proof's network, to the test alone. */
function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url: path } = request;
  const passed = askLocally({ socketPath: settings.console, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on("error", (error) => response.writeHead(502).end(String(error)));
  request.pipe(passed);
}

function hook(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { event } = JSON.parse(Buffer.concat(parts).toString());
    console.log(`hook ${event} ${request.headers.authorization}`);
    response.end();
  });
}

function registry(request: IncomingMessage, response: ServerResponse): void {
  const [, name = "", kind, reference = ""] =
    /^\/v2\/([a-z0-9/-]+)\/(manifests|blobs)\/([A-Za-z0-9.:_-]+)$/.exec(request.url ?? "") ?? [];
  if (!kind) {
    response.writeHead(request.url === "/v2/" ? 200 : 404).end();
    return;
  }
  const tagFile = join(settings.images, name, reference);
  const digest = reference.startsWith("sha256:")
    ? reference
    : existsSync(tagFile) && readFileSync(tagFile, "utf8");
  const file = join(settings.images, "blobs", digest || "absent");
  if (!digest || !existsSync(file)) {
    const unknown = { errors: [{ code: "MANIFEST_UNKNOWN", message: "manifest unknown" }] };
    response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(unknown));
    return;
  }
  response.writeHead(200, {
    "content-type": kind === "manifests" ? manifestType : "application/octet-stream",
    "content-length": statSync(file).size,
    "docker-content-digest": digest,
  });
  if (request.method === "HEAD") response.end();
  else createReadStream(file).pipe(response);
}

answerZones();
if (settings.stun) for (const port of [3478, 19302]) answerStun(port);

/** RFC 8489: a binding request is answered with the address that it came from. */
function answerStun(port: number): void {
  const socket = createSocket("udp4");
  socket.on("message", (request, { address, port: from }) => {
    if (request.length < 20 || request.readUInt16BE(0) !== 1) return;
    const answer = Buffer.alloc(32);
    answer.writeUInt16BE(0x0101, 0);
    answer.writeUInt16BE(12, 2);
    request.copy(answer, 4, 4, 20);
    answer.writeUInt16BE(0x0020, 20);
    answer.writeUInt16BE(8, 22);
    answer.writeUInt16BE(1, 24);
    answer.writeUInt16BE(from ^ 0x2112, 26);
    const bytes = address.split(".").map(Number);
    for (const [at, mask] of [0x21, 0x12, 0xa4, 0x42].entries())
      answer.writeUInt8((bytes[at] ?? 0) ^ mask, 28 + at);
    socket.send(answer, from, address);
  });
  socket.bind(port);
}
