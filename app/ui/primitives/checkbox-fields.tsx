import type { ReactNode } from "react";

/** Boxes of one kind, each a field of its own whose value is "yes". */
export function CheckboxFields<Name extends string>({
  legend,
  names,
  label,
  checked,
}: {
  legend: string;
  names: readonly Name[];
  label: (name: Name) => ReactNode;
  checked: readonly string[];
}) {
  return (
    <fieldset>
      <legend className="font-strong">{legend}</legend>
      <ul className="mt-1.5">
        {names.map((name) => (
          <li key={name}>
            <label className="flex min-h-11 items-start gap-3 py-2">
              <input
                type="checkbox"
                name={name}
                value="yes"
                defaultChecked={checked.includes(name)}
                className="mt-1 size-4 shrink-0 accent-signal"
              />
              <span>{label(name)}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
