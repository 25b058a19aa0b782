import { notSignedIn } from "~/features/auth/session/sign-in-problems";
import type { ConnectAnswer, ConnectionView, Disconnected } from "../connection/connection-view";
import { type Outcome, unsure } from "../tools/operation";

const connectionPath = "/google-services/connection";

const noAnswer = "The site did not answer. Check your connection and try again.";

export type ReadConnection = { ok: true; view: ConnectionView } | { ok: false; message: string };

/** What is connected, as the server knows it. */
export async function readConnection(signal: AbortSignal): Promise<ReadConnection> {
  const answer = await json<ConnectionView & { error?: string }>(connectionPath, { signal });
  if (answer && !answer.error) return { ok: true, view: answer };
  return { ok: false, message: answer?.error ?? noAnswer };
}

/** Where Google asks for the permissions of a tool. */
export async function askToConnect(tool: string, tab: string): Promise<ConnectAnswer> {
  const body = new URLSearchParams({ intent: "connect", tool, tab });
  const answer = await json<ConnectAnswer>(connectionPath, { method: "POST", body });
  return answer ?? { error: noAnswer };
}

/** Takes the permissions back. Google may not hear of it: then there is an error, and no connection. */
export async function disconnect(): Promise<Disconnected> {
  const body = new URLSearchParams({ intent: "disconnect" });
  const answer = await json<Disconnected>(connectionPath, { method: "POST", body });
  return answer ?? { isDisconnected: false, error: noAnswer };
}

/** Posts to the operation of a tab. Whatever happens on the way is an outcome too. */
export async function callTool(
  { tool, tab }: { tool: string; tab: string },
  fields: URLSearchParams,
): Promise<Outcome> {
  const answer = await json<Outcome | { error: string }>(`/google-services/call/${tool}/${tab}`, {
    method: "POST",
    body: fields,
  });
  if (answer && "ok" in answer) return answer;
  return { ok: false, status: 503, message: answer?.error ?? unsure };
}

/** Whether going on takes signing in again. */
export function isSignedOut(message: string): boolean {
  return message === notSignedIn;
}

/** The JSON of an answer, whatever its status; undefined without one. */
async function json<Answer>(path: string, init: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(path, init);
    return (await response.json()) as Answer;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return undefined;
  }
}
