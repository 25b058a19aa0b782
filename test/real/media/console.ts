import { createServer } from "node:http";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { startWorker } from "../../../scripts/lib/worker.ts";
import type { World } from "./world/world.ts";

export const consoleUrl = "https://console.example.com";

/** The ports of this project are its machine's own; one is left for the Workers. */
const port = Number(process.env.TEST_PORT_BASE ?? 24700);

/** What one machine says, and is answered, by the shipped servers Worker. */
export async function startConsole() {
  await using started = new AsyncDisposableStack();
  const worker = started.use(
    await startWorker(port, (siteUrl) => exampleVariables({ siteUrl, portBase: port })),
  );
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const requests: { path: string; status: number }[] = [];
  /** Runs while a machine waits for its answer. */
  let beforeAnswer: () => Promise<void> = async () => {};
  let isAway = false;
  const sessions = async () => {
    const [server] = (await fleets.overview(workspace)).servers;
    return server && (await fleets.sessions(workspace, server.id, {}));
  };
  const transferred = started.move();
  return {
    /** Every request with the status of its answer. */
    requests,
    /** The structured log lines of both Workers since the last call. */
    logs: () => JSON.stringify(worker.takeLogs()),
    async newToken(): Promise<string> {
      const request = { workspace, deployment: crypto.randomUUID(), uses: 1, hours: 1 };
      return (await fleets.makeToken(request)).token;
    },
    /** The servers as the dashboard lists them, newest first. */
    servers: async () => (await fleets.overview(workspace)).servers,
    /** The sessions of the newest server, the newest first. */
    sessions: async () => (await sessions())?.sessions ?? [],
    sessionSums: async () => (await sessions())?.days ?? [],
    async session(sid: string) {
      const [server] = (await fleets.overview(workspace)).servers;
      return server && fleets.session(workspace, server.id, sid);
    },
    /** From now on no request is answered. */
    isAway(away: boolean): void {
      isAway = away;
    },
    /** Moves the time of the workspace's servers forward. */
    moveClock: (ms: number) => worker.moveFleetClock(workspace, ms),
    during(action: () => Promise<void>): void {
      beforeAnswer = action;
    },
    /** Answers for console.example.com in that world until the console ends. */
    async answerIn({ consoleSocket }: World): Promise<void> {
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (isAway) return void request.socket.destroy();
        await beforeAnswer();
        const { url: path = "", method = "", headers } = request;
        const { authorization = "", "content-encoding": encoding } = headers;
        const { status, body } = await worker.askServers(path, {
          method,
          headers: { authorization, ...(encoding ? { "content-encoding": encoding } : {}) },
          body: Buffer.concat(chunks),
        });
        requests.push({ path, status });
        response.writeHead(status, { "content-type": "text/plain" }).end(body);
      });
      await new Promise<void>((resolve) => server.listen(consoleSocket, resolve));
      transferred.defer(() => {
        server.closeAllConnections();
        server.close();
      });
    },
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}
