import { Badge, type BadgeVariant } from "~/ui/primitives/badge";
import { Table } from "~/ui/primitives/table";
import type { ChangedChoice, Effect } from "./effects";

const effects: Record<Effect, { words: string; variant: BadgeVariant }> = {
  nothing: { words: "Nothing to do", variant: "neutral" },
  restart: { words: "Restart by apply", variant: "outline" },
  resize: { words: "Resize at the provider", variant: "warning" },
  machine: { words: "New machine", variant: "warning" },
};

/** The choices that differ between two versions, and what each means for a server that runs. */
export function ChoicesView({ choices }: { choices: readonly ChangedChoice[] }) {
  return (
    <Table
      caption="Choices that changed"
      columns={["Choice", "Before and after", "A running server"]}
    >
      <tbody>
        {choices.map(({ field, label, before, after, effect }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            <td className="wrap-anywhere">
              <Answer>{before}</Answer>
              <span aria-hidden="true" className="px-2 text-ink-soft">
                →
              </span>
              <span className="sr-only"> became </span>
              <Answer>{after}</Answer>
            </td>
            <td>
              <Badge variant={effects[effect].variant}>{effects[effect].words}</Badge>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Answer({ children }: { children: string | undefined }) {
  return children === undefined ? <span className="text-ink-soft">nothing</span> : children;
}
