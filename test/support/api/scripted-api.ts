import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { openApi } from "../../../app/features/api/openapi.ts";
import { DescribedApi, type Description } from "./described-api.ts";

type Reply = {
  /** Of which addresses; of all that have no reply of their own, where it is left out. */
  at?: RegExp;
  status?: number;
  headers?: Record<string, string>;
  value?: unknown;
  /** In place of a value: whatever is between a program and the site may answer. */
  text?: string;
  /** The connection ends without an answer. */
  isCut?: true;
};
export type Call = { method: string; path: string; headers: Headers; body: unknown };

/** Answers as a test scripts it. A call that the API's description does not have fails the test that makes it. */
export class ScriptedApi implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly wrong: unknown[] = [];
  readonly #api = new DescribedApi(openApi() as Description);
  readonly #replies: Reply[];
  readonly #server = createServer(async (request, response) => {
    const call = await callOf(request);
    this.calls.push(call);
    try {
      this.#api.expectDescribedCall(call.method, call.path, call.headers, call.body);
    } catch (error) {
      this.wrong.push(error);
    }
    const { status = 200, headers, value, text, isCut } = this.#replyTo(call.path) ?? {};
    if (isCut) return request.socket.destroy();
    const type = status < 400 ? "application/json" : "application/problem+json";
    response.writeHead(status, { "content-type": type, ...headers });
    response.end(text ?? (value === undefined ? undefined : JSON.stringify(value)));
  });

  private constructor(replies: readonly Reply[]) {
    this.#replies = [...replies];
  }

  /** The last reply of an address stays. */
  static async replying(...replies: readonly Reply[]): Promise<ScriptedApi> {
    const api = new ScriptedApi(replies);
    await new Promise<void>((resolve) => api.#server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #replyTo(path: string): Reply | undefined {
    const special = this.#replies.filter(({ at }) => at?.test(path));
    const [reply, ...more] =
      special.length > 0 ? special : this.#replies.filter(({ at }) => at === undefined);
    if (reply && more.length > 0) this.#replies.splice(this.#replies.indexOf(reply), 1);
    return reply;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const { method = "", url = "" } = request;
  let text = "";
  for await (const part of request) text += String(part);
  const headers = new Headers(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { method, path: url, headers, body: text ? JSON.parse(text) : undefined };
}
