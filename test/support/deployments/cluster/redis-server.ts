import { createServer, type Socket } from "node:net";
import { listeningPort } from "./listening-port.ts";

/**
 * As much of Redis as cluster.py speaks to. It refuses what Redis refuses: everything before the password, and everything
 * but the password while it loads its data.
 */
export async function redisServer(password: string) {
  const data = new Map<string, string>();
  const sockets = new Set<Socket>();
  const state = { loading: false, secondsAhead: 0, asked: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let isIn = false;
    let unread = "";
    const bulk = (text: string | undefined) =>
      text === undefined ? "$-1\r\n" : `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
    const answer = ([name = "", ...words]: string[]): string => {
      if (name === "AUTH") {
        isIn = words.join(" ") === password;
        if (!isIn) return "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
        return "+OK\r\n";
      }
      if (!isIn) return "-NOAUTH Authentication required.\r\n";
      if (state.loading) return "-LOADING Redis is loading the dataset in memory\r\n";
      state.asked++;
      if (name === "TIME") {
        const now = Date.now() / 1_000 + state.secondsAhead;
        return `*2\r\n${bulk(String(Math.floor(now)))}${bulk("0")}`;
      }
      const [key = "", value = "", ...how] = words;
      if (name !== "SET" || how.join(" ") !== "NX GET") return "-ERR syntax error\r\n";
      const before = data.get(key);
      if (before === undefined) data.set(key, value);
      return bulk(before);
    };
    socket.on("data", (chunk) => {
      unread += chunk.toString("latin1");
      for (;;) {
        const found = /^\*(\d+)\r\n((?:\$\d+\r\n[^\r]*\r\n)*)/.exec(unread);
        const words = found?.[2]?.split("\r\n").filter((_, index) => index % 2 === 1) ?? [];
        if (!found || words.length < Number(found[1])) return;
        unread = unread.slice(found[0].length);
        socket.write(answer(words));
      }
    });
  });
  const port = await listeningPort(server);
  return {
    port,
    state,
    /** As after a loss of its disk. */
    empty: () => data.clear(),
    /** As a process that ends: its connections break, and new ones find nobody. */
    async leave() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async comeBack() {
      await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await this.leave();
    },
  };
}
