import { Moment } from "~/ui/moment";
import { More } from "../../deployments/page/more";
import { height } from "./chart-drawing";
import type { Mark } from "./charts.server";

const markStyles: Record<Mark["kind"], { name: string; color: string; dashes?: string }> = {
  page: { name: "Incident that pages", color: "var(--failure)" },
  notify: { name: "Incident", color: "var(--warning)" },
  update: { name: "Update", color: "var(--ink)", dashes: "4 3" },
  reboot: { name: "Reboot", color: "var(--ink)" },
  restart: { name: "LiveKit started anew", color: "var(--ink)", dashes: "1 3" },
};

/** An incident is an area, seen also where it was short; a moment is a line. */
export function MarkPath({
  mark: { kind, from, to },
}: {
  mark: Pick<Mark, "kind" | "from" | "to">;
}) {
  const { color, dashes } = markStyles[kind];
  return (
    <>
      {to > from ? (
        <path d={`M${from} 0H${to}V${height}H${from}Z`} fill={color} fillOpacity="0.15" />
      ) : null}
      <path
        d={`M${from} 0V${height}`}
        stroke={color}
        strokeDasharray={dashes}
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

/** What the marks in the drawings are, each with its time. */
export function MarkList({ marks }: { marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  const kinds = (Object.keys(markStyles) as Mark["kind"][]).filter((kind) =>
    marks.some((mark) => mark.kind === kind),
  );
  return (
    <div className="text-sm sm:col-span-2">
      <ul aria-label="Marks in the charts" className="flex flex-wrap gap-x-6 gap-y-1">
        {kinds.map((kind) => (
          <li key={kind} className="flex items-center gap-x-2">
            <svg
              aria-hidden="true"
              width="12"
              height="16"
              viewBox={`0 0 12 ${height}`}
              preserveAspectRatio="none"
            >
              <MarkPath
                mark={{ kind, from: 1, to: kind === "page" || kind === "notify" ? 12 : 1 }}
              />
            </svg>
            {markStyles[kind].name}
          </li>
        ))}
      </ul>
      <More
        summary={marks.length === 1 ? "The mark as a list" : `The ${marks.length} marks as a list`}
      >
        <ol className="border-t border-line">
          {marks.map(({ at, until, words }) => (
            <li key={`${at} ${words}`} className="border-b border-line py-2 wrap-anywhere">
              {words}
              <span className="block text-ink-soft">
                <Moment at={at} />
                {until ? (
                  <span>
                    {" until "}
                    <Moment at={until} />
                  </span>
                ) : null}
              </span>
            </li>
          ))}
        </ol>
      </More>
    </div>
  );
}
