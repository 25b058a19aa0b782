import { connect } from "cloudflare:sockets";
import * as z from "zod/mini";
import { readBody } from "~/http/body.server";
import { resolveName } from "../public-name.server";
import { certificateEnd, clientHello } from "./client-hello";
import type { PortAnswer, Probes, TurnAnswer } from "./ladder";
import { probeServer } from "./server-probe.server";
import { allocateRequest, readAllocateAnswer } from "./turn-allocate";

const timeoutMs = 5_000;
/** A connection that fails sooner was refused; one that nobody answers fails later than this at Cloudflare. */
const refusedWithinMs = 2_500;
const maxAnswerBytes = 64 * 1024;
const httpsPort = 443;

const variables = z.object({
  SERVER_PROBE_URL: z.optional(z.string()),
  SERVER_SOCKETS_URL: z.optional(z.string()),
});

type Place = { hostname: string; port: number };

/** How a check asks the internet from a Worker: at most three sockets of a check are open at a time. */
export function internetProbes(
  settings: Parameters<typeof resolveName>[0],
  env: object,
): Omit<Probes, "othersAnswer"> {
  const { data = {} } = variables.safeParse(env);
  const at = (name: string, port: number) => placeOf(data.SERVER_SOCKETS_URL, name, port);
  const opened = (name: string, port: number, isSecure: boolean): Promise<PortAnswer> =>
    withSocket(at(name, port), isSecure, async () => "open" as const);
  return {
    resolve: (name) => resolveName(settings, name),
    port: (address, port) => opened(address, port, false),
    tls: (name) => opened(name, httpsPort, true),
    certificateEnd: async (address, name) => {
      const end = await withSocket(at(address, httpsPort), false, async (socket) => {
        const random = crypto.getRandomValues(new Uint8Array(32));
        return exchange(socket, clientHello(name, random), (bytes) => {
          const found = certificateEnd(bytes);
          return found === "more" ? undefined : found;
        });
      });
      return typeof end === "object" ? end.ends : undefined;
    },
    https: (name) => probeServer(data, name),
    turn: (name): Promise<TurnAnswer> =>
      withSocket(at(name, httpsPort), true, async (socket) => {
        const transaction = crypto.getRandomValues(new Uint8Array(12));
        const answer = await exchange(socket, allocateRequest(transaction), (bytes) => {
          const found = readAllocateAnswer(bytes, transaction);
          return found === "more" ? undefined : found;
        });
        return answer ?? "other";
      }),
    now: Date.now,
  };
}

/**
 * Where a port of a server is: there itself. Only tests have SERVER_SOCKETS_URL, which says at which port of this machine a
 * fake of it listens.
 */
async function placeOf(url: string | undefined, name: string, port: number): Promise<Place> {
  // An address of IPv6 is in brackets, as in a URL.
  if (!url) return { hostname: name.includes(":") ? `[${name}]` : name, port };
  const response = await fetch(`${url}/${name}/${port}`);
  return { hostname: "localhost", port: Number(await readBody(response, 100)) };
}

/**
 * Opens a socket, uses it and closes it. Answers `refused` or `silent` where it did not open, or where its use was not
 * over in time. Never throws.
 */
async function withSocket<Answer>(
  place: Promise<Place>,
  isSecure: boolean,
  use: (socket: Socket) => Promise<Answer>,
): Promise<Answer | "refused" | "silent"> {
  const begun = Date.now();
  let socket: Socket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const used = async (): Promise<Answer> => {
    const options = { secureTransport: isSecure ? "on" : "off", allowHalfOpen: false } as const;
    socket = connect(await place, options);
    // It is rejected too where the connection fails, and nobody waits for it.
    socket.closed.catch(() => undefined);
    await socket.opened;
    return use(socket);
  };
  try {
    const using = used();
    using.catch(() => undefined);
    const late = new Promise<"silent">((resolve) => {
      timer = setTimeout(() => resolve("silent"), timeoutMs);
    });
    return await Promise.race([using, late]);
  } catch {
    return Date.now() - begun < refusedWithinMs ? "refused" : "silent";
  } finally {
    clearTimeout(timer);
    socket?.close().catch(() => undefined);
  }
}

/** Sends a question, and reads until `read` answers. Undefined where the other side closes before, or says too much. */
async function exchange<Answer>(
  { readable, writable }: Socket,
  question: Uint8Array,
  read: (bytes: Uint8Array) => Answer | undefined,
): Promise<Answer | undefined> {
  const writer = writable.getWriter();
  await writer.write(question);
  let bytes = new Uint8Array();
  for await (const chunk of readable as ReadableStream<Uint8Array>) {
    const longer = new Uint8Array(bytes.length + chunk.length);
    longer.set(bytes);
    longer.set(chunk, bytes.length);
    bytes = longer;
    const answer = read(bytes);
    if (answer !== undefined || bytes.length > maxAnswerBytes) return answer;
  }
}
