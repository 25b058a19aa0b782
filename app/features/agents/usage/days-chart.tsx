import { dayMs } from "~/ui/dates";
import type { DayOfUsage } from "./statistics";

const height = 160;

/** A bar for every day of the range, with input below output. It is an image: a table below has the figures. */
export function DaysChart({
  from,
  to,
  days,
}: {
  from: string;
  to: string;
  days: readonly DayOfUsage[];
}) {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / dayMs) + 1;
  const highest = days.reduce((top, day) => (day.total_tokens > top.total_tokens ? day : top));
  const scale = (height - 4) / Math.max(1, highest.total_tokens);
  const words = `Tokens per day from ${from} to ${to}: used on ${days.length} of ${count} days, most on ${highest.day} with ${highest.total_tokens}.`;
  return (
    <figure>
      <p aria-hidden="true" className="font-mono text-sm text-ink-soft">
        {highest.total_tokens}
      </p>
      <svg
        role="img"
        aria-label={words}
        width="100%"
        height={height}
        viewBox={`0 0 ${count} ${height}`}
        preserveAspectRatio="none"
        className="block border-y border-line-strong"
      >
        {days.map((day) => {
          const x = Math.round((Date.parse(day.day) - first) / dayMs) + 0.1;
          const input = day.input_tokens * scale;
          const output = day.output_tokens * scale;
          return (
            <g key={day.day}>
              <rect x={x} y={height - input} width="0.8" height={input} fill="var(--ink-soft)" />
              <rect
                x={x}
                y={height - input - output}
                width="0.8"
                height={output}
                fill="var(--signal)"
              />
            </g>
          );
        })}
      </svg>
      <p aria-hidden="true" className="flex justify-between font-mono text-sm text-ink-soft">
        <span>{from}</span>
        <span>{to}</span>
      </p>
      <figcaption className="mt-2 flex flex-wrap gap-x-6 text-sm text-ink-soft">
        <Key fill="var(--ink-soft)">Input, below</Key>
        <Key fill="var(--signal)">Output, above</Key>
      </figcaption>
    </figure>
  );
}

function Key({ fill, children }: { fill: string; children: string }) {
  return (
    <span className="flex items-center gap-2">
      <svg width="14" height="14" aria-hidden="true">
        <rect width="14" height="14" fill={fill} />
      </svg>
      {children}
    </span>
  );
}
