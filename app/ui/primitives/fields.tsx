import { type ComponentProps, type ReactNode, useId } from "react";

type FieldWords = {
  label: string;
  /** Limits and formats, stated before they are broken. */
  hint?: ReactNode;
  /** What is wrong with what was typed. */
  error?: string | undefined;
};

const box =
  "mt-1.5 block w-full rounded-md border border-line-strong bg-raised px-3.5 text-base text-ink placeholder:text-ink-soft aria-invalid:border-failure disabled:opacity-60";

function Field({
  label,
  hasUnseenLabel,
  hint,
  error,
  children,
}: FieldWords & {
  hasUnseenLabel?: true | undefined;
  children: (attributes: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean);
  return (
    <div className="text-left">
      <label htmlFor={id} className={hasUnseenLabel ? "sr-only" : "font-strong"}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described.join(" ") || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-failure">
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** One line of text; `mono` for a code that is copied letter by letter. */
export function TextField({
  label,
  hint,
  error,
  mono,
  ...input
}: FieldWords & ComponentProps<"input"> & { mono?: boolean }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          type="text"
          className={`${box} h-11 py-2 ${mono ? "font-mono text-lg" : ""}`}
          {...input}
          {...attributes}
        />
      )}
    </Field>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  ...input
}: FieldWords & ComponentProps<"textarea">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <textarea rows={5} className={`${box} py-2.5`} {...input} {...attributes} />}
    </Field>
  );
}

type Option = string | { value: string; label: string };

/** A select; `blank` is the words of its empty first option. */
export function SelectField({
  label,
  hasUnseenLabel,
  hint,
  error,
  options,
  blank,
  ...input
}: FieldWords &
  ComponentProps<"select"> & {
    options: readonly Option[];
    blank?: string;
    /** The label is for a screen reader alone: what stands around the field says it. */
    hasUnseenLabel?: true;
  }) {
  return (
    <Field label={label} hasUnseenLabel={hasUnseenLabel} hint={hint} error={error}>
      {(attributes) => (
        <select className={`${box} h-11`} {...input} {...attributes}>
          {blank === undefined ? null : <option value="">{blank}</option>}
          {options.map((option) => {
            const { value, label: words } =
              typeof option === "string" ? { value: option, label: option } : option;
            return (
              <option key={value} value={value}>
                {words}
              </option>
            );
          })}
        </select>
      )}
    </Field>
  );
}
