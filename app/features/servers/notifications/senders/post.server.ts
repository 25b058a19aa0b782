import type { Message, Sent } from "~/features/servers/notifications/channel";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts.server";
import { readBody } from "~/http/body.server";
import { senderSettings } from "../../sender-settings.server";

/** How long a target has for its whole answer. */
const timeoutMs = 10_000;
/** More of an answer is not read. */
const maxBytes = 4 * 1024;

/** The answer of a target. `text` is undefined where it was too long or broke off. `waitMs`: for how long it wants no other. */
export type Answer = { status: number; text: string | undefined; waitMs?: number | undefined };

/**
 * Sends a message's body by POST and reads the answer. A redirect is an answer like any other: it is not followed. Where
 * nothing answers in time, that is what it returns; it never throws.
 */
export async function post(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array<ArrayBuffer>,
): Promise<Answer | Extract<Sent, { ok: false }>> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "LiveKit-Deploy", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const waitMs = retryAfter(response.headers.get("retry-after"));
    return { status: response.status, text: await readBody(response, maxBytes), waitMs };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate
      ? "It did not answer within 10 seconds."
      : "It could not be reached: no connection was made, or it broke off.";
    return { ok: false, retry: true, isUnknown: true, reason };
  }
}

/** The header of RFC 9110: seconds, or a date. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return;
  const ms = /^\d+(\.\d+)?$/.test(header)
    ? Number(header) * 1_000
    : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}

/** How messages call a workspace, and where its pages are. Without facts of it the text says "your workspace". */
export function messageWorkspace(
  env: object,
  facts: WorkspaceFacts | undefined,
): Message["workspace"] {
  const site = `${senderSettings(env)?.SITE_URL ?? ""}/dashboard`;
  return facts
    ? { name: facts.name, address: `${site}/w/${facts.slug}` }
    : { name: "your workspace", address: site };
}
