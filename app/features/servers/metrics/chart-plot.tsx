import { memo } from "react";
import { drawn, height, type Values } from "./chart-drawing";
import { MarkPath } from "./chart-marks";
import type { Limit, Mark } from "./charts.server";

type PlotProps = {
  label: string;
  values: Values;
  top: number;
  marks: readonly Mark[];
  limits: readonly Limit[];
};

/** The values as a line in a band, with the marks and limits behind it. */
export const Plot = memo(({ label, values, top, marks, limits }: PlotProps) => {
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

/** Lies over a plot: a pointer, or the arrow keys, choose a step of it. `words` are read out. */
export function Pointer({
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
