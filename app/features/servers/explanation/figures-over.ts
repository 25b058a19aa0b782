import type { Figure } from "../metrics/packed-figures";
import type { Capacity, Series } from "../metrics/series";
import type { CallFigures } from "./facts";

/** What a server's figures were over a time. What was not reported then is missing. */
export function figuresOver(
  { series, capacity }: { series: Series; capacity: Capacity },
  time: { from: number; until: number },
): CallFigures {
  const values = (figure: Figure, part: "mean" | "most"): number[] => {
    const steps = series.figures[figure]?.[part];
    if (!steps) return [];
    const stepOf = (at: number) => Math.floor((at - series.from) / series.stepMs);
    const [first, last] = [stepOf(time.from), stepOf(time.until)];
    // Of a call from before the range nothing is known.
    if (first < 0) return [];
    return [...steps.slice(first, last + 1)].filter((value) => !Number.isNaN(value));
  };
  const mean = (figure: Figure): number | undefined => {
    const all = values(figure, "mean");
    if (all.length > 0) return all.reduce((sum, value) => sum + value, 0) / all.length;
  };
  const memory = mean("memory");
  const recordings = values("recordings", "most");
  return {
    ...definedOnly({ loss: mean("loss"), processor: mean("cpu") }),
    ...(memory !== undefined && capacity.memory
      ? { memory: (memory / capacity.memory) * 100 }
      : {}),
    ...(recordings.length > 0 ? { recordings: Math.max(...recordings) } : {}),
  };
}

function definedOnly<Key extends string>(
  values: Readonly<Record<Key, number | undefined>>,
): Partial<Record<Key, number>> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Record<Key, number>>;
}
