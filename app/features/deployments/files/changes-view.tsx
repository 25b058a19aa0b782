import { Card } from "~/ui/primitives/card";
import { ScrollRegion } from "~/ui/primitives/scroll-region";
import type { FileChange, Line } from "../record/changes";

const signs = { kept: " ", added: "+", removed: "−" } as const;
const words = { kept: "", added: "added: ", removed: "removed: " } as const;
const variants: Record<Line["kind"], string> = {
  kept: "text-ink-soft",
  added: "bg-signal-well",
  removed: "bg-failure-well",
};

/** What changed, file by file; `folded` shows the lines of a file only when asked. The sign before a line says what happened to it, not only its colour. */
export function ChangesView({
  changes,
  folded,
}: {
  changes: readonly FileChange[];
  folded?: boolean;
}) {
  return (
    <ul className="grid grid-cols-1 gap-4">
      {changes.map((change) => (
        <li key={change.path}>
          <Card
            as="details"
            variant="strong"
            flush
            open={!folded && change.added + change.removed <= 60}
            className="overflow-hidden"
          >
            <summary className="flex min-h-11 flex-wrap items-center gap-x-4 px-4 py-2">
              <span className="grow font-mono text-sm break-all">{change.path}</span>
              <span className="text-sm text-ink-soft">{change.kind}</span>
              <span className="font-mono text-sm tabular-nums">
                <span className="text-signal">+{change.added}</span>{" "}
                <span className="text-failure">−{change.removed}</span>
              </span>
            </summary>
            <ScrollRegion
              label={`Changes in ${change.path}`}
              className="overflow-x-auto border-t border-line"
            >
              <div className="w-max min-w-full py-2 font-mono text-sm leading-relaxed">
                {change.hunks.map((hunk) => (
                  <div key={`${hunk.before} ${hunk.after}`}>
                    <p className="px-4 py-1 text-ink-soft">Line {hunk.after}</p>
                    <HunkLines lines={hunk.lines} />
                  </div>
                ))}
              </div>
            </ScrollRegion>
          </Card>
        </li>
      ))}
    </ul>
  );
}

function HunkLines({ lines }: { lines: readonly Line[] }) {
  return (
    <ol>
      {lines.map(({ at, kind, text }) => (
        <li key={at} className={`px-4 whitespace-pre ${variants[kind]}`}>
          <span aria-hidden="true" className="mr-3 select-none">
            {signs[kind]}
          </span>
          <span className="sr-only">{words[kind]}</span>
          {text}
        </li>
      ))}
    </ol>
  );
}
