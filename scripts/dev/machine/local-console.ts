import { request } from "node:http";
import { PlainFailure } from "../../lib/terminal.mjs";

type Answer = { status: number; body: string };

/** Posts to the console as a machine does. Names under .localhost are this machine, whatever a resolver says. */
export function askConsole(
  consoleUrl: string,
  path: string,
  credential: string,
  body: string | Uint8Array = "",
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { hostname, host, port } = new URL(consoleUrl);
  return new Promise((resolve, reject) => {
    const sent = request({
      hostname: hostname.endsWith(".localhost") ? "localhost" : hostname,
      port,
      path,
      method: "POST",
      // A connection that has been idle between two reports may be closed as the next is sent.
      agent: false,
      headers: { ...headers, host, authorization: `Bearer ${credential}` },
      timeout: 10_000,
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in ten seconds")));
    sent.on("error", reject);
    sent.on("response", async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    sent.end(body);
  });
}

/** The value of a line `name value` of an answer. */
export function lineOf({ body }: Answer, name: string): string {
  return new RegExp(`^${name} (.*)$`, "m").exec(body)?.[1] ?? "";
}

/** The site that people open, of which this is the console's address for machines. */
export function siteOf(consoleUrl: string): string {
  return consoleUrl.replace("//servers.", "//");
}

/**
 * Fails unless the console is on this machine and answers: a machine that is made up must not appear where people's
 * servers are.
 */
export async function requireLocalConsole(consoleUrl: string): Promise<void> {
  const { hostname } = new URL(consoleUrl);
  if (!/^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)) {
    throw new PlainFailure(
      `These files belong to ${consoleUrl}. npm run machine works with a site on this machine only.`,
    );
  }
  const answer = await askConsole(consoleUrl, "/v1/report", "").catch(() => undefined);
  if (answer?.body.startsWith("livekit-deploy 1")) return;
  throw new PlainFailure(
    answer
      ? `What answers at ${consoleUrl} is no console of this project. Run npm start or npm run dev in another terminal.`
      : `No site answers at ${consoleUrl}. Run npm start or npm run dev in another terminal first.`,
  );
}
