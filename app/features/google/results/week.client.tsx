import { weekdayOf } from "~/ui/dates";
import { Table } from "~/ui/primitives/table";
import { type Day, minutesOfDay, type Span } from "../tools/week";

const hours = [0, 6, 12, 18, 24];

/** Draws the days one below the other, each from midnight to midnight, and lists the same times in a table. */
export function Week({ days }: { days: readonly Day[] }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <div aria-hidden="true" className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5">
        {days.map((day) => (
          <DrawnDay key={day.date} day={day} />
        ))}
        <span />
        <Hours />
        <span />
        <Legend />
      </div>
      <WeekTable days={days} />
    </div>
  );
}

function DrawnDay({ day: { date, spans } }: { day: Day }) {
  return (
    <>
      <span className="text-sm tabular-nums">{weekdayOf(date)}</span>
      <svg width="100%" height="28" className="block" role="presentation">
        <rect width="100%" height="28" fill="var(--well)" />
        {spans.map((span) => (
          <rect
            key={span.from}
            x={share(span.from)}
            width={share(span.to - span.from)}
            height="28"
            fill={fills[span.kind]}
            stroke="var(--paper)"
          />
        ))}
        {hours.slice(1, -1).map((hour) => (
          <line
            key={hour}
            x1={share(hour * 60)}
            x2={share(hour * 60)}
            y2="28"
            stroke="var(--line)"
          />
        ))}
      </svg>
    </>
  );
}

const fills: Readonly<Record<Span["kind"], string>> = {
  busy: "var(--ink)",
  free: "var(--signal-well)",
};

function Hours() {
  return (
    <svg width="100%" height="20" className="block overflow-visible" role="presentation">
      {hours.map((hour, index) => (
        <text
          key={hour}
          x={share(hour * 60)}
          y="14"
          textAnchor={index === 0 ? "start" : index === hours.length - 1 ? "end" : "middle"}
          fill="currentColor"
          className="font-mono text-sm text-ink-soft"
        >
          {hour}
        </text>
      ))}
    </svg>
  );
}

function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-ink-soft">
      {[
        { words: "Busy", fill: fills.busy },
        { words: "Free", fill: fills.free },
        { words: "Before or after the 7 days", fill: "var(--well)" },
      ].map(({ words, fill }) => (
        <li key={words} className="flex items-center gap-2">
          <svg width="14" height="14" className="shrink-0" role="presentation">
            <rect x="0.5" y="0.5" width="13" height="13" fill={fill} stroke="var(--line-strong)" />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
}

const columns = ["Day", "Busy", "Free"];

function WeekTable({ days }: { days: readonly Day[] }) {
  return (
    <Table caption="Busy and free times" columns={columns} compact>
      <tbody>
        {days.map(({ date, spans }) => (
          <tr key={date}>
            <th scope="row">{weekdayOf(date)}</th>
            {(["busy", "free"] as const).map((kind) => (
              <td key={kind} className="tabular-nums">
                <Times spans={spans.filter((span) => span.kind === kind)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Times({ spans }: { spans: readonly Span[] }) {
  if (spans.length === 0) return <span>{"Never"}</span>;
  return (
    <ul>
      {spans.map(({ from, to }) => (
        <li key={from}>
          {from === 0 && to === minutesOfDay ? "All day" : `${clock(from)} to ${clock(to)}`}
        </li>
      ))}
    </ul>
  );
}

function clock(minutes: number): string {
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
}

function share(minutes: number): string {
  return `${(minutes / minutesOfDay) * 100}%`;
}
