import type { ComponentProps } from "react";
import { TextField } from "~/ui/primitives/fields";

/** Asks for the domain of a deployment that is about to be made. */
export function DomainField({
  hint,
  warning,
  ...input
}: {
  hint: string;
  /** The warning of a look about the typed name. */
  warning: string | undefined;
  error: string | undefined;
} & Pick<ComponentProps<"input">, "defaultValue" | "value" | "onChange" | "placeholder">) {
  return (
    <TextField
      name="domain"
      label="Domain"
      hint={
        <>
          <span>{hint} </span>
          {warning ? <span className="text-warning">{warning}</span> : null}
        </>
      }
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
    />
  );
}
