import { gmailOperations } from "./mail/gmail-operations.server";
import type { Operation, ToolOperations } from "./operation";

/** What each tab of each tool does, by their ids in content/google-tools.ts. */
const operations: Readonly<Record<string, ToolOperations>> = {
  gmail: gmailOperations,
};

export function operationOf(tool: string, tab: string): Operation | undefined {
  if (!Object.hasOwn(operations, tool)) return;
  const ofTool = operations[tool] ?? {};
  return Object.hasOwn(ofTool, tab) ? ofTool[tab] : undefined;
}
