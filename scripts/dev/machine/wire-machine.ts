import { createHash, randomBytes, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { dashed } from "../../../app/http/encodings.ts";
import { PlainFailure } from "../../lib/terminal.mjs";
import { askConsole, lineOf } from "./local-console.ts";

/** A machine that is only its key and its ids: it runs no scripts, and speaks with the console as they do. */
export const wireMachine = z.object({
  name: z.string(),
  machine: z.string(),
  instance: z.string(),
  key: z.string(),
});
export type WireMachine = z.infer<typeof wireMachine>;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const newSecret = () =>
  Array.from(randomBytes(43), (byte) => letters[byte % letters.length]).join("");

/** Connects a new machine with a token. Throws the console's refusal. */
export async function introduce(
  consoleUrl: string,
  token: string,
  name: string,
): Promise<WireMachine> {
  const secret = newSecret();
  const machine = sha256(randomUUID());
  const instance = `i-${randomUUID().slice(0, 13)}`;
  const fields = {
    "key-hash": sha256(secret),
    ...{ machine, instance, name },
  };
  const body = Object.entries(fields).map(([field, value]) => `${field} ${value}\n`);
  const answer = await askConsole(consoleUrl, "/v1/enrol", token, body.join(""));
  if (answer.status !== 200) {
    throw new PlainFailure(`${name} was not connected. ${lineOf(answer, "say")}`);
  }
  const key = `${lineOf(answer, "key-prefix")}${secret}_${lineOf(answer, "key-tag")}`;
  return { name, machine, instance, key };
}

/** The ids of the workspace and of the server in a key. */
export function idsInKey(key: string): { workspace: string; server: string } {
  const [, workspace = "", server = ""] = /^lkd_s_([0-9a-f]{32})_([0-9a-f]{32})_/.exec(key) ?? [];
  return { workspace: dashed(workspace), server: dashed(server) };
}

/** Sends a report, its lines as they are; whether it was taken. */
export async function sendReport(
  consoleUrl: string,
  { key }: WireMachine,
  lines: readonly string[],
): Promise<boolean> {
  const body = gzipSync(`${lines.join("\n")}\n`);
  const packed = { "content-encoding": "gzip" };
  const sent = askConsole(consoleUrl, "/v1/report", key, body, packed);
  const answer = await sent.catch(() => undefined);
  return answer?.status === 200;
}
