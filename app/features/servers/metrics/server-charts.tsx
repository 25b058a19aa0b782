import { Tick } from "~/ui/moment";
import { TextLink } from "~/ui/primitives/text-link";
import { ChartTable } from "./chart-table";
import type { Chart, Charts } from "./charts.server";
import { figureWords } from "./figure-words";

const ranges = [
  { range: "48h", name: "48 hours" },
  { range: "7d", name: "7 days" },
  { range: "90d", name: "90 days" },
] as const;

/** The figures of a server over 48 hours, 7 or 90 days, drawn on the server. */
export function ServerCharts({ charts }: { charts: Charts }) {
  const chosen = ranges.find(({ range }) => range === charts.range)?.name ?? "48 hours";
  return (
    <>
      <nav aria-label="How far back the figures go" className="print:hidden">
        <ul className="flex flex-wrap gap-x-6">
          {ranges.map(({ range, name }) => (
            <li key={range} className="flex min-h-11 items-center">
              <TextLink
                to={`?range=${range}#figures`}
                preventScrollReset
                aria-current={range === charts.range ? "true" : undefined}
                className="aria-[current]:font-strong aria-[current]:no-underline"
              >
                {name}
              </TextLink>
            </li>
          ))}
        </ul>
      </nav>
      <p className="hidden print:block">The last {chosen}.</p>
      {charts.charts.length === 0 ? (
        <p className="mt-4">
          Nothing was reported in the last {chosen}. Figures appear with the first reports.
        </p>
      ) : (
        <div className="mt-4 grid gap-x-8 gap-y-10 sm:grid-cols-2">
          {charts.charts.map((chart) => (
            <FigureChart key={chart.figure} chart={chart} charts={charts} chosen={chosen} />
          ))}
        </div>
      )}
    </>
  );
}

/** One figure: the mean as a line, the least to the most as a band. Where nothing was reported there is a gap. */
function FigureChart({
  chart,
  charts: { steps, height, ticks, range },
  chosen,
}: {
  chart: Chart;
  charts: Charts;
  chosen: string;
}) {
  const { title, words } = figureWords[chart.figure];
  const [last, least, most] = [chart.last, chart.least, chart.most].map(words);
  return (
    <figure className="min-w-0 break-inside-avoid">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-strong">{title}</span>
        <span className="font-mono text-sm tabular-nums">
          {last}{" "}
          <span className="text-ink-soft">
            last{least === most ? "" : ` · ${least} to ${most}`}
          </span>
        </span>
      </figcaption>
      <p aria-hidden="true" className="mt-2 font-mono text-sm text-ink-soft">
        {words(chart.top)}
      </p>
      <svg
        role="img"
        aria-label={`${title} in the last ${chosen}: ${last} at the end, at least ${least}, at most ${most}.`}
        width="100%"
        height="96"
        viewBox={`0 0 ${steps} ${height}`}
        preserveAspectRatio="none"
        className="block overflow-visible border-y border-line-strong"
      >
        <path
          d={[1, 2, 3].map((part) => `M${(steps * part) / 4} 0V${height}`).join("")}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        <path d={chart.band} fill="var(--signal)" fillOpacity="0.25" />
        <path
          d={chart.line}
          fill="none"
          stroke="var(--signal)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={chart.dots}
          fill="none"
          stroke="var(--signal)"
          strokeWidth="6"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="mt-1 flex justify-between gap-x-2 font-mono text-sm text-ink-soft">
        {ticks.map((at, place) => (
          <Tick key={at} at={at} onlyDay={range === "90d"} align={aligned[place]} />
        ))}
      </p>
      <ChartTable title={title} rows={chart.rows} words={words} />
    </figure>
  );
}

const aligned: readonly (string | undefined)[] = ["text-left", "text-center", "text-right"];
