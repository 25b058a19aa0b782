/** The middle of some numbers; of an even count, the higher of the two. */
export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error("Nothing was measured");
  return middle;
}

/** The same number with as many decimals as it is worth. */
export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
