import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";

/** Asks until when something is to last, and begins it. `incident` is the one that it is about. */
export function HoursForm({
  intent,
  incident,
  label,
  button,
  options,
}: {
  intent: "snooze" | "maintenance";
  incident?: string;
  label: string;
  button: string;
  options: readonly { value: string; label: string }[];
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form
      method="post"
      preventScrollReset
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3"
    >
      <input type="hidden" name="intent" value={intent} />
      {incident === undefined ? null : <input type="hidden" name="incident" value={incident} />}
      <SelectField name="until" label={label} options={options} />
      <Button type="submit" variant="secondary" disabled={busy}>
        {button}
      </Button>
    </Form>
  );
}
