import { randomUUID } from "node:crypto";
import { z } from "zod";

/** As Cloudflare documents them: https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
const dummyToken = "XXXX.DUMMY.TOKEN.XXXX";
export const localSiteKey = "0x4AAAAAAALocalSite";
export const localSecretKey = "0x4AAAAAAALocalSecret";
const validForMs = 300_000;

export const solved = z.object({
  sitekey: z.string(),
  hostname: z.string(),
  action: z.string().default(""),
  cdata: z.string().default(""),
});
type Solved = z.output<typeof solved>;

const verification = z.object({
  secret: z.string().optional(),
  response: z.string().optional(),
  remoteip: z.string().optional(),
  idempotency_key: z.uuid().optional(),
});

type Verdict = { success: boolean; "error-codes": string[] } & Record<string, unknown>;
const no = (code: string, rest: object = {}): Verdict => ({
  success: false,
  "error-codes": [code],
  messages: [],
  ...rest,
});

/** The tokens that widgets were given, and what siteverify says of them. */
export class Tokens {
  #issued = new Map<string, Solved & { at: number; verdict?: Verdict; key?: string | undefined }>();
  #ahead = 0;

  /** The answer of a widget: a token for our own keys, the dummy for Cloudflare's keys for tests. */
  issue(fields: Solved): string | undefined {
    if (/^[13]x0/.test(fields.sitekey)) return dummyToken;
    if (fields.sitekey !== localSiteKey) return;
    const token = `0.${randomUUID()}.${randomUUID()}`;
    this.#issued.set(token, { ...fields, at: this.#now() });
    return token;
  }

  /** `POST /turnstile/v0/siteverify`, of a form or of JSON. */
  verify(body: unknown): Verdict {
    const read = verification.safeParse(body);
    if (!read.success) return no("bad-request");
    const { secret, response, idempotency_key: key } = read.data;
    if (!secret) return no("missing-input-secret");
    if (/^[123]x0{31}AA$/.test(secret)) return this.#verdictOfTestKey(secret, response);
    if (secret !== localSecretKey) return no("invalid-input-secret");
    if (!response) return no("missing-input-response");
    const token = this.#issued.get(response);
    if (!token) return no("invalid-input-response");
    if (token.verdict) {
      return key && key === token.key ? token.verdict : no("timeout-or-duplicate");
    }
    if (this.#now() - token.at > validForMs) return no("timeout-or-duplicate");
    token.key = key;
    token.verdict = {
      success: true,
      "error-codes": [],
      challenge_ts: new Date(token.at).toISOString(),
      hostname: token.hostname,
      action: token.action,
      cdata: token.cdata,
      metadata: { interactive: false },
    };
    return token.verdict;
  }

  advance(seconds: number): void {
    this.#ahead += seconds * 1_000;
  }

  clear(): void {
    this.#issued.clear();
    this.#ahead = 0;
  }

  #now(): number {
    return Date.now() + this.#ahead;
  }

  #verdictOfTestKey(secret: string, response: string | undefined): Verdict {
    const metadata = { result_with_testing_key: true };
    if (!response) return no("missing-input-response", { metadata });
    if (secret.startsWith("2x")) return no("invalid-input-response", { metadata });
    if (secret.startsWith("3x")) return no("timeout-or-duplicate", { metadata });
    const challenge_ts = new Date(this.#now()).toISOString();
    const hostname = "example.com";
    return { success: true, "error-codes": [], challenge_ts, hostname, metadata };
  }
}
