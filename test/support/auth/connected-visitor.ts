import { beforeAll, beforeEach, expect } from "vitest";
import { callTool } from "../google/google-account.ts";
import { connectedVisitor, steerGoogle } from "../google/google-tools.ts";
import { resetFakes } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";

/**
 * One visitor for the whole file who has connected these tools. Before each test Google has no data, no
 * faults and an empty log. Answers how the visitor uses a tool: `calendar/create` and the form's fields.
 */
export function oneConnectedVisitor(...tools: readonly string[]) {
  let visitor: Visitor | undefined;
  beforeAll(async () => {
    await resetFakes();
    visitor = await connectedVisitor(...tools);
  });
  beforeEach(async () => {
    await steerGoogle("requests/clear");
    await steerGoogle("faults/clear");
    await steerGoogle("data/clear");
  });
  return (path: string, fields: Record<string, string>) => {
    if (!visitor)
      throw new Error("The visitor signs in before the file's first test, not earlier.");
    return callTool(visitor, path, fields);
  };
}

/** What a person reads when a tool has done its work. */
export const success = "Operation completed successfully!";

/** The headers that every call of Google's API must carry. */
export const sent = expect.objectContaining({
  authorization: expect.stringMatching(/^Bearer google_[\w-]+$/),
  accept: "application/json",
});

/** The headers of a call with a body. */
export const sentJson = expect.objectContaining({
  authorization: expect.stringMatching(/^Bearer google_[\w-]+$/),
  "content-type": "application/json",
});
