export const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
/** What each page has to reach, of 100. A page that only reads brings no React. */
const aims = { reading: 100, other: 98 };
/** In milliseconds, where somebody comes to buy. */
const largestPaintAims: Readonly<Record<string, number>> = { "/signup": 1_500 };

/** From 0 to 100, and the audits that keep a category from 100. */
export type Scores = Record<(typeof categories)[number], number> & {
  /** Cumulative layout shift. */
  shift: number;
  /** When the largest part of the page was painted, on the simulated phone, in milliseconds. */
  largestPaintMs: number;
  /** Whether the page is sent without React. */
  isReading: boolean;
  faults: string[];
};

/** The pages that do not reach what they have to, in words. */
export function belowAim(scores: Readonly<Record<string, Scores>>): string[] {
  return Object.entries(scores).flatMap(([path, score]) => {
    const aim = aims[score.isReading ? "reading" : "other"];
    const low = categories.filter((category) => score[category] < aim);
    const largestPaint = largestPaintAims[path] ?? Number.POSITIVE_INFINITY;
    return [
      ...low.map((category) => `${path} has ${score[category]} of ${aim} in ${category}`),
      ...(score.shift > 0 ? [`${path} moves by ${score.shift} while it loads`] : []),
      ...(score.largestPaintMs > largestPaint
        ? [`${path} is painted after ${score.largestPaintMs} ms, not within ${largestPaint}`]
        : []),
    ];
  });
}
