import type { Figure } from "~/features/servers/metrics/packed-figures";
import { Moment, Tick } from "~/ui/moment";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { More } from "../../deployments/page/more";
import type { Chart, Charts } from "./charts.server";

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

/** The figures of a chart as a table. */
function ChartTable({
  title,
  rows,
  words,
}: {
  title: string;
  rows: Chart["rows"];
  words: (value: number) => string;
}) {
  const cell = (value: number | null) => (value === null ? "not reported" : words(value));
  return (
    <More summary={`${title} as a table`}>
      <Table caption={title} columns={["From", "Least", "Mean", "Most"]} numeric compact>
        <tbody>
          {rows.map(({ at, least, mean, most }) => (
            <tr key={at}>
              <th scope="row">
                <Moment at={at} />
              </th>
              <td>{cell(least)}</td>
              <td>{cell(mean)}</td>
              <td>{cell(most)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </More>
  );
}

/** What a figure is called, and how its values are written. */
const figureWords: Readonly<Record<Figure, { title: string; words: (value: number) => string }>> = {
  participants: { title: "Participants", words: counted },
  rooms: { title: "Rooms", words: counted },
  load: { title: "Load", words: (value) => value.toFixed(2) },
  memory: { title: "Memory", words: (value) => bytes(value * 1024) },
  disk: { title: "Disk", words: (value) => bytes(value * 1024) },
  in: { title: "Received", words: (value) => `${bytes(value)}/s` },
  out: { title: "Sent", words: (value) => `${bytes(value)}/s` },
};

/** "12", and "3.4" for a mean. */
function counted(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "3.4 MiB". */
function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${units[unit]}`;
}
