import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { openEmptyDatabase } from "../../../fakes/supabase/database/empty-database.ts";

const askForTls = 80_877_103;

/**
 * PostgreSQL on 127.0.0.1 at a port of its own, for programs that speak its wire protocol.
 * One connection at a time, without TLS; any password will do.
 */
export async function startPostgres() {
  const database = await openEmptyDatabase();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
    serve(socket).catch(() => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port was given.");

  async function serve(socket: Socket): Promise<void> {
    let rest = Buffer.alloc(0);
    let hasStarted = false;
    for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk]);
      // A message is a type, absent in the first, and a length that counts itself.
      for (let start = hasStarted ? 1 : 0; rest.length >= start + 4; start = hasStarted ? 1 : 0) {
        const end = start + rest.readUInt32BE(start);
        if (rest.length < end) break;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (!hasStarted && message.readUInt32BE(4) === askForTls) {
          socket.write("N");
          continue;
        }
        hasStarted = true;
        socket.write(await database.execProtocolRaw(new Uint8Array(message)));
      }
    }
  }

  return {
    url: `postgresql://postgres:secret@127.0.0.1:${address.port}/postgres`,
    database,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await database.close();
    },
  };
}
