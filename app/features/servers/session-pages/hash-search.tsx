import { Form } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";

/** Looks for what has a hash, on one day too. It reads, so that it works without script and stays in the address. */
export function HashSearch({
  name,
  label,
  value,
  day,
  time,
  action,
}: {
  name: string;
  label: string;
  value: string;
  /** Without it days cannot be chosen. */
  day?: string;
  /** Without it no time can be said, which is in UTC. */
  time?: string;
  action: string;
}) {
  const columns =
    day === undefined
      ? time === undefined
        ? "sm:grid-cols-[minmax(0,24rem)_auto] sm:justify-start"
        : "sm:grid-cols-[minmax(0,24rem)_auto_auto] sm:justify-start"
      : "sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)_auto]";
  return (
    <Form role="search" className={`mt-6 grid items-end gap-3 print:hidden ${columns}`}>
      {day === undefined ? null : (
        <TextField name="day" label="Day (UTC)" type="date" defaultValue={day} />
      )}
      <TextField
        name={name}
        label={label}
        defaultValue={value}
        maxLength={100}
        autoComplete="off"
      />
      {time === undefined ? null : (
        <TextField name="at" label="About when, in UTC" type="datetime-local" defaultValue={time} />
      )}
      <Button type="submit" variant="secondary">
        {action}
      </Button>
    </Form>
  );
}
