import type { ToolField, ToolTab } from "~/content/google-tools";
import { SelectField, TextAreaField, TextField } from "~/ui/primitives/fields";

/** One field of a tool's form. `kept` is its value in a kept draft, `error` what is wrong with its value. */
function ToolQuestion({
  field,
  draft,
  error,
}: {
  field: ToolField;
  draft?: string | undefined;
  error?: string | undefined;
}) {
  const words = {
    name: field.name,
    label: field.label,
    hint: field.hint,
    error,
    ...(draft !== undefined && { defaultValue: draft }),
  };
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
          defaultValue={draft ?? field.initial}
        />
      );
    default:
      return <TextField {...words} type={field.type} autoComplete="off" />;
  }
}

/** The fields of a tab: dates with times stand beside each other, all others one below the other. */
export function ToolQuestions({
  fields,
  draft,
  wrong,
}: {
  fields: readonly ToolField[];
  draft?: Readonly<Record<string, string>>;
  wrong?: Readonly<Record<string, string>> | undefined;
}) {
  if (fields.length === 0) return null;
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      {fields.map((field) => (
        <div key={field.name} className={field.type === "datetime-local" ? "" : "sm:col-span-2"}>
          <ToolQuestion field={field} draft={draft?.[field.name]} error={wrong?.[field.name]} />
        </div>
      ))}
    </div>
  );
}

/** The method and the address of the call to Google. */
export function ToolCall({ tab: { call } }: { tab: ToolTab }) {
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line pt-4 font-mono text-sm">
      <span>{call.method}</span>
      <span className="min-w-0 break-all text-ink-soft">{call.address}</span>
    </p>
  );
}
