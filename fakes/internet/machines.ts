import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { z } from "zod";
import { certificateOf, localAuthority, newAuthority } from "./authority.ts";

const answer = z.enum(["open", "refused", "silent"]);

/** How a customer's machine at a public address answers; what is left out is well. */
export const machineControl = z.strictObject({
  machine: z.string(),
  https: answer.optional(),
  ice: answer.optional(),
  certificate: z.enum(["trusted", "ending", "ended", "untrusted", "other-name", "none"]).optional(),
  turn: z.enum(["turn", "silent", "website", "other-realm"]).optional(),
});
export type MachineControl = z.output<typeof machineControl>;

const day = 86_400_000;
/** Nothing listens there. */
const closedPort = 1;

/**
 * Customers' machines by their addresses, each of which speaks TLS at 443 to whatever name asks, HTTP and TURN within it, and
 * accepts connections at 7881. A machine that is not known refuses everything.
 */
export class Machines {
  readonly #machines = new Map<string, MachineControl>();
  readonly #servers = new Map<string, { server: Server; sockets: Set<Socket> }>();
  readonly #authority = localAuthority();
  readonly #stranger = newAuthority();

  set(control: MachineControl): void {
    this.#machines.set(control.machine, control);
  }

  /**
   * At which port of this machine that port of `name` is, one that leads to `address`; undefined where nobody ever answers
   * there.
   */
  async portOf(name: string, address: string, port: number): Promise<number | undefined> {
    const machine = this.#machines.get(address);
    const state = machine && { 443: machine.https ?? "open", 7881: machine.ice ?? "open" }[port];
    if (state === "silent") return;
    if (!machine || state !== "open") return closedPort;
    const key = `${name} ${port} ${JSON.stringify(machine)}`;
    const running = this.#servers.get(key)?.server ?? (await this.#start(key, name, port, machine));
    return (running.address() as AddressInfo).port;
  }

  async #start(key: string, name: string, port: number, machine: MachineControl): Promise<Server> {
    const server = port === 443 ? this.#tlsServer(name, machine) : createServer();
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    });
    this.#servers.set(key, { server, sockets });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  }

  /** Workers open what is local by the name `localhost`, which stands for the one that they asked for. */
  #tlsServer(name: string, { certificate = "trusted", turn = "turn" }: MachineControl): Server {
    if (certificate === "none") return createTlsServer({}, () => undefined);
    const ends = certificate === "ended" ? -2 * day : certificate === "ending" ? 2 * day : 60 * day;
    const authority = certificate === "untrusted" ? this.#stranger : this.#authority;
    const contextOf = (hello: string) => {
      const names = certificate === "other-name" ? ["other.example.com"] : [hello, "localhost"];
      return createSecureContext(certificateOf(authority, names, Date.now() + ends));
    };
    const usual = contextOf(name);
    return createTlsServer(
      {
        ...certificateOf(authority, [name, "localhost"], Date.now() + ends),
        SNICallback: (hello, done) => done(null, hello === "localhost" ? usual : contextOf(hello)),
      },
      (socket) => {
        socket.on("error", () => undefined);
        socket.on("data", (chunk: Buffer) => {
          const reply = chunk[0] === 0 ? turnReply(chunk, turn) : httpReply;
          if (reply) socket.write(reply);
        });
      },
    );
  }

  async reset(): Promise<void> {
    this.#machines.clear();
    for (const { server, sockets } of this.#servers.values()) {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
    this.#servers.clear();
  }
}

const httpReply = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nOK";

/** As LiveKit answers an Allocate without credentials: 401 with realm and nonce, in two packets. */
function turnReply(
  request: Buffer,
  turn: NonNullable<MachineControl["turn"]>,
): Buffer | string | undefined {
  if (turn === "silent") return;
  // Caddy passes on to LiveKit what it does not read itself; a web server refuses it.
  if (turn === "website") return "HTTP/1.1 400 Bad Request\r\n\r\n";
  const isAllocate = request.length >= 20 && request.readUInt16BE(0) === 3;
  const isWhole = isAllocate && request.length === 20 + request.readUInt16BE(2);
  const asksForUdp = isWhole && request.subarray(20, 25).equals(Buffer.from([0, 0x19, 0, 4, 17]));
  if (!asksForUdp || request.readUInt32BE(4) !== 0x2112a442) return;
  const attribute = (type: number, value: Buffer) => {
    const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
    padded.writeUInt16BE(type, 0);
    padded.writeUInt16BE(value.length, 2);
    value.copy(padded, 4);
    return padded;
  };
  const attributes = Buffer.concat([
    attribute(0x09, Buffer.from([0, 0, 4, 1, ...Buffer.from("Unauthorized")])),
    attribute(0x15, Buffer.from("5f3a9c0d1e2b4a68")),
    attribute(0x14, Buffer.from(turn === "other-realm" ? "" : "livekit")),
  ]);
  const header = Buffer.alloc(20);
  header.writeUInt16BE(0x113, 0);
  header.writeUInt16BE(attributes.length, 2);
  request.copy(header, 4, 4, 20);
  return Buffer.concat([header, attributes]);
}
