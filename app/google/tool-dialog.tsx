import { Button } from "~/components/button";
import { DemoNote } from "~/components/demo-note";
import { Dialog } from "~/components/dialog";
import { SelectField, TextAreaField, TextField } from "~/components/fields";
import { Message } from "~/components/message";
import { Tabs } from "~/components/tabs";
import { useClose } from "~/components/use-close";
import { type Outcome, useDemoSubmit } from "~/components/use-demo-submit";
import type { ToolField, ToolTab } from "~/content/google-tools";
import { addressOf, type OpenTool } from "./tool-address";

/** One tool with a tab for each thing that it does. */
export default function ToolDialog({ tool, tab }: OpenTool) {
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
        <ToolForm key={tab.id} tab={tab} />
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
      {tab.fields.length > 0 ? (
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          {tab.fields.map((field) => (
            <div
              key={field.name}
              className={field.type === "datetime-local" ? "" : "sm:col-span-2"}
            >
              <Question field={field} />
            </div>
          ))}
        </div>
      ) : null}
      <Call tab={tab} />
      {submission.phase === "success" ? (
        <Message kind="success">Operation completed successfully!</Message>
      ) : null}
      {submission.phase === "failure" ? (
        <Message kind="failure">{`Error: ${submission.message}`}</Message>
      ) : null}
      <Button type="submit" disabled={!canSubmit} className="w-full not-scripted:hidden">
        {submitting ? "Processing..." : tab.button}
      </Button>
      <DemoNote>This is a demo: nothing is sent, and Google is not asked.</DemoNote>
    </form>
  );
}

/** The only thing that can be wrong where nothing is sent: an event that ends before it starts. */
function demoOutcome(form: FormData): Outcome {
  const start = form.get("startDateTime");
  const end = form.get("endDateTime");
  if (start && end && end <= start) {
    return { phase: "failure", message: "The event must end after it starts." };
  }
  return { phase: "success" };
}

function Question({ field }: { field: ToolField }) {
  const words = { name: field.name, label: field.label, hint: field.hint };
  switch (field.type) {
    case "textarea":
      return <TextAreaField {...words} rows={field.rows} />;
    case "select":
      return <SelectField {...words} options={field.options} />;
    case "number":
      return (
        <TextField
          {...words}
          type="number"
          min={field.min}
          max={field.max}
          defaultValue={field.initial}
        />
      );
    default:
      return <TextField {...words} type={field.type} autoComplete="off" />;
  }
}

/** What goes over the wire once this is real. */
function Call({ tab: { call } }: { tab: ToolTab }) {
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line pt-4 font-mono text-sm">
      <span>{call.method}</span>
      <span className="min-w-0 break-all text-ink-soft">{call.address}</span>
    </p>
  );
}
