import { useEffect } from "react";
import { examplePlan, type TrafficProvider } from "~/content/sizing";
import { Card } from "~/ui/primitives/card";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { planFigures } from "./plan-figures";
import { startFromAddress } from "./start-calculator.client";

/** The fields, and how much they take. */
const fields = [
  { name: "people", label: "People in a room", least: 1, max: 100_000 },
  { name: "cameras", label: "Cameras that are on", least: 0, max: 100_000 },
  { name: "seen", label: "Pictures that each person sees", least: 0, max: 100_000 },
  { name: "unmuted", label: "Microphones on at once", least: 0, max: 100_000 },
  { name: "kbps", label: "Video, kbit/s each", least: 0, max: 100_000 },
  { name: "rooms", label: "Rooms at once", least: 1, max: 100_000 },
  { name: "hours", label: "Hours in a month", least: 0, max: 744 },
] as const;

const trafficProviders: readonly { value: TrafficProvider; label: string }[] = [
  { value: "aws", label: "AWS" },
  { value: "azure", label: "Azure" },
  { value: "google", label: "Google Cloud" },
  { value: "digitalocean", label: "Digital Ocean" },
];

const figures = planFigures(examplePlan, "aws");

/** A figure of what stands in the form; the script changes it. */
function Figure({ name }: { name: string }) {
  return (
    <b data-figure={name} className="font-mono font-strong tabular-nums">
      {figures[name]}
    </b>
  );
}

/** Says what a plan takes. Without script it is not shown; the text below has examples. */
export function SizingCalculator() {
  // A link to it from a page with React leads here without a new document.
  useEffect(startFromAddress, []);
  return (
    <Card variant="flat" className="mt-10 max-w-[35rem] not-scripted:hidden">
      <form data-sizing-calculator className="group" aria-labelledby="sizing-calculator">
        <h2 id="sizing-calculator" className="text-lg">
          Calculator
        </h2>
        <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-2">
          {fields.map(({ name, label, least, max }) => (
            <TextField
              key={name}
              name={name}
              label={label}
              type="number"
              inputMode="numeric"
              required
              defaultValue={examplePlan[name]}
              min={least}
              max={max}
            />
          ))}
          <SelectField name="provider" label="Provider" options={trafficProviders} />
        </div>
        <p role="alert" className="mt-6 hidden text-failure group-data-failed:block">
          The calculator could not be loaded. You may be offline. If not, load the page again: the
          site may have changed since.
        </p>
        <output className="mt-6 grid gap-2 border-t border-line pt-4 group-data-failed:hidden">
          <span>
            One room sends <Figure name="roomPackets" /> packets a second:{" "}
            <Figure name="roomCores" /> vCPU. It fits on <Figure name="roomSize" />.
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
          What you type stands in the address of this page. We get it when that address is loaded
          again.
        </p>
      </form>
    </Card>
  );
}
