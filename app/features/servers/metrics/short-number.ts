// A number from nothing to 4,000 billion in two bytes: eleven bits of digits and five bits that say how often they are
// doubled. Whole numbers up to 2,047 are exact, larger ones are off by at most a 2,048th.

const mostDigits = 0x7ff;
const largest = 0xfffe;
/** Where nothing was said. */
export const nothing = 0xffff;

/** What is below nothing or no number at all is nothing said; what is too large is the largest. */
export function toShort(value: number | undefined): number {
  if (value === undefined || !(value >= 0)) return nothing;
  for (let doubled = 0; doubled < 32; doubled += 1) {
    const digits = Math.round(value / 2 ** doubled);
    if (digits <= mostDigits) return Math.min(largest, (doubled << 11) | digits);
  }
  return largest;
}

export function fromShort(short: number): number | undefined {
  return short === nothing ? undefined : (short & mostDigits) * 2 ** (short >> 11);
}
