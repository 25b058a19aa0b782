const [width, height] = [96, 24];

/**
 * The participants of a server's last day, or `of` many servers, as a small line; where nothing was reported it has a gap, and what stands
 * between two gaps is a dot. Without any figure there is nothing to draw.
 */
export function DayDrawing({ day, of }: { day: readonly (number | null)[]; of?: string }) {
  const reported = day.filter((value) => value !== null);
  const most = Math.max(0, ...reported);
  if (reported.length === 0) return null;
  return (
    <span className="inline-flex items-center gap-x-2">
      <svg
        role="img"
        aria-label={`At most ${most} in calls in the last 24 hours${of ? `, ${of}` : ""}`}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="border-b border-line-strong"
      >
        <path d={pathOf(day, most)} fill="none" stroke="var(--signal)" strokeWidth="1.5" />
        <path d={dotsOf(day, most)} stroke="var(--signal)" strokeWidth="5" strokeLinecap="round" />
      </svg>
      <span aria-hidden="true" className="font-mono text-sm tabular-nums text-ink-soft">
        most {most}
        <span className="max-sm:hidden"> in 24 h</span>
      </span>
    </span>
  );
}

const isReported = (value: number | null | undefined) => value !== null && value !== undefined;

const heightOf = (value: number, most: number) => height - 1 - (value * (height - 3)) / (most || 1);

/** What was reported between two gaps, where a line would be too short to be seen. */
function dotsOf(day: readonly (number | null)[], most: number): string {
  const step = width / day.length;
  return day
    .map((value, at) => {
      if (value === null || isReported(day[at - 1]) || isReported(day[at + 1])) return "";
      const y = Math.min(heightOf(value, most), height - 3).toFixed(1);
      return `M${((at + 0.5) * step).toFixed(1)} ${y}h0`;
    })
    .join("");
}

function pathOf(day: readonly (number | null)[], most: number): string {
  const step = width / day.length;
  return day
    .map((value, at) => {
      if (value === null) return "";
      const begins = at === 0 || day[at - 1] === null;
      const y = heightOf(value, most).toFixed(1);
      const [from, to] = [(at * step).toFixed(1), ((at + 1) * step).toFixed(1)];
      return `${begins ? `M${from} ${y}` : `L${from} ${y}`}L${to} ${y}`;
    })
    .join("");
}
