import { memo, useMemo, useState } from "react";
import type { Figure } from "~/features/servers/metrics/packed-figures";
import { localMomentOf } from "~/ui/dates";
import { Moment, Tick } from "~/ui/moment";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import { More } from "../../deployments/page/more";
import {
  drawn,
  extremesOf,
  height,
  rowsOf,
  type Spread,
  spreadOf,
  type Values,
  valuesOf,
} from "./chart-drawing";
import type { Chart, Charts, Limit, Mark } from "./charts.server";

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
          <Drawing
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

type DrawingProps = {
  label: string;
  values: Values;
  top: number;
  marks: readonly Mark[];
  limits: readonly Limit[];
};

const Drawing = memo(({ label, values, top, marks, limits }: DrawingProps) => {
  const steps = values.mean.length;
  const { line, band, dots } = drawn(values, top);
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height="96"
      viewBox={`0 0 ${steps} ${height}`}
      preserveAspectRatio="none"
      className="block overflow-visible border-y border-line-strong"
    >
      <path
        d={`M0 ${height / 2}H${steps}${[1, 2, 3].map((part) => `M${(steps * part) / 4} 0V${height}`).join("")}`}
        stroke="var(--line)"
        vectorEffect="non-scaling-stroke"
      />
      {marks.map((mark) => (
        <MarkPath key={`${mark.at} ${mark.words}`} mark={mark} />
      ))}
      {limits.map(({ value, words, isCritical }) =>
        value > top ? null : (
          <path
            key={words}
            d={`M0 ${height - (value / top) * height}H${steps}`}
            stroke={isCritical ? "var(--failure)" : "var(--warning)"}
            strokeDasharray="2 3"
            vectorEffect="non-scaling-stroke"
          />
        ),
      )}
      <path d={band} fill="var(--signal)" fillOpacity="0.25" />
      <path
        d={line}
        fill="none"
        stroke="var(--signal)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={dots}
        fill="none"
        stroke="var(--signal)"
        strokeWidth="6"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
});

const markStyles: Record<Mark["kind"], { name: string; color: string; dashes?: string }> = {
  page: { name: "Incident that pages", color: "var(--failure)" },
  notify: { name: "Incident", color: "var(--warning)" },
  update: { name: "Update", color: "var(--ink)", dashes: "4 3" },
  reboot: { name: "Reboot", color: "var(--ink)" },
  restart: { name: "LiveKit started anew", color: "var(--ink)", dashes: "1 3" },
};

/** An incident is an area, seen also where it was short; a moment is a line. */
function MarkPath({ mark: { kind, from, to } }: { mark: Pick<Mark, "kind" | "from" | "to"> }) {
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
function MarkList({ marks }: { marks: readonly Mark[] }) {
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

/** Lies over a drawing: a pointer, or the arrow keys, choose a step of it. `words` are read out. */
function Pointer({
  label,
  words,
  steps,
  step,
  onStep,
}: {
  label: string;
  words: string | undefined;
  steps: number;
  step: number | undefined;
  onStep: (step: number | undefined) => void;
}) {
  const leave = () => onStep(undefined);
  return (
    <>
      {step === undefined ? null : (
        <span
          aria-hidden="true"
          style={{ left: `${((step + 0.5) / steps) * 100}%` }}
          className="absolute inset-y-0 border-l border-ink print:hidden"
        />
      )}
      <input
        type="range"
        aria-label={label}
        aria-valuetext={words}
        max={steps - 1}
        value={step ?? steps - 1}
        onChange={({ currentTarget }) => onStep(currentTarget.valueAsNumber)}
        onFocus={() => onStep(step ?? steps - 1)}
        onBlur={leave}
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          const share = (clientX - left) / width;
          onStep(Math.min(steps - 1, Math.max(0, Math.floor(share * steps))));
        }}
        onPointerLeave={leave}
        className="absolute inset-0 size-full cursor-crosshair touch-pan-y opacity-0 not-scripted:hidden print:hidden"
      />
    </>
  );
}

/** "12", or "12 (10 to 14)". */
function spreadWords({ least, mean, most }: Spread, words: (value: number) => string): string {
  if (mean === undefined || least === undefined || most === undefined) return "not reported";
  const [from, to] = [words(least), words(most)];
  return from === to ? words(mean) : `${words(mean)} (${from} to ${to})`;
}

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

/** What a figure is called, and how its values are written. */
const figureWords: Readonly<Record<Figure, { title: string; words: (value: number) => string }>> = {
  participants: { title: "Participants", words: counted },
  rooms: { title: "Rooms", words: counted },
  load: { title: "Load", words: (value) => value.toFixed(2) },
  memory: { title: "Memory", words: (value) => bytes(value * 1024) },
  disk: { title: "Disk", words: (value) => bytes(value * 1024) },
  in: { title: "Received", words: (value) => `${bytes(value)}/s` },
  out: { title: "Sent", words: (value) => `${bytes(value)}/s` },
  cpu: { title: "CPU", words: percent },
  loss: { title: "Packet loss", words: percent },
  jitter: { title: "Jitter", words: (value) => `${counted(value)} ms` },
  failedJoins: { title: "Failed joins", words: (value) => `${counted(value)}/min` },
  recordings: { title: "Recordings", words: counted },
};

/** "12", and "3.4" for a mean. */
function counted(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}

function percent(value: number): string {
  return `${Number(value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0))} %`;
}

const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** "3.4 MiB". */
function bytes(value: number): string {
  let [amount, unit] = [value, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${amount.toFixed(unit === 0 || amount >= 100 ? 0 : 1)} ${units[unit]}`;
}
