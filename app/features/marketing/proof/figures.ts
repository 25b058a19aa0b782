import type { Run, Runs } from "./run";

/**
 * What a figure is of its measurements. A `summary` is the one value that a benchmark made of its own repetitions; `passed`
 * is the number of the run's tests.
 */
type Kind = "median" | "summary" | "highest" | "count" | "passed";

export type ProofTexts = {
  sections: readonly {
    /** The run that has its figures. */
    run: string;
    title: string;
    says: string;
    figures: readonly { name: string; kind: string; measurement?: string; unit?: string }[];
  }[];
};

export type ProofSection = {
  id: string;
  title: string;
  says: string;
  figures: { name: string; value: string; range: string }[];
  run: Pick<Run, "command" | "commit" | "machine" | "startedAt" | "seconds" | "versions">;
};

const kinds: readonly Kind[] = ["median", "summary", "highest", "count", "passed"];

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en-US");

/** What /proof shows: of each section the figures that its run has. A section without a run is left out. */
export function proofSections({ sections }: ProofTexts, runs: Runs): ProofSection[] {
  return sections.flatMap(({ run: id, title, says, figures }) => {
    const run = runs[id];
    if (!run) return [];
    const shown = figures.flatMap(({ name, kind, measurement = "", unit = "" }) => {
      const known = kinds.find((each) => each === kind);
      const figure = known && figureOf(known, run, measurement, unit);
      return figure ? [{ name, ...figure }] : [];
    });
    return [{ id, title, says, figures: shown, run }];
  });
}

function figureOf(kind: Kind, run: Run, measurement: string, unit: string) {
  if (kind === "passed") return { value: whole.format(run.passed), range: "" };
  const values = (run.measurements[measurement] ?? []).toSorted((one, other) => one - other);
  const [lowest] = values;
  const highest = values.at(-1);
  if (lowest === undefined || highest === undefined) return;
  if (kind === "count") return { value: whole.format(values.length), range: "" };
  const withUnit = (value: number) => `${number.format(value)} ${unit}`.trim();
  if (kind === "summary") return { value: withUnit(highest), range: "" };
  if (values.length === 1) return { value: withUnit(highest), range: "measured once" };
  const times = `of ${whole.format(values.length)}`;
  if (kind === "highest") return { value: withUnit(highest), range: `the highest ${times}` };
  const range = `median ${times}, ${number.format(lowest)} to ${withUnit(highest)}`;
  return { value: withUnit(median(values)), range };
}

/** The median of sorted values, of which there is at least one. */
function median(values: readonly number[]): number {
  const middle = Math.floor(values.length / 2);
  const [below = 0, above = 0] = [values[middle - 1], values[middle]];
  return values.length % 2 === 0 ? (below + above) / 2 : above;
}
