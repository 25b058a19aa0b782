import { SelectField, TextAreaField, TextField } from "~/components/fields";
import type { ToolField, ToolTab } from "~/content/google-tools";

/** One question of a tool's form. `kept` is what was typed before, `error` what is wrong with it. */
export function ToolQuestion({
  field,
  kept,
  error,
}: {
  field: ToolField;
  kept?: string | undefined;
  error?: string | undefined;
}) {
  const words = {
    name: field.name,
    label: field.label,
    hint: field.hint,
    error,
    ...(kept !== undefined && { defaultValue: kept }),
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
          defaultValue={kept ?? field.initial}
        />
      );
    default:
      return <TextField {...words} type={field.type} autoComplete="off" />;
  }
}

/** What goes over the wire. */
export function ToolCall({ tab: { call } }: { tab: ToolTab }) {
  return (
    <p className="flex flex-wrap gap-x-3 border-t border-line pt-4 font-mono text-sm">
      <span>{call.method}</span>
      <span className="min-w-0 break-all text-ink-soft">{call.address}</span>
    </p>
  );
}
