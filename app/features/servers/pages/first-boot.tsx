import { Moment } from "~/ui/moment";
import { CheckIcon } from "~/ui/primitives/icons";
import type { StageLine } from "./server-details.server";

/** The stages of a first boot, with the time of each that was reached. */
export function FirstBoot({ stages }: { stages: readonly StageLine[] }) {
  return (
    <ol className="border-t border-line">
      {stages.map(({ title, at, isNext }) => (
        <li
          key={title}
          aria-current={isNext ? "step" : undefined}
          className="grid min-h-11 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 border-b border-line py-2"
        >
          <span
            aria-hidden="true"
            className={`flex size-6 items-center justify-center rounded-md ${
              at
                ? "bg-signal-well text-signal"
                : isNext
                  ? "border border-signal"
                  : "border border-line"
            }`}
          >
            {at ? <CheckIcon width="16" height="16" /> : null}
          </span>
          <span className="flex flex-wrap items-center gap-x-4">
            <span className="font-strong">{title}</span>
            <span className="text-sm text-ink-soft">
              {at ? <Moment at={at} /> : isNext ? "under way" : "to come"}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
