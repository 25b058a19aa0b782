import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ToolTab } from "~/content/google-tools";
import tools from "~/content/google-tools.json" with { type: "json" };
import type { RowState } from "~/features/google/mail/merge-run";
import { MergeRun } from "~/features/google/results/merge-run.client";

/** What a person sees of a merge of two messages. */
function viewOf(rowStates: Record<number, RowState>) {
  const found = tools.find(({ id }) => id === "gmail")?.tabs.find(({ id }) => id === "merge");
  if (!found) throw new Error("No tab for a mail merge");
  const tab: ToolTab = { ...found, fields: [], call: { ...found.call, method: "POST" } };
  const unused = () => Promise.reject(new Error("Nothing is asked"));
  const merge = {
    template: { to: "{{email}}", subject: "Hello", body: "Hello" },
    table: "email\na@example.com\nb@example.com",
    email: "customer.one@example.com",
    progress: { id: "first", startedAt: 1, rowStates },
  };
  const props = {
    outcome: undefined,
    result: undefined,
    calledWith: {},
    call: unused,
    address: "/google-services/call/gmail/merge",
    onConsent: unused,
    busy: false,
  };
  const person = { isConnected: true, tab, owner: "customer", email: merge.email };
  return renderToStaticMarkup(
    createElement(MergeRun, { ...props, ...person, merge, begins: false, onClear: unused }),
  );
}

test("a mail merge succeeded only when nothing of it failed", () => {
  const success = "Operation completed successfully!";
  const failed = { state: "failed", message: "Google did not accept this." } as const;
  expect(viewOf({ 1: { state: "sent" }, 2: { state: "sent" } })).toContain(success);
  const partly = viewOf({ 1: { state: "sent" }, 2: failed });
  expect(partly).not.toContain(success);
  expect(partly).toContain("1 message was not sent");
  const none = viewOf({ 1: failed, 2: failed });
  expect(none).not.toContain(success);
  expect(none).toContain("2 messages were not sent");
  expect(none).toContain('role="alert"');
});
