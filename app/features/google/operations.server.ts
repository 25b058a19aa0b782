import { gmailOperations } from "./mail/gmail-operations.server";
import { calendarOperations } from "./tools/calendar.server";
import { docsOperations } from "./tools/docs.server";
import type { Operation, ToolOperations } from "./tools/operation";
import { tasksOperations } from "./tools/tasks.server";

/** The operations of each tool by the ids of content/google-tools.ts. */
const operations: Readonly<Record<string, ToolOperations>> = {
  gmail: gmailOperations,
  calendar: calendarOperations,
  tasks: tasksOperations,
  docs: docsOperations,
};

/** The operation of a tab; undefined for a tool or tab that does not exist, since both come from an address. */
export function operationOf(tool: string, tab: string): Operation | undefined {
  if (!Object.hasOwn(operations, tool)) return;
  const ofTool = operations[tool] ?? {};
  return Object.hasOwn(ofTool, tab) ? ofTool[tab] : undefined;
}
