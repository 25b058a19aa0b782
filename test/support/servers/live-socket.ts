import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";

// A page's socket as bytes on a connection: the close frame itself is seen when it arrives, and any origin can be said.

const [textFrame, closeFrame] = [1, 8];

type Upgrade = { status: number; stream: Duplex | undefined };

async function ask(
  siteUrl: string,
  ticket: string,
  headers: Record<string, string>,
): Promise<Upgrade> {
  const { hostname, port, origin } = new URL(siteUrl);
  const sent = request({
    ...{ hostname, port, path: "/v1/live", agent: false },
    headers: {
      host: `servers.localhost:${port}`,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": Buffer.from("a page of a test").toString("base64"),
      "sec-websocket-protocol": ["livekit-deploy-live", ticket].filter(Boolean).join(", "),
      origin,
      ...headers,
    },
  });
  const answer = Promise.withResolvers<Upgrade>();
  sent.once("error", answer.reject);
  sent.once("response", (response: IncomingMessage) => {
    response.resume();
    answer.resolve({ status: response.statusCode ?? 0, stream: undefined });
  });
  sent.once("upgrade", (response: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.unshift(head);
    answer.resolve({ status: response.statusCode ?? 0, stream });
  });
  sent.end();
  return answer.promise;
}

/** The status with which a page of the site that asks for a socket with this ticket is answered. */
export async function askForSocket(
  siteUrl: string,
  ticket: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { status, stream } = await ask(siteUrl, ticket, headers);
  stream?.destroy();
  return status;
}

/** Opens a socket as a page of the site does. */
export async function openSocket(siteUrl: string, ticket: string): Promise<LiveSocket> {
  const { status, stream } = await ask(siteUrl, ticket, {});
  if (!stream) throw new Error(`No socket was opened: ${status}`);
  return new LiveSocket(stream);
}

export class LiveSocket {
  readonly #stream: Duplex;
  readonly #frames: AsyncGenerator<Frame>;

  constructor(stream: Duplex) {
    this.#stream = stream;
    this.#frames = framesOf(stream);
  }

  /** The next text that arrives. */
  async next(): Promise<string> {
    const { kind, payload } = await this.#next();
    if (kind !== textFrame) throw new Error(`A frame of kind ${kind} arrived instead of a text`);
    return payload.toString();
  }

  /** The code with which the other side closes. Texts before it are passed over. */
  async ended(): Promise<number> {
    for (;;) {
      const { kind, payload } = await this.#next();
      if (kind !== closeFrame) continue;
      this.#stream.destroy();
      return payload.readUInt16BE();
    }
  }

  send(text: string): void {
    this.#write(textFrame, Buffer.from(text));
  }

  /** Begins the end, and waits until the other side has answered it. */
  async close(): Promise<void> {
    this.#write(closeFrame, Buffer.from([0x03, 0xe8]));
    await this.ended();
  }

  async #next(): Promise<Frame> {
    const { done, value } = await this.#frames.next();
    if (done) throw new Error("The connection ended without a close frame");
    return value;
  }

  #write(kind: number, payload: Buffer): void {
    // A mask of zeros is one, and leaves the payload as it is.
    const mask = Buffer.alloc(4);
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(payload.length));
    const head = Buffer.from([0x80 | kind, 0x80 | 127]);
    this.#stream.write(Buffer.concat([head, long, mask, payload]));
  }
}

type Frame = { kind: number; payload: Buffer };

async function* framesOf(stream: Duplex): AsyncGenerator<Frame> {
  let left = Buffer.alloc(0);
  let isOver = false;
  stream.once("close", () => {
    isOver = true;
  });
  stream.on("error", () => undefined);
  const take = async (length: number): Promise<Buffer | undefined> => {
    while (left.length < length) {
      const chunk: Buffer | null = stream.read();
      if (chunk) left = Buffer.concat([left, chunk]);
      else if (isOver || stream.readableEnded) return;
      else await Promise.race([once(stream, "readable"), once(stream, "close")]);
    }
    const message = left.subarray(0, length);
    left = left.subarray(length);
    return message;
  };
  for (;;) {
    const head = await take(2);
    if (!head) return;
    const [first = 0, short = 0] = head;
    const extended = short === 126 ? await take(2) : undefined;
    const payload = await take(extended?.readUInt16BE() ?? short);
    if (!payload) return;
    yield { kind: first & 0x0f, payload: Buffer.from(payload) };
  }
}
