import { Form } from "react-router";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import { type StepId, wordsOfStep } from "./steps";
import type { Conflict } from "./unsaved-changes";

/** Shows a user who comes back which steps have unsaved changes. */
export function UnsavedNotice({ steps }: { steps: readonly StepId[] }) {
  const titles = new Intl.ListFormat("en").format(steps.map((step) => wordsOfStep(step).title));
  return (
    <Message kind="warning" className="mt-6">
      You have unsaved changes in {titles}. They are kept for you, on any device, and change nothing
      until you save them.
    </Message>
  );
}

/** After discarding, with the way to take it back. */
export function Discarded({ step = "" }: { step?: StepId | "" }) {
  return (
    <Message kind="success" className="mt-6">
      <Form method="post">
        <input type="hidden" name="step" value={step} />
        Your changes were discarded.{" "}
        <TextButton type="submit" name="discard" value="undo">
          Undo
        </TextButton>
      </Form>
    </Message>
  );
}

/** Both values of each field that was changed here and saved elsewhere. */
export function Conflicts({ conflicts }: { conflicts: readonly Conflict[] }) {
  if (conflicts.length === 0) return null;
  return (
    <Message kind="warning" className="mt-6">
      <p>Other values were saved elsewhere since you changed these. Saving takes yours.</p>
      <Table
        caption="Values saved elsewhere, and yours"
        columns={["Choice", "Saved", "Yours"]}
        compact
        className="mt-2"
      >
        <tbody>
          {conflicts.map(({ field, label, step, saved, typed }) => (
            <tr key={field}>
              <th scope="row">
                <TextLink to={`?step=${step}`}>{label}</TextLink>
              </th>
              <td className="wrap-anywhere">{saved || "nothing"}</td>
              <td className="wrap-anywhere">{typed || "nothing"}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Message>
  );
}
