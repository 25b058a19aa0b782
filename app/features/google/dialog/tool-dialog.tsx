import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ToolTab } from "~/content/google-tools";
import { Button } from "~/ui/primitives/button";
import { DemoNote } from "~/ui/primitives/demo-note";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import { Tabs } from "~/ui/primitives/tabs";
import { useClose } from "~/ui/primitives/use-close";
import { type DemoResult, useDemoSubmit } from "~/ui/primitives/use-demo-submit";
import { ToolCall, ToolQuestions } from "../questions/tool-question";
import { addressOf, type OpenTool } from "./tool-address";

const ConnectedTool = lazy(() =>
  import("./connected-tool.client").catch(() => ({ default: NotLoaded })),
);

/** After a deploy, the scripts that an open page has not loaded yet are gone. */
function NotLoaded() {
  return (
    <Message kind="failure">
      This tool could not be loaded. Reload the page. What you typed is kept.
    </Message>
  );
}

/** One tool with a tab for each of its operations: a demo for visitors, the working tool for customers. */
export default function ToolDialog({ tool, tab }: OpenTool) {
  const signedIn = useSignedInHint();
  const close = useClose("/google-services");
  return (
    <Dialog
      title={tool.name}
      closeTo="/google-services"
      onClose={close}
      className="w-[min(40rem,calc(100vw-2rem))]"
    >
      <Tabs
        label={tool.name}
        tabs={tool.tabs.map((each) => ({ ...each, to: addressOf({ tool, tab: each }) }))}
        current={tab.id}
      >
        {signedIn ? (
          <Suspense fallback={<p role="status">Loading…</p>}>
            <ConnectedTool key={tab.id} tool={tool} tab={tab} />
          </Suspense>
        ) : (
          <ToolForm key={tab.id} tab={tab} />
        )}
      </Tabs>
    </Dialog>
  );
}

function ToolForm({ tab }: { tab: ToolTab }) {
  const { submission, canSubmit, onSubmit } = useDemoSubmit(demoOutcome);
  const submitting = submission.phase === "submitting";
  return (
    <form onSubmit={onSubmit} className="grid grid-cols-1 gap-5">
      <p className="text-ink-soft">{tab.words}</p>
      {tab.connected ? (
        <p className="text-ink-soft">The demo has nothing to fill in. {tab.connected}</p>
      ) : null}
      <ToolQuestions fields={tab.fields} />
      <ToolCall tab={tab} />
      {submission.phase === "success" ? (
        <Message kind="success">Operation completed successfully!</Message>
      ) : null}
      {submission.phase === "failure" ? (
        <Message kind="failure">{`Error: ${submission.message}`}</Message>
      ) : null}
      <Button type="submit" disabled={!canSubmit} className="w-full not-scripted:hidden">
        {submitting ? "Processing..." : tab.button}
      </Button>
      <DemoNote>
        {submission.phase === "success"
          ? "That was the demo: nothing was sent, and Google was not asked."
          : "This is a demo: nothing is sent, and Google is not asked."}
      </DemoNote>
    </form>
  );
}

/** The only check of the demo: an event must end after it starts. */
function demoOutcome(form: FormData): DemoResult {
  const start = form.get("startDateTime");
  const end = form.get("endDateTime");
  if (start && end && end <= start) {
    return { phase: "failure", message: "The event must end after it starts." };
  }
  return { phase: "success" };
}

/** The hint only chooses what to show. The server decides who is signed in. */
function useSignedInHint(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => document.documentElement.classList.contains("signed-in"),
    () => false,
  );
}
