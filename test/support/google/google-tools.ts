import type { ReceivedRequest } from "../../../fakes/google/request-log.ts";
import { fakes } from "../site/control-fakes.ts";
import { signedIn, type Visitor } from "../site/visitor.ts";
import { connectGoogle } from "./google-account.ts";
import { googleControl, googleEmail, googleRequests } from "./google-fake.ts";

/** Somebody who is signed in and has connected these tools, without a browser. */
export async function connectedVisitor(...tools: readonly string[]): Promise<Visitor> {
  const visitor = await signedIn(googleEmail);
  for (const tool of tools) await connectTool(visitor, tool);
  return visitor;
}

/** Gives Google's permissions for a tool, in addition to those that were given before. */
export async function connectTool(visitor: Visitor, tool: string): Promise<void> {
  const end = await connectGoogle(visitor, { tool, tab: "create" });
  if (end.searchParams.has("problem")) throw new Error(`No connection: ${end.search}`);
}

/** Uses a control of this run's Google fake. */
export function steerGoogle(path: string, body: object = {}): Promise<void> {
  return googleControl(fakes().google.url, path, body);
}

/** What this run's Google fake was asked since the last `requests/clear`. */
export function googleRequestLog(): Promise<ReceivedRequest[]> {
  return googleRequests(fakes().google.url);
}
