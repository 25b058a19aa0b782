import * as z from "zod/mini";
import { Failure, type Terminal, UsageError } from "../command.ts";
import { version } from "../package.json" with { type: "json" };
import { problemIn, Refusal } from "./refusal.ts";
import { retryAfterMs } from "./retry-after.ts";

export const apiHelp = `The token is in LIVEKIT_DEPLOY_TOKEN and nowhere else: an argument would be seen by
everybody on the machine. Owners and admins make one on the page API tokens of the
workspace. LIVEKIT_DEPLOY_URL is the address of the site; --url says another one.`;

export const apiOptions = { url: { type: "string" }, json: { type: "boolean" } } as const;

/** How long a call is tried again, and how long one try may take. */
const defaultRetryMs = 2 * 60_000;
const timeoutMs = 30_000;
/** Pauses before the next try, where the site does not ask for longer ones. */
const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000];

type Sent = {
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** How long it is tried again. */
  retryMs?: number;
};
type Answer<Value> = { value: Value; etag: string };
type Attempt =
  | { response: Response; text: string }
  | { failure: Failure; isFinal: boolean; waitMs?: number };

/** Calls the API of a workspace, and tries again what may succeed later. Throws a Failure where it does not. */
export class Api {
  readonly #terminal: Terminal;
  readonly #origin: string;
  readonly #token: string;
  /** The last answer at an address, for `If-None-Match`. */
  readonly #seen = new Map<string, { etag: string; text: string }>();

  constructor(terminal: Terminal, url: string | undefined) {
    const { LIVEKIT_DEPLOY_URL, LIVEKIT_DEPLOY_TOKEN } = terminal.environment;
    this.#terminal = terminal;
    this.#origin = originOf(url ?? LIVEKIT_DEPLOY_URL);
    this.#token = tokenOf(LIVEKIT_DEPLOY_TOKEN);
  }

  async get<Value>(path: string, schema: z.ZodMiniType<Value>, retryMs = defaultRetryMs) {
    const seen = this.#seen.get(path);
    const headers: Record<string, string> = seen ? { "if-none-match": seen.etag } : {};
    const { response, text } = await this.#call("GET", path, { headers, retryMs });
    if (response.status === 304 && seen) return this.#read(seen.text, schema, response);
    const etag = response.headers.get("etag");
    if (etag !== null) this.#seen.set(path, { etag, text });
    return this.#read(text, schema, response);
  }

  async send<Value>(
    method: "POST" | "PUT",
    path: string,
    schema: z.ZodMiniType<Value>,
    sent: Sent,
  ): Promise<Answer<Value>> {
    const { response, text } = await this.#call(method, path, sent);
    return this.#read(text, schema, response);
  }

  #read<Value>(text: string, schema: z.ZodMiniType<Value>, { headers }: Response): Answer<Value> {
    const read = schema.safeParse(JSON.parse(text));
    if (read.success) return { value: read.data, etag: headers.get("etag") ?? "" };
    throw new Failure(
      `${this.#origin} answers in a form that this program does not know. Download it again: ${this.#origin}/livekit-deploy.mjs.`,
    );
  }

  async #call(method: string, path: string, sent: Sent) {
    const { now, pause, complain, signal } = this.#terminal;
    const until = now() + (sent.retryMs ?? defaultRetryMs);
    for (let tries = 0; ; tries += 1) {
      const attempt = await this.#attempt(method, path, sent);
      signal.throwIfAborted();
      if ("response" in attempt) return attempt;
      const { failure, isFinal, waitMs: requested = 0 } = attempt;
      if (isFinal) throw failure;
      const waitMs = Math.max(requested, backoffMs[Math.min(tries, backoffMs.length - 1)] ?? 0);
      if (now() + waitMs > until) {
        const wish = requested > 0 ? ` It asks to wait ${seconds(requested)}.` : "";
        throw new Failure(
          `${failure.message}${wish} Given up after ${tries === 0 ? "one try" : `${tries + 1} tries`}.`,
        );
      }
      complain(`${failure.message} Trying again in ${seconds(waitMs)}.\n`);
      await pause(waitMs);
    }
  }

  async #attempt(method: string, path: string, { body, headers = {} }: Sent): Promise<Attempt> {
    const url = `${this.#origin}/api/v1${path}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          "user-agent": `livekit-deploy/${version}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // The token is for this site and for none that it may lead to.
        redirect: "manual",
        signal: AbortSignal.any([this.#terminal.signal, AbortSignal.timeout(timeoutMs)]),
      });
      text = await response.text();
    } catch (error) {
      return this.#notReached(error);
    }
    return this.#judged(response, text);
  }

  #judged(response: Response, text: string): Attempt {
    const { status, headers } = response;
    if (status === 304) return { response, text };
    const type = headers.get("content-type")?.split(";")[0];
    if (status < 300 && type === "application/json") return { response, text };
    if (status >= 300 && status < 400) {
      const target = headers.get("location") ?? "elsewhere";
      const message = `${this.#origin} leads to ${target}, where the token is not sent. Is LIVEKIT_DEPLOY_URL right?`;
      return { failure: new Failure(message), isFinal: true };
    }
    const problem = type === "application/problem+json" ? problemIn(text) : undefined;
    const isTemporary = status === 429 || status >= 500 || problem?.code === "in-progress";
    const waitMs = retryAfterMs(headers.get("retry-after"), this.#terminal.now());
    const failure = problem
      ? new Refusal(problem)
      : new Failure(`${this.#origin} answers ${status}, and not as the API does.`);
    return { failure, isFinal: !isTemporary, ...(waitMs === undefined ? {} : { waitMs }) };
  }

  #notReached(error: unknown): Attempt {
    const { name, code } = causeOf(error);
    const reason = name === "TimeoutError" ? "no answer within 30 seconds" : code;
    return {
      failure: new Failure(`${this.#origin} is not reached${reason ? ` (${reason})` : ""}.`),
      // A certificate that is wrong now is wrong in a minute.
      isFinal: /CERT|SSL|TLS|SIGNATURE/.test(code),
    };
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;

const caused = z.object({ code: z.string() });

function causeOf(error: unknown): { name: string; code: string } {
  if (!(error instanceof Error)) return { name: "", code: "" };
  const cause = caused.safeParse(error.cause);
  return { name: error.name, code: cause.success ? cause.data.code : "" };
}

function originOf(url: string | undefined): string {
  if (!url) throw new UsageError("Set LIVEKIT_DEPLOY_URL to the address of the site.");
  if (!URL.canParse(url)) throw new UsageError(`${JSON.stringify(url)} is no address of a site.`);
  const parsed = new URL(url);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(parsed.hostname);
  if (parsed.protocol !== "https:" && !(parsed.protocol === "http:" && isLocal)) {
    throw new UsageError(`${url}: a token is sent by https only.`);
  }
  return parsed.origin;
}

function tokenOf(token: string | undefined): string {
  if (!token) throw new UsageError("Set LIVEKIT_DEPLOY_TOKEN to a token of the workspace.");
  // What is of another form is perhaps another secret, which is nobody's business at the site.
  if (/^lkd_w_[0-9A-Za-z]{43}$/.test(token)) return token;
  throw new Failure(
    "What is in LIVEKIT_DEPLOY_TOKEN is no token of a workspace: one is lkd_w_ and 43 letters and digits.",
  );
}
