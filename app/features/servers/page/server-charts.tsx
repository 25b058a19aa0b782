import { shortMomentOf } from "~/ui/dates";
import { Table } from "~/ui/primitives/table";
import { More } from "../../deployments/page/more";
import type { ServerDetails } from "./server-view.server";

type Sample = ServerDetails["samples"][number];
type Figure = "participants" | "load" | "memory" | "in" | "out";

const height = 96;
const quarterHour = 15;

const charts: readonly { figure: Figure; title: string; words: (value: number) => string }[] = [
  { figure: "participants", title: "Participants", words: (value) => String(Math.round(value)) },
  { figure: "load", title: "Load", words: (value) => value.toFixed(2) },
  { figure: "memory", title: "Memory", words: (value) => bytes(value * 1024) },
  { figure: "in", title: "Received", words: (value) => `${bytes(value)}/s` },
  { figure: "out", title: "Sent", words: (value) => `${bytes(value)}/s` },
];

/** The last 48 hours of a server, drawn on the server, with the figures of each quarter hour in a table. */
export function ServerCharts({ samples }: { samples: readonly Sample[] }) {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return <p>Figures appear with the first reports.</p>;
  return (
    <>
      <div className="grid gap-8 sm:grid-cols-2">
        {charts.map((chart) => (
          <Chart key={chart.figure} {...chart} samples={samples} from={first.at} to={last.at} />
        ))}
      </div>
      <More summary="The same as a table">
        <Table
          caption="Figures of each quarter hour"
          columns={["From", ...charts.map(({ title }) => title)]}
          numeric
          compact
        >
          <tbody>
            {samples
              .filter((_, at) => at % quarterHour === 0)
              .map((sample) => (
                <tr key={sample.at}>
                  <th scope="row">{shortMomentOf(new Date(sample.at))}</th>
                  {charts.map(({ figure, words }) => (
                    <td key={figure}>{shown(sample[figure], words)}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </Table>
      </More>
    </>
  );
}

function shown(value: number | undefined, words: (value: number) => string): string {
  return value === undefined ? "unknown" : words(value);
}

/** One figure as a line. Where reports are missing for more than five minutes the line has a gap. */
function Chart({
  figure,
  title,
  words,
  samples,
  from,
  to,
}: (typeof charts)[number] & { samples: readonly Sample[]; from: number; to: number }) {
  const points = samples.flatMap(({ at, [figure]: value }) =>
    value === undefined ? [] : [{ at, value }],
  );
  const last = points.at(-1);
  if (!last) return null;
  const highest = Math.max(...points.map(({ value }) => value));
  const scale = (height - 4) / (highest || 1);
  const width = Math.max(1, to - from);
  const says = `${title}: ${words(last.value)} now, at most ${words(highest)} in the last 48 hours.`;
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-strong">{title}</span>
        <span aria-hidden="true" className="font-mono text-sm tabular-nums">
          {words(last.value)} <span className="text-ink-soft">of {words(highest)}</span>
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={says}
        width="100%"
        height={height}
        viewBox={`0 0 1000 ${height}`}
        preserveAspectRatio="none"
        className="mt-2 block border-y border-line-strong"
      >
        <path
          d={pathOf(points, ({ at, value }) => [
            ((at - from) / width) * 1_000,
            height - 2 - value * scale,
          ])}
          fill="none"
          stroke="var(--signal)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}

type Point = { at: number; value: number };
const longestGapMs = 5 * 60_000;

function pathOf(points: readonly Point[], place: (point: Point) => [number, number]): string {
  return points
    .map((point, at) => {
      const former = points[at - 1];
      const begins = !former || point.at - former.at > longestGapMs;
      const [x, y] = place(point);
      return `${begins ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "3.4 MiB". */
function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${units[unit]}`;
}
