import { useEffect, useRef } from "react";
import { SelectField, TextField } from "~/ui/primitives/fields";
import type { TrafficProvider } from "./sizing";

/** The fields with what stands in them at first, a meeting of ten, and how much they take. */
const fields = [
  { name: "people", label: "People in a room", value: 10, least: 1, most: 100_000 },
  { name: "cameras", label: "Cameras that are on", value: 10, least: 0, most: 100_000 },
  { name: "seen", label: "Pictures that each person sees", value: 9, least: 0, most: 100_000 },
  { name: "unmuted", label: "Microphones on at once", value: 2, least: 0, most: 100_000 },
  { name: "kbps", label: "Video, kbit/s each", value: 600, least: 0, most: 100_000 },
  { name: "rooms", label: "Rooms at once", value: 5, least: 1, most: 100_000 },
  { name: "hours", label: "Hours in a month", value: 100, least: 0, most: 744 },
] as const;

const trafficProviders: readonly { value: TrafficProvider; label: string }[] = [
  { value: "aws", label: "AWS" },
  { value: "azure", label: "Azure" },
  { value: "google", label: "Google Cloud" },
  { value: "digitalocean", label: "Digital Ocean" },
];

/** A place that the script fills. */
function Figure({ name }: { name: string }) {
  return (
    <b data-figure={name} className="font-mono font-strong tabular-nums">
      –
    </b>
  );
}

/** Says what a plan takes. Without script it is not shown; the text below has examples. */
export function SizingCalculator() {
  const form = useRef<HTMLFormElement>(null);
  // The page's own script starts it where React does not run.
  useEffect(() => {
    import("./sizing-calculator.client").then(
      ({ startCalculator }) => form.current && startCalculator(form.current),
      () => undefined,
    );
  }, []);
  return (
    <form
      ref={form}
      hidden
      data-sizing-calculator
      aria-labelledby="sizing-calculator"
      className="mt-10 max-w-[35rem] rounded-lg border border-line-strong p-5 sm:p-6"
    >
      <h2 id="sizing-calculator" className="text-lg">
        Calculator
      </h2>
      <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {fields.map(({ name, label, value, least, most }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type="number"
            inputMode="numeric"
            required
            defaultValue={value}
            min={least}
            max={most}
          />
        ))}
        <SelectField name="provider" label="Provider" options={trafficProviders} />
      </div>
      <output className="mt-6 grid gap-2 border-t border-line pt-4">
        <span>
          One room sends <Figure name="roomPackets" /> packets a second: <Figure name="roomCores" />{" "}
          vCPU. It fits on <Figure name="roomSize" />.
        </span>
        <span>
          All rooms send <Figure name="packets" />: <Figure name="cores" /> vCPU. They fit on{" "}
          <Figure name="size" />.
        </span>
        <span>
          Out go <Figure name="megabits" /> Mbit/s, <Figure name="hour" /> GB an hour,{" "}
          <Figure name="month" /> GB a month.
        </span>
        <span>
          The traffic costs about $<Figure name="cost" /> a month, beside the machine.
        </span>
      </output>
      <p className="mt-4 text-sm text-ink-soft">
        What you type is in the address of this page, and nowhere else.
      </p>
    </form>
  );
}
