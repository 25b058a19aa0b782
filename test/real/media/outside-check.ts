// node outside-check.ts ROOTS.pem DOMAIN ADDRESS: a check as the servers Worker runs it, by the sockets of Node. Prints what
// each rung came to, as JSON.
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import {
  certificateEnd,
  clientHello,
} from "../../../app/features/deployments/checks/client-hello.ts";
import { climb, type PortAnswer } from "../../../app/features/deployments/checks/ladder.ts";
import {
  allocateRequest,
  readAllocateAnswer,
} from "../../../app/features/deployments/checks/turn-allocate.ts";

const [roots = "", domain = "", address = ""] = process.argv.slice(2);
const ca = readFileSync(roots, "utf8");
const timeoutMs = 5_000;

const plain = (host: string, port: number) => connectPlain({ host, port });
const secure = (name: string) =>
  connectTls({ host: name, port: 443, servername: name, ca: [ca], minVersion: "TLSv1.2" });

async function opened(socket: Socket, event: "connect" | "secureConnect"): Promise<PortAnswer> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(timeoutMs) });
    return "open";
  } catch (error) {
    return (error as Error).name === "AbortError" ? "silent" : "refused";
  } finally {
    socket.destroy();
  }
}

/** What `read` makes of what is answered; undefined where nothing came of it. */
async function exchange<Answer>(
  socket: Socket,
  question: Uint8Array,
  read: (bytes: Uint8Array) => Answer | undefined,
): Promise<Answer | undefined> {
  socket.setTimeout(timeoutMs, () => socket.destroy());
  socket.write(question);
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    const answer = read(bytes);
    if (answer !== undefined) return answer;
  }
}

const results = await climb(
  { domain, turn: `turn.${domain}`, addresses: [address], readsCertificate: true },
  {
    resolve: async (name) => {
      const found = await lookup(name, { all: true, family: 4 }).catch(() => []);
      const addresses = found.map((each) => each.address);
      return { target: addresses.length > 0 ? "public" : "none", addresses };
    },
    port: (host, port) => opened(plain(host, port), "connect"),
    tls: (name) => opened(secure(name), "secureConnect"),
    certificateEnd: async (host, name) => {
      const end = await exchange(plain(host, 443), clientHello(name, randomBytes(32)), (bytes) => {
        const found = certificateEnd(bytes);
        return found === "more" ? undefined : found;
      });
      return typeof end === "object" ? end.ends : undefined;
    },
    https: (name) =>
      new Promise((resolve) => {
        get({ host: name, path: "/", ca, timeout: timeoutMs }, async (response) => {
          const [body = ""] = await response.map(String).toArray();
          resolve(response.statusCode === 200 && body === "OK" ? "livekit" : "other");
        }).on("error", ({ message }) =>
          resolve(/certificate|issuer/i.test(message) ? "certificate" : "nothing"),
        );
      }),
    turn: async (name) => {
      const transaction = randomBytes(12);
      try {
        const answer = await exchange(secure(name), allocateRequest(transaction), (bytes) => {
          const found = readAllocateAnswer(bytes, transaction);
          return found === "more" ? undefined : found;
        });
        return answer ?? "other";
      } catch {
        return "refused";
      }
    },
    othersAnswer: async () => true,
    now: Date.now,
  },
);
console.log(JSON.stringify(results));
