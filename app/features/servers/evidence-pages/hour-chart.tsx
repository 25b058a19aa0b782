import { height } from "../metrics/chart-drawing";
import { hourWords } from "./hour-advice";
import { clockHours, isWithin, type Stretch } from "./hour-pattern";

/** One figure by hour of the day, from 0 to 23; undefined where nothing was measured. */
type HourValues = readonly (number | undefined)[];

type HourChartProps = {
  title: string;
  words: (value: number) => string;
  values: HourValues;
  /** A part of each value, drawn in it. */
  parts?: HourValues;
  stretch: Stretch | undefined;
  minutes: number;
};

/** A column for each hour of the day. The hours in which calls are bad have a ground. */
export function HourChart({ title, words, values, parts, stretch, minutes }: HourChartProps) {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const at = values.indexOf(most);
  const label =
    most === 0
      ? `${title} by hour of the day: none.`
      : `${title} by hour of the day: at most ${words(most)}, at ${hourWords(at, minutes)}.`;
  return (
    <figure className="min-w-0 break-inside-avoid">
      <figcaption className="font-strong">{title}</figcaption>
      <div className="mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 font-mono text-sm text-ink-soft">
        <svg
          role="img"
          aria-label={label}
          width="100%"
          height="96"
          viewBox={`0 0 24 ${height}`}
          preserveAspectRatio="none"
          className="block border-y border-line-strong"
        >
          <path d={groundOf(stretch)} fill="var(--warning)" fillOpacity="0.15" />
          <path d={columns(values, most)} fill="var(--signal)" fillOpacity={parts ? "0.4" : "1"} />
          {parts ? <path d={columns(parts, most)} fill="var(--failure)" /> : null}
        </svg>
        <div aria-hidden="true" className="flex flex-col justify-between">
          {[most, 0].map((value, place) => (
            <span key={place === 0 ? "most" : "least"} className="leading-tight">
              {words(value)}
            </span>
          ))}
        </div>
        <p aria-hidden="true" className="mt-1 flex justify-between gap-x-2">
          {[0, 6, 12, 18, 24].map((hour) => (
            <span key={hour}>{hourWords(hour % 24, minutes)}</span>
          ))}
        </p>
      </div>
    </figure>
  );
}

function columns(values: HourValues, most: number): string {
  return values
    .map((value, hour) => {
      if (!value) return "";
      // Of many calls one is seen too.
      const y = Math.min(height - 6, Math.round(height - (value / most) * height));
      return `M${hour + 0.12} ${height}V${y}H${hour + 0.88}V${height}Z`;
    })
    .join("");
}

function groundOf(stretch: Stretch | undefined): string {
  return clockHours
    .filter((hour) => stretch && isWithin(stretch, hour))
    .map((hour) => `M${hour} 0H${hour + 1}V${height}H${hour}Z`)
    .join("");
}
