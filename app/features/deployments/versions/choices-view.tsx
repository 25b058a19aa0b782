import { Badge, type BadgeVariant } from "~/ui/primitives/badge";
import type { ChangedChoice } from "./effects";
import type { Effect } from "./tasks";

const effects: Record<Effect, { words: string; variant: BadgeVariant }> = {
  nothing: { words: "nothing to do", variant: "neutral" },
  restart: { words: "restart by apply", variant: "neutral" },
  resize: { words: "resize at the provider", variant: "warning" },
  machine: { words: "new machine", variant: "warning" },
  machines: { words: "other machines", variant: "warning" },
};

/** The choices that differ between two versions, and what each means for a server that runs. */
export function ChoicesView({ choices }: { choices: readonly ChangedChoice[] }) {
  return (
    <dl className="border-t border-line">
      {choices.map(({ field, label, before, after, effect }) => (
        <div
          key={field}
          className="grid gap-x-6 gap-y-1 border-b border-line py-3 sm:grid-cols-[1fr_1.6fr_auto] sm:items-baseline"
        >
          <dt className="font-strong">{label}</dt>
          <dd className="wrap-anywhere">
            <Answer>{before}</Answer>
            <span aria-hidden="true" className="px-2 text-ink-soft">
              →
            </span>
            <span className="sr-only"> became </span>
            <Answer>{after}</Answer>
          </dd>
          <dd className="sm:text-right">
            <span className="sr-only">On a running server: </span>
            <Badge variant={effects[effect].variant}>{effects[effect].words}</Badge>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ children }: { children: string | undefined }) {
  return children === undefined ? <span className="text-ink-soft">nothing</span> : children;
}
