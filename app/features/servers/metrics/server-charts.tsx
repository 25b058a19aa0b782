import { memo, useMemo, useState } from "react";
import type { Figure } from "~/features/servers/metrics/packed-figures";
import { localMomentOf } from "~/ui/dates";
import { Moment, Tick } from "~/ui/moment";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { More } from "../../deployments/page/more";
import { extremesOf, rowsOf, spreadOf, type Values, valuesOf } from "./chart-drawing";
import { MarkList } from "./chart-marks";
import { Plot, Pointer } from "./chart-plot";
import type { Chart, Charts } from "./charts.server";
import { figureWords, spreadWords } from "./figure-words";

const ranges = [
  { range: "1h", name: "1 hour" },
  { range: "6h", name: "6 hours" },
  { range: "48h", name: "48 hours" },
  { range: "7d", name: "7 days" },
  { range: "90d", name: "90 days" },
] as const;

/** The figures of a server over a range, drawn on the server. A step that is pointed at is shown in every chart. */
export function ServerCharts({ charts }: { charts: Charts }) {
  const name = ranges.find(({ range }) => range === charts.range)?.name ?? charts.range;
  const chosen = name.replace(/^1 /, "");
  const [step, setStep] = useState<number>();
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
          <MarkList marks={charts.marks} />
          {charts.charts.map((chart) => (
            <FigureChart key={chart.figure} {...{ chart, charts, chosen, step }} onStep={setStep} />
          ))}
        </div>
      )}
    </>
  );
}

/** One figure: the mean as a line, the least to the most as a band. Where nothing was reported there is a gap. */
function FigureChart({
  chart,
  charts,
  chosen,
  step,
  onStep,
}: {
  chart: Chart;
  charts: Charts;
  chosen: string;
  step: number | undefined;
  onStep: (step: number | undefined) => void;
}) {
  const { title, words } = figureWords[chart.figure];
  const values = useMemo(() => valuesOf(chart), [chart]);
  const [least, most] = useMemo(() => extremesOf(values).map(words), [values, words]);
  const last = words(chart.last);
  const pointed = step === undefined ? undefined : spreadOf(charts, values, step, step + 1);
  const happened = charts.marks
    .filter(({ from, to }) => step !== undefined && from < step + 1 && to >= step)
    .map((mark) => mark.words)
    .join("; ");
  return (
    <figure className="min-w-0 break-inside-avoid">
      <figcaption className="flex min-h-12 flex-wrap items-baseline justify-between gap-x-4 sm:min-h-6">
        <span className="font-strong">{title}</span>
        <span className="font-mono text-sm tabular-nums">
          {pointed ? (
            <span>
              {`${spreadWords(pointed, words)} `}
              <span className="text-ink-soft">
                <Moment at={pointed.at} />
                <span>{happened ? ` · ${happened}` : ""}</span>
              </span>
            </span>
          ) : (
            <span>
              {`${last} `}
              <span className="text-ink-soft">
                {`last${least === most ? "" : ` · ${least} to ${most}`}`}
              </span>
            </span>
          )}
        </span>
      </figcaption>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 font-mono text-sm text-ink-soft">
        <div className="relative rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-signal">
          <Plot
            label={`${title} in the last ${chosen}: ${last} at the end, at least ${least}, at most ${most}.`}
            {...{ values, top: chart.top, marks: charts.marks, limits: chart.limits }}
          />
          <Pointer
            label={`${title}: the value at a time`}
            words={
              pointed &&
              [
                `${localMomentOf(new Date(pointed.at))}: ${spreadWords(pointed, words)}`,
                ...(happened ? [happened] : []),
              ].join(". ")
            }
            {...{ steps: charts.steps, step, onStep }}
          />
        </div>
        <div aria-hidden="true" className="flex flex-col justify-between sm:w-22">
          {[chart.top, chart.top / 2, 0].map((value) => (
            <span key={value} className="leading-tight">
              {words(value)}
            </span>
          ))}
        </div>
        <p className="mt-1 flex justify-between gap-x-2">
          {charts.ticks.map((at, place) => (
            <Tick
              key={at}
              at={at}
              onlyDay={charts.range === "90d"}
              align={`${aligned[place]} ${place % 2 === 1 ? "max-lg:hidden" : ""}`}
            />
          ))}
        </p>
      </div>
      {chart.limits.length > 0 ? (
        <p className="mt-1 text-sm text-ink-soft">
          Dashed:{" "}
          {chart.limits.map((limit) => `${limit.words} from ${words(limit.value)}`).join(", ")}.
        </p>
      ) : null}
      <ChartTable figure={chart.figure} charts={charts} values={values} />
    </figure>
  );
}

const aligned: readonly string[] = [
  ...["text-left", "text-center", "text-center", "text-center", "text-right"],
];

/** The figures of a chart as a table. */
const ChartTable = memo(
  ({ figure, charts, values }: { figure: Figure; charts: Charts; values: Values }) => {
    const { title, words } = figureWords[figure];
    const cell = (value: number | undefined) =>
      value === undefined ? "not reported" : words(value);
    return (
      <More summary={`${title} as a table`}>
        <Table caption={title} columns={["From", "Least", "Mean", "Most"]} numeric compact>
          <tbody>
            {rowsOf(charts, values).map(({ at, least, mean, most }) => (
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
  },
);
